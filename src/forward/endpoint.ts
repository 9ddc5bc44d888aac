import { checkPathLength, type OsName } from '../../platform/endpoint/endpoints.ts';
import { isLocalError, LocalError } from '../base/local-error.ts';
import { printable } from '../base/text.ts';
import { commandWords } from './command-words.ts';

/** One end of a forward. */
export type ForwardEndpoint =
  /** Path of a socket, or name of a pipe. */
  | { readonly kind: 'socket'; readonly path: string }
  /** Standard input and output of this process: the other end of the link has started it. */
  | { readonly kind: 'stdio' }
  | CommandEndpoint
  /** The bridge of this environment, or a chat client that the search finds. */
  | { readonly kind: 'auto' };

/** A command whose standard input and output are the link. */
export interface CommandEndpoint {
  readonly kind: 'exec';
  /** Command line as typed; it may contain a secret. */
  readonly command: string;
  readonly words: readonly [string, ...string[]];
}

/** Text of the valid forms. */
function forms(os: OsName): string {
  const path = os === 'win32' ? String.raw`\\.\pipe\discord-ipc-0` : '/run/user/1000/discord-ipc-0';
  return `a path such as ${path}, stdio:, or exec:COMMAND`;
}

/**
 * Parses the value of `--from` or `--to`; `option` names it in errors. Throws `LocalError` FOOTBRIDGE_USAGE, and
 * FOOTBRIDGE_PATH_TOO_LONG.
 */
export function parseForwardEndpoint(option: string, text: string, os: OsName): ForwardEndpoint {
  const wrong = (problem: string): LocalError =>
    new LocalError(
      'FOOTBRIDGE_USAGE',
      `${option}: ${printable(JSON.stringify(publicText(text).slice(0, 120)))} ${problem}`,
    );
  if (text === 'stdio:' || text === '-') return { kind: 'stdio' };
  if (text === 'auto') {
    if (option.endsWith('to')) return { kind: 'auto' };
    throw wrong('is only for the end where the bridge is. Name the path of the socket that apps shall find.');
  }
  if (text.startsWith('exec:')) {
    const command = text.slice('exec:'.length).trim();
    const words = commandWords(command, os);
    if (words === undefined) throw wrong('has a quote without its end.');
    const [program, ...rest] = words;
    if (program === undefined || program === '')
      throw wrong('names no command. Write exec:COMMAND with its arguments.');
    return { kind: 'exec', command, words: [program, ...rest] };
  }
  const isPipe = /^[\\/]{2}[.?][\\/]pipe[\\/]./i.test(text);
  if (os === 'win32' ? isPipe : /^\/.*[^/]$/s.test(text) && !text.includes('\0')) {
    try {
      checkPathLength(os, text, 'Use a folder with a shorter name.');
    } catch (error) {
      throw isLocalError(error) ? new LocalError(error.code, `${option}: ${error.message}`) : error;
    }
    return { kind: 'socket', path: text };
  }
  if (/^(?:tcp|udp|wss?|https?):/i.test(text) || /^(?:[\w.-]*|\[[\da-f:]+\]):\d+$/i.test(text))
    throw wrong(
      'is an address of a network, on which a forward never listens or connects. Use exec: with ssh.',
    );
  if (os !== 'win32' && (isPipe || /^[a-z]:[\\/]/i.test(text) || text.startsWith('\\')))
    throw wrong(`is a path of Windows, and this is ${os}. Use ${forms(os)}.`);
  throw wrong(`is not an endpoint. Use ${forms(os)}.`);
}

/**
 * Text of an endpoint for logs, lists and errors; the argument is the text as the command line takes it. A command is
 * cut after its program, as in `exec:ssh …`, because its arguments may contain a password or a token.
 */
export function publicText(text: string): string {
  const [command, program = '', rest = ''] = /^exec:\s*("[^"]*"|'[^']*'|\S*)(.*)$/s.exec(text) ?? [];
  if (command === undefined) return text;
  // An assignment before a program, as in a shell, is no program.
  const shown = program.includes('=') ? '' : program.replaceAll(/["']/g, '');
  return `exec:${[shown, rest.trim() === '' && shown !== '' ? '' : '…'].filter(Boolean).join(' ')}`;
}
