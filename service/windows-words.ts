import type { Command } from './manager.ts';

/**
 * One command line from arguments, as CommandLineToArgvW and the C runtime split it again: quoted if an argument has
 * blanks or quotes, backslashes doubled only before a quote.
 */
export function commandLine(words: readonly string[]): string {
  return words.map(quoteWord).join(' ');
}

function quoteWord(word: string): string {
  if (/^[^\s"]+$/.test(word)) return word;
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;
}

/**
 * Starts a console program without a window of its own. Node has no other executable on Windows, and a window that a
 * user closes would end the bridge.
 */
export function withoutWindow(argv: readonly string[], systemRoot: string): Command {
  return [`${systemRoot}\\System32\\conhost.exe`, '--headless', ...argv];
}
