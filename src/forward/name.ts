import { printable } from '../base/text.ts';
import type { ForwardEndpoint } from './endpoint.ts';

/** Maximum length of a name (characters). */
const MAX_NAME = 64;

/**
 * Short name of the apps behind an end, for prompts and lists: the machine or container that a command leads to, or the
 * folder of a socket. Empty for standard input, where the other end proposes a name.
 */
export function defaultName(from: ForwardEndpoint): string {
  switch (from.kind) {
    case 'socket':
      return shortened(pathName(from.path));
    case 'exec':
      return shortened(commandName(from.words));
    case 'auto':
      return 'this machine';
    case 'stdio':
      return '';
  }
}

/** The name, with a number where it is taken. */
export function uniqueName(name: string, isTaken: (name: string) => boolean): string {
  let unique = name;
  for (let number = 2; isTaken(unique); number += 1) unique = `${name.slice(0, MAX_NAME - 4)}-${number}`;
  return unique;
}

/** The name of the socket where it is telling, such as `apps`; that of its folder for `box/discord-ipc-0`. */
function pathName(path: string): string {
  const [socket = path, folder = ''] = path.split(/[\\/]+/).reverse();
  const isTelling = !/^discord-ipc-\d$/.test(socket);
  // The runtime folder of a user is named by a number, and that of pipes is the same for all.
  return isTelling || folder === '' || /^\d+$|^pipe$/.test(folder) ? socket : folder;
}

/** The last word before Footbridge itself, such as the host of ssh; the program where there is none. */
function commandName(words: readonly [string, ...string[]]): string {
  const end = words.findIndex((word) => /(?:^|[\\/])footbridge(?:\.\w+)?$/.test(word));
  const host = words.slice(1, Math.max(1, end)).findLast((word) => !/^[-/]/.test(word));
  return host ?? (words[0].split(/[\\/]/).at(-1) ?? '').replace(/\.exe$/i, '');
}

function shortened(name: string): string {
  return printable(name).slice(0, MAX_NAME).trim() || 'forward';
}
