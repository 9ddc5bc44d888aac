import { closeSync, openSync, writeSync } from 'node:fs';

/** How many there are of each. */
interface WorldSize {
  readonly users: number;
  readonly guilds: number;
  readonly messages: number;
  /** Of each guild, with the bot; 20 unless told. */
  readonly members?: number;
}

const WHOLE: WorldSize = { users: 10_000, guilds: 1000, messages: 100_000 };
/** What one guild needs to be there. */
export const EMPTY: WorldSize = { users: 30, guilds: 2, messages: 0 };
/** What a bot finds when it logs in. */
export const TEN_GUILDS: WorldSize = { users: 100, guilds: 10, messages: 0 };

const CHANNELS_EACH = 5;
const MEMBERS_EACH = 20;

/** Whose bot is in every guild. */
export const APP = '300000000000000001';

/** Ids of one kind, in order. */
const id = (kind: number, index: number): string => `${kind}${String(index).padStart(17, '0')}`;

/** The guild in which all messages are, its channels, and one of its authors. */
export const BIG = {
  guild: id(4, 1),
  channels: Array.from({ length: CHANNELS_EACH }, (_, index) => id(5, CHANNELS_EACH + index)),
  author: id(2, 7),
} as const;

/** In a message each, in half of them, in one of a hundred, in one of all. */
export const SPOKEN = { always: 'tide', half: 'water', seldom: 'heron99', once: 'pearl' } as const;

/**
 * Writes a state as `footbridge emulator export` does: 10,000 users, 1,000 guilds with roles, channels and members, and
 * 100,000 messages of a dozen words, all in one guild, which is the hardest for a search.
 */
export function writeBigWorld(file: string, size: WorldSize = WHOLE): void {
  const { users, guilds, messages, members = MEMBERS_EACH } = size;
  const out = openSync(file, 'w', 0o600);
  try {
    let pending = '';
    const write = (text: string): void => {
      pending += `${text}\n`;
      if (pending.length < 65_536) return;
      writeSync(out, pending);
      pending = '';
    };
    const records = 3 + users + guilds * (2 + CHANNELS_EACH + members) + messages;
    write(JSON.stringify({ footbridge: 'state', version: 1, records }));
    for (const [table, row] of rows({ users, guilds, messages, members }))
      write(`{"${table}":${JSON.stringify(row)}}`);
    writeSync(out, pending);
  } finally {
    closeSync(out);
  }
}

function* rows({
  users,
  guilds,
  messages,
  members,
}: Required<WorldSize>): Generator<readonly [table: string, row: unknown]> {
  yield ['me', id(2, 0)];
  for (let index = 0; index < users; index += 1) {
    yield ['users', { id: id(2, index), username: `user${index}`, global_name: `User ${index}` }];
  }
  yield ['users', { id: APP, username: 'harbour', bot: true }];
  yield [
    'applications',
    { id: APP, name: 'Harbour', bot_user: APP, intents: ['message_content', 'guild_members'] },
  ];
  for (let guild = 0; guild < guilds; guild += 1) yield* guildRows(guild, members);
  for (let index = 0; index < messages; index += 1) {
    yield [
      'messages',
      {
        id: id(6, index),
        channel: BIG.channels[index % CHANNELS_EACH],
        author: id(2, index % users),
        content: contentOf(index),
      },
    ];
  }
}

function* guildRows(index: number, members: number): Generator<readonly [table: string, row: unknown]> {
  const guild = id(4, index);
  yield ['guilds', { id: guild, name: `Guild ${index}`, owner: id(2, index) }];
  yield ['roles', { guild, id: id(8, index), name: 'rowers', permissions: ['ADMINISTRATOR'], position: 1 }];
  for (let channel = 0; channel < CHANNELS_EACH; channel += 1) {
    const key = id(5, index * CHANNELS_EACH + channel);
    yield ['channels', { guild, id: key, name: `channel-${channel}`, type: 'text' }];
  }
  yield ['members', { guild, user: APP, roles: [id(8, index)] }];
  for (let member = 1; member < members; member += 1) {
    yield ['members', { guild, user: id(2, index + member), nick: `Rower ${member}` }];
  }
}

function contentOf(index: number): string {
  const words = [`${SPOKEN.always} m${index}`];
  if (index % 2 === 0) words.push(SPOKEN.half);
  words.push(`heron${index % 100}`, `boat${index % 1000} is late at the quay again`);
  if (index === 4321) words.push(SPOKEN.once);
  return words.join(' ');
}
