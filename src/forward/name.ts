import type { ForwardEndpoint } from './endpoint.ts';

/** Maximum length of a name (characters). */
const MAX_NAME = 64;
const NAME = /^[\w.@:-]{1,64}$/;

/** What {@link isName} accepts, as text. */
export const NAME_TEXT = '1 to 64 letters, digits, ".", "_", "@", ":" or "-"';

/** Whether a text may be the name of a forward, as prompts and lists show it. */
export function isName(text: string): boolean {
  return NAME.test(text);
}

/** A name from a text, such as the name of a folder with blanks. */
export function asName(text: string): string {
  return (
    text
      .replaceAll(/[^\w.@:-]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, MAX_NAME) || 'forward'
  );
}

/**
 * Short name of the apps behind an end, for prompts and lists: the machine or container that a command leads to, or the
 * folder of a socket. Empty for standard input, where the other end proposes a name.
 */
export function defaultName(from: ForwardEndpoint): string {
  switch (from.kind) {
    case 'socket':
      return asName(pathName(from.path));
    case 'exec':
      return asName(commandName(from.words));
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

function commandName(words: readonly [string, ...string[]]): string {
  const [program] = words;
  // An assignment, as before a program in a shell, may contain a secret.
  const named = program.includes('=') ? '' : (program.split(/[\\/]/).at(-1) ?? '');
  return hostIn(words) ?? named.replace(/\.exe$/i, '');
}

/**
 * The machine or container that a command leads to: its last word before Footbridge itself. Undefined where there is
 * none. A variable such as `TOKEN=…` and an address may contain a secret and are left out.
 */
export function hostIn(words: readonly string[]): string | undefined {
  const ssh = words.findIndex((word) => /(?:^|[\\/])ssh(?:\.exe)?$/i.test(word));
  const host = ssh < 0 ? undefined : firstArgument(words.slice(ssh + 1));
  if (host !== undefined) return isTelling(host) ? host : undefined;
  const end = words.findIndex((word) => /(?:^|[\\/])footbridge(?:\.\w+)?$/.test(word));
  return words.slice(1, Math.max(1, end)).findLast((word) => isTelling(word) && word !== 'env');
}

function isTelling(word: string): boolean {
  return !/^[-/]|=|:\/\/|[\s;&|]/.test(word);
}

/** Options of ssh(1) that take the next word. */
const SSH_OPTION_WITH_VALUE = /^-[46AaCfGgKkMNnqsTtVvXxYy]*[BbcDEeFIiJLlmOoPpQRSWw]$/;

function firstArgument(words: readonly string[]): string | undefined {
  return words.find((word, at) => !word.startsWith('-') && !SSH_OPTION_WITH_VALUE.test(words[at - 1] ?? ''));
}
