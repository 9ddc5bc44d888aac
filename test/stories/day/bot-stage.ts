// The world of a bot's day: River Bank with people, a bot that may what it needs and no more, and an observer.
import type { TestEmulator } from '../../../src/testing/testing.ts';
import { watchPort } from '../answers.ts';
import { APP, botToken, OTHER_APP, startEmulator } from '../story.ts';

/** Of the built-in fixture, and of {@link openBotStage}. */
export const WORLD = {
  guild: '400000000000000001',
  category: '500000000000000001',
  general: '500000000000000002',
  lounge: '500000000000000005',
  boat: '500000000000000006',
  river: '200000000000000001',
  otter: '200000000000000003',
  mole: '200000000000000021',
  toad: '200000000000000022',
  deckhand: '901',
} as const;

/** All that the day asks for: the bot is no administrator. */
const PERMISSIONS = [
  'VIEW_CHANNEL',
  'SEND_MESSAGES',
  'SEND_MESSAGES_IN_THREADS',
  'READ_MESSAGE_HISTORY',
  'EMBED_LINKS',
  'ATTACH_FILES',
  'ADD_REACTIONS',
  'MANAGE_MESSAGES',
  'PIN_MESSAGES',
  'MANAGE_ROLES',
  'MANAGE_CHANNELS',
  'MANAGE_THREADS',
  'CREATE_PUBLIC_THREADS',
  'MODERATE_MEMBERS',
  'KICK_MEMBERS',
  'BAN_MEMBERS',
  'MANAGE_NICKNAMES',
  'CONNECT',
  'MOVE_MEMBERS',
  'MUTE_MEMBERS',
  'CREATE_INSTANT_INVITE',
  'MANAGE_GUILD',
  'MANAGE_WEBHOOKS',
  'CREATE_EVENTS',
  'MANAGE_EVENTS',
] as const;

/** An answer of the platform, read without its type. */
// biome-ignore lint/suspicious/noExplicitAny: a step knows what it looks at
export type Seen = any;

/** Where a bot's day happens. */
export interface BotStage {
  readonly emulator: TestEmulator;
  /** Such as `http://127.0.0.1:4000/api`. */
  readonly api: string;
  /** Address of the gateway. */
  readonly gateway: string;
  readonly token: string;
  /** What another bot reads at a path of the API, with the status. */
  readonly look: (path: string) => Promise<{ readonly status: number; readonly body: Seen }>;
  /** What another bot makes by a POST. */
  readonly make: (path: string, body: object) => Promise<Seen>;
}

const OBSERVER = '200000000000000023';

const PATCH = {
  users: [
    { id: APP, username: 'harbour', bot: true },
    { id: WORLD.mole, username: 'mole' },
    { id: WORLD.toad, username: 'toad' },
    { id: OBSERVER, username: 'observer', bot: true },
  ],
  applications: [
    { id: APP, bot_user: APP, intents: ['message_content', 'guild_members'] },
    { id: OTHER_APP, bot_user: OBSERVER, intents: ['message_content', 'guild_members'] },
  ],
  guilds: [
    {
      id: WORLD.guild,
      owner: 'heron',
      roles: [
        { id: '900', name: 'Harbour', position: 5, permissions: PERMISSIONS, bot: APP },
        { id: WORLD.deckhand, name: 'deckhand', position: 2, permissions: [] },
        { id: '902', name: 'observers', position: 6, permissions: ['ADMINISTRATOR'] },
      ],
      members: [
        { user: APP, roles: ['900'] },
        { user: WORLD.mole, roles: [] },
        { user: WORLD.toad, roles: [] },
        { user: OBSERVER, roles: ['902'] },
      ],
    },
  ],
};

/** Starts the platform with all of it. */
export async function openBotStage(): Promise<BotStage> {
  const emulator = await startEmulator();
  watchPort(Number(new URL(emulator.api).port));
  await emulator.operations.call('emulator.apply', { patch: PATCH });
  const headers = { authorization: `Bot ${botToken(OTHER_APP)}`, 'content-type': 'application/json' };
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${emulator.api}/v10${path}`, { headers, ...init });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? undefined : (JSON.parse(text) as Seen) };
  };
  return {
    emulator,
    api: emulator.api,
    gateway: (await ask('/gateway')).body.url as string,
    token: botToken(),
    look: (path) => ask(path),
    make: async (path, body) => (await ask(path, { method: 'POST', body: JSON.stringify(body) })).body,
  };
}
