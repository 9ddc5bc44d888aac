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
  /** A command whose standard input and output are the link. */
  | { readonly kind: 'exec'; readonly command: string; readonly words: readonly [string, ...string[]] }
  /** The bridge of this environment, or a chat client that the search finds. */
  | { readonly kind: 'auto' };

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
      `${option}: ${printable(JSON.stringify(text.slice(0, 120)))} ${problem}`,
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

/** Text of an endpoint as the command line takes it. */
export function forwardEndpointText(endpoint: ForwardEndpoint): string {
  switch (endpoint.kind) {
    case 'socket':
      return endpoint.path;
    case 'stdio':
      return 'stdio:';
    case 'exec':
      return `exec:${endpoint.command}`;
    case 'auto':
      return 'auto';
  }
}
