import type { Command } from './manager.ts';

/**
 * Formats arguments as one command line, which CommandLineToArgvW and the C runtime split into the same arguments: an
 * argument with blanks or quotes is quoted, and backslashes are doubled only before a quote.
 */
export function commandLine(args: readonly string[]): string {
  return args.map(quoteWord).join(' ');
}

function quoteWord(word: string): string {
  if (/^[^\s"]+$/.test(word)) return word;
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;
}

/**
 * Returns a command that starts a console program without a window. Node's only executable on Windows is a console
 * program, and closing its window would end the bridge.
 */
export function withoutWindow(argv: readonly string[], systemRoot: string): Command {
  return [`${systemRoot}\\System32\\conhost.exe`, '--headless', ...argv];
}
