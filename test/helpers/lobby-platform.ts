import { expect } from 'vitest';
import type { EmulatorOptions } from '../../src/emulator/compose/emulator-options.ts';
import type { Permission } from '../../src/emulator/kernel/permission-bits.ts';
import { ids } from './emulator-world.ts';
import {
  APP,
  type PlatformAnswer,
  type PlatformRequest,
  type TestPlatform,
  testPlatform,
} from './platform.ts';

/** A lobby that the server made, with River and Heron in it; River may link it. */
export const LOBBY = '700000000000000001';
const SCOPE = ['lobbies.write'];

/** A platform with that lobby. */
export interface LobbyPlatform extends TestPlatform {
  /** Asks below the lobby as the bot, or as somebody with a token of the application: `GET /messages`. */
  readonly ask: (what: string, request?: LobbyRequest) => Promise<PlatformAnswer>;
  /** The same, of what is refused: fails when the state is not what it was. */
  readonly refused: (what: string, request?: LobbyRequest) => Promise<PlatformAnswer>;
  /** Headers of a token of somebody, who is logged in from then on. */
  readonly as: (user: string, clientId?: string) => Promise<{ readonly authorization: string }>;
}

/** A request; `/lobbies` stands for itself, every other path begins below the lobby. */
interface LobbyRequest extends PlatformRequest {
  /** Username of whoever asks; the bot otherwise. */
  readonly by?: string;
}

/** Writes the lobby into the state of a platform. */
async function withLobby({ emulator }: TestPlatform): Promise<void> {
  await emulator.apply({
    // Otherwise the bot comes to be with its first request.
    users: [{ id: APP, username: 'tug', discriminator: '0000', bot: true }],
    lobbies: [{ id: LOBBY, application: APP, members: [{ user: 'river', flags: 1 }, { user: 'heron' }] }],
  });
}

/** Starts one. */
export async function lobbyPlatform(options: Partial<EmulatorOptions> = {}): Promise<LobbyPlatform> {
  const platform = await testPlatform(undefined, options);
  await withLobby(platform);
  return lobbyAsking(platform);
}

function lobbyAsking(platform: TestPlatform): LobbyPlatform {
  const { emulator, bearer, bot, call } = platform;
  const as = async (user: string, clientId = APP): Promise<{ readonly authorization: string }> => {
    await emulator.apply({ me: user });
    return bearer(SCOPE, clientId);
  };
  const ask = async (what: string, { by, ...request }: LobbyRequest = {}): Promise<PlatformAnswer> => {
    const [method = '', path = ''] = what.split(' ');
    const headers = { ...(by === undefined ? bot() : await as(by)), ...request.headers };
    const place = path === '/lobbies' ? path : `/lobbies/${LOBBY}${path}`;
    return call(`${method} ${place}`, { ...request, headers });
  };
  return {
    ...platform,
    as,
    ask,
    refused: async (what, { by, ...request } = {}) => {
      const headers = { ...(by === undefined ? bot() : await as(by)), ...request.headers };
      const before = emulator.exportState();
      const answer = await ask(what, { ...request, headers });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(emulator.exportState()).toBe(before);
      return answer;
    },
  };
}

/** Gives everybody in the guild of the built-in fixture these permissions. */
export async function everybodyMay(
  { emulator }: TestPlatform,
  ...permissions: readonly Permission[]
): Promise<void> {
  await emulator.apply({ guilds: [{ id: ids.riverBank, roles: [{ id: ids.riverBank, permissions }] }] });
}

/** Links the lobby with the channel General. */
export async function linked(platform: TestPlatform): Promise<void> {
  await platform.emulator.apply({ lobbies: [{ id: LOBBY, linked_channel: ids.general }] });
}

type Asked = readonly [what: string, PlatformRequest];

/** Asked below the lobby, after that preparation. */
function below(
  who: 'bot' | 'river',
  what: string,
  json?: unknown,
  prepare: (platform: LobbyPlatform) => Promise<unknown> = async () => undefined,
) {
  return async (platform: TestPlatform): Promise<Asked> => {
    await withLobby(platform);
    const ready = lobbyAsking(platform);
    const found = await prepare(ready);
    const [method, path = ''] = what.split(' ');
    const place = path === '/lobbies' ? path : `/lobbies/${LOBBY}${path.replace('{}', String(found))}`;
    const headers = who === 'bot' ? platform.bot() : await ready.as('river');
    return [`${method} ${place}`, { headers, ...(json === undefined ? {} : { json }) }];
  };
}

const METADATA = { map: 'delta', mode: 'calm' };
const MEMBERS = [{ id: ids.heron, metadata: METADATA, flags: 1 }, { id: ids.otter }];

async function said({ emulator }: TestPlatform): Promise<string> {
  await emulator.apply({ lobbies: [{ id: LOBBY, members: [{ user: 'river', additional_name: 'Pilot' }] }] });
  return emulator.lobbies.send(LOBBY, ids.river, 'the tide turns').id;
}

/** How each operation of lobbies is asked by somebody who may. */
export const ASKED_OF_LOBBIES: Readonly<Record<string, (platform: TestPlatform) => Promise<Asked>>> = {
  create_lobby: below('bot', 'POST /lobbies', { metadata: METADATA, members: MEMBERS, flags: 1 }),
  create_or_join_lobby: below('river', 'PUT /lobbies', {
    secret: 'under the pier',
    lobby_metadata: METADATA,
    member_metadata: METADATA,
  }),
  get_lobby: below('bot', 'GET ', undefined, linked),
  edit_lobby: below('bot', 'PATCH ', { members: MEMBERS, idle_timeout_seconds: 60 }),
  delete_lobby: below('bot', 'DELETE '),
  add_lobby_member: below('bot', `PUT /members/${ids.otter}`, { additional_name: 'Deckhand' }),
  bulk_update_lobby_members: below('bot', 'POST /members/bulk', MEMBERS),
  delete_lobby_member: below('bot', `DELETE /members/${ids.heron}`),
  leave_lobby: async (platform) => {
    const { id } = platform.emulator.lobbies.join(APP, 'under the pier', platform.emulator.me().id);
    return [`DELETE /lobbies/${id}/members/@me`, { headers: await platform.bearer(SCOPE) }];
  },
  edit_lobby_channel_link: below('river', 'PATCH /channel-linking', { channel_id: ids.general }, (platform) =>
    everybodyMay(platform, 'VIEW_CHANNEL', 'SEND_MESSAGES', 'MANAGE_CHANNELS'),
  ),
  create_linked_lobby_guild_invite_for_self: below('river', 'POST /members/@me/invites', undefined, linked),
  create_linked_lobby_guild_invite_for_user: below(
    'bot',
    `POST /members/${ids.heron}/invites`,
    undefined,
    linked,
  ),
  get_lobby_messages: below('river', 'GET /messages?limit=200', undefined, said),
  create_lobby_message: below(
    'river',
    'POST /messages',
    { content: 'high water', metadata: METADATA },
    linked,
  ),
  update_lobby_message_external_moderation_metadata: below(
    'bot',
    'PUT /messages/{}/moderation-metadata',
    { action: 'hide' },
    said,
  ),
};
