// Values that only the running bridge has. The values come from apps and fixtures, and a shell evaluates what it
// completes: a value is offered only if every shell reads it as a plain word.

import type { LiveList } from '../../base/operator-command.ts';
import { printable } from '../../base/text.ts';

/** Value to complete, and its description. */
export interface LiveWord {
  readonly word: string;
  readonly help: string;
}

interface Source {
  /** Operation of the core that returns the values. */
  readonly operation: string;
  /** Pairs of a value and its description; `instead` replaces a value that is not safe. */
  readonly read: (answer: Answer) => readonly (readonly [word: string, help: string, instead?: string])[];
}

/** Part of the bridge's answers that this file reads. */
interface Answer {
  readonly users: readonly { readonly id: string; readonly username: string; readonly global_name: string }[];
  readonly applications: readonly { readonly id: string; readonly name: string }[];
  readonly guilds: readonly {
    readonly id: string;
    readonly name: string;
    readonly channels: readonly { readonly id: string; readonly name: string; readonly type: number }[];
  }[];
  readonly commands?: readonly {
    readonly name: string;
    readonly type: number;
    readonly application: string;
  }[];
  readonly clients: readonly {
    readonly name: string;
    readonly attached: readonly {
      readonly user: { readonly id: string; readonly username: string } | null;
    }[];
  }[];
}

const CHAT_INPUT = 1;
const VOICE_CHANNELS: readonly number[] = [2, 13];
const TEXT_CHANNELS: readonly number[] = [0, 5];

const requested: Source['read'] = (answer) =>
  (answer as unknown as readonly { id: string; applicationName: string | null }[]).map(
    ({ id, applicationName }) => [id, applicationName ?? ''],
  );

function channels(types: readonly number[]): Source {
  return {
    operation: 'emulator.show',
    read: ({ guilds }) =>
      guilds.flatMap((guild) =>
        guild.channels
          .filter(({ type }) => types.includes(type))
          .map(({ id, name }) => [name, `in ${guild.name}`, id] as const),
      ),
  };
}

const sources: { readonly [list in LiveList]: Source } = {
  requests: { operation: 'requests.list', read: requested },
  grants: { operation: 'grants.list', read: requested },
  clients: {
    operation: 'attach.list',
    read: ({ clients }) =>
      clients.map(({ name, attached }) => [name, attached.length > 0 ? 'attached' : 'not attached']),
  },
  accounts: {
    operation: 'attach.list',
    read: ({ clients }) =>
      clients.flatMap(({ attached }) =>
        attached.flatMap(({ user }) => (user === null ? [] : [[user.id, user.username] as const])),
      ),
  },
  applications: {
    operation: 'emulator.show',
    read: ({ applications }) => applications.map(({ id, name }) => [id, name]),
  },
  'slash-commands': {
    operation: 'emulator.show',
    read: ({ commands = [], applications }) =>
      commands
        .filter(({ type }) => type === CHAT_INPUT)
        .map(({ name, application }) => [
          `/${name}`,
          `of ${applications.find(({ id }) => id === application)?.name ?? application}`,
        ]),
  },
  faults: {
    operation: 'fault.list',
    read: (answer) =>
      (answer as unknown as readonly { id: string; fault: string; where: string }[]).map(
        ({ id, fault, where }) => [id, `${fault} for ${where}`],
      ),
  },
  guilds: { operation: 'emulator.show', read: ({ guilds }) => guilds.map(({ id, name }) => [id, name]) },
  users: {
    operation: 'emulator.show',
    read: ({ users }) => users.map(({ id, username, global_name: name }) => [username, name, id]),
  },
  worlds: {
    operation: 'world.list',
    read: (answer) =>
      (answer as unknown as readonly { name: string; api: string }[]).map(({ name, api }) => [name, api]),
  },
  'text-channels': channels(TEXT_CHANNELS),
  'voice-channels': channels(VOICE_CHANNELS),
};

/** Lists that a bridge can answer. */
export const liveLists = Object.keys(sources) as readonly LiveList[];

/** Requests a list with `call`. Throws the errors of `call`. */
export async function liveValues(
  list: LiveList,
  call: (operation: string) => Promise<unknown>,
): Promise<LiveWord[]> {
  const { operation, read } = sources[list];
  const pairs = read((await call(operation)) as Answer);
  return pairs.flatMap(([first, help, instead = '']) => {
    const word = [first, instead].find(isPlain);
    return word === undefined ? [] : [{ word, help: printable(help ?? '').replaceAll('\t', ' ') }];
  });
}

/**
 * Whether every shell reads a value as a plain word: bash expands offered words, and a word that begins with a dash
 * would be an option.
 */
function isPlain(word: string): boolean {
  return /^\/?[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/.test(word);
}
