import { describe, expect, it } from 'vitest';
import type { VoiceState } from '../../src/emulator/guilds/voice/records.ts';
import { ids } from '../helpers/emulator-world.ts';
import { GatewayClient } from '../helpers/gateway-client.ts';
import { type GuildPlatform, guildPlatform } from '../helpers/guild-platform.ts';
import { LOBBY, lobbyPlatform } from '../helpers/lobby-platform.ts';
import { APP } from '../helpers/platform.ts';

// What somebody does by several ways leaves one and the same record, and is refused for the same reasons.

const DECK = '91';
const STAGE = '92';

/** A guild whose bot is at the gateway, with two more channels to talk in. */
async function talking(channel: object = {}) {
  const platform = await guildPlatform(['MOVE_MEMBERS', 'MUTE_MEMBERS', 'VIEW_CHANNEL', 'CONNECT']);
  await platform.guild({
    roles: [
      { id: ids.riverBank, permissions: ['VIEW_CHANNEL', 'CONNECT', 'SPEAK'] },
      { id: '900', permissions: ['MOVE_MEMBERS', 'MUTE_MEMBERS'] },
    ],
    channels: [
      { id: DECK, name: 'deck', type: 'voice', ...channel },
      { id: STAGE, name: 'stage', type: 'stage' },
    ],
  });
  const client = new GatewayClient(platform.url);
  await client.identify(platform.bot().authorization);
  await client.rest();
  platform.emulator.calls.leave(ids.heron);
  platform.emulator.calls.join(ids.heron, ids.lounge);
  return { ...platform, client };
}

type Talking = Awaited<ReturnType<typeof talking>>;
type Joins = (platform: Talking, channel: string) => Promise<string>;

const stateOf = ({ emulator }: GuildPlatform, user: string): VoiceState | undefined =>
  emulator.tables.voice_states.get(user);

/** Each has somebody come into a channel, and says who. */
const JOINING: Readonly<Record<string, Joins>> = {
  'the operation': async ({ emulator }, channel) => {
    emulator.calls.join(ids.otter, channel);
    return ids.otter;
  },
  'the logged-in user': async ({ emulator }, channel) => {
    emulator.selectVoiceChannel(channel);
    return ids.river;
  },
  'a bot at the gateway': async ({ client }, channel) => {
    client.send({
      op: 4,
      d: { guild_id: ids.riverBank, channel_id: channel, self_mute: false, self_deaf: false },
    });
    await client.rest();
    return APP;
  },
  'a bot that moves somebody': async ({ ask }, channel) => {
    const { status, body } = await ask(`PATCH /members/${ids.heron}`, { json: { channel_id: channel } });
    if (status !== 200) throw new Error(body.message);
    return ids.heron;
  },
};

describe('a user who joins a voice channel', () => {
  it.each(Object.entries(JOINING))(
    'is unmuted, suppressed on a stage, and has no request to speak: by %s',
    async (_, joins) => {
      const platform = await talking();
      const user = await joins(platform, DECK);
      const silent = { mute: false, deaf: false, self_mute: false, self_deaf: false, speaking: false };
      expect(stateOf(platform, user)).toEqual({
        user,
        channel: DECK,
        nick: null,
        ...silent,
        suppress: false,
      });
      await joins(platform, STAGE);
      expect(stateOf(platform, user)).toEqual({
        user,
        channel: STAGE,
        nick: null,
        ...silent,
        suppress: true,
      });
      const asked = new Date(platform.emulator.clock.now()).toISOString();
      await platform.emulator.apply({ voice_states: [{ user, request_to_speak: asked }] });
      await joins(platform, DECK);
      expect(stateOf(platform, user)).toEqual({
        user,
        channel: DECK,
        nick: null,
        ...silent,
        suppress: false,
      });
    },
  );

  it.each(Object.entries(JOINING))(
    'retains nickname, mute and deaf of the guild, and stops speaking: by %s',
    async (_, joins) => {
      const platform = await talking();
      const user = await joins(platform, DECK);
      await platform.emulator.apply({ voice_states: [{ user, nick: 'Skipper', speaking: true }] });
      await joins(platform, ids.lounge);
      expect(stateOf(platform, user)).toMatchObject({ nick: 'Skipper', speaking: false });
      await platform.emulator.apply({ voice_states: [{ user, mute: true, deaf: true }] });
      await joins(platform, DECK);
      expect(stateOf(platform, user)).toMatchObject({ channel: DECK, mute: true, deaf: true });
    },
  );

  it.each(['the operation', 'a bot that moves somebody'])(
    'retains self-mute and self-deaf: by %s',
    async (name) => {
      const platform = await talking();
      const joins = JOINING[name] as Joins;
      const user = await joins(platform, DECK);
      await platform.emulator.apply({ voice_states: [{ user, self_mute: true, self_deaf: true }] });
      await joins(platform, ids.lounge);
      expect(stateOf(platform, user)).toMatchObject({ self_mute: true, self_deaf: true });
    },
  );

  it.each(Object.entries(JOINING))('is listed after the earlier participants: by %s', async (_, joins) => {
    const platform = await talking();
    const { emulator } = platform;
    const user = await joins(platform, DECK);
    const other = user === ids.otter ? ids.heron : ids.otter;
    emulator.calls.join(other, STAGE);
    await joins(platform, STAGE);
    expect(emulator.calls.in(STAGE).map((state) => state.user)).toEqual([other, user]);
  });

  it('loses nickname and mute of the guild in another guild', async () => {
    const { emulator } = await talking();
    emulator.calls.join(ids.otter, DECK);
    await emulator.apply({ voice_states: [{ user: 'otter', nick: 'Skipper', mute: true }] });
    emulator.calls.join(ids.otter, ids.quay);
    expect(emulator.calls.of(ids.otter)).toMatchObject({ channel: ids.quay, nick: null, mute: false });
  });
});

describe('a user without access to a voice channel', () => {
  const NOBODY = { user_limit: 1 };
  it.each<[why: string, channel: object]>([
    ['without the right to connect', { role_overwrites: [{ role: ids.riverBank, deny: ['CONNECT'] }] }],
    ['without seeing it', { role_overwrites: [{ role: ids.riverBank, deny: ['VIEW_CHANNEL'] }] }],
    ['as one too many', NOBODY],
  ])('cannot join it %s, by any way', async (_why, more) => {
    const platform = await talking(more);
    const { emulator, guild } = platform;
    await guild({ owner: 'heron' });
    await guild({ roles: [{ id: '900', permissions: ['MUTE_MEMBERS'] }] });
    if (more === NOBODY) emulator.calls.join(ids.heron, DECK);
    for (const name of ['the operation', 'the logged-in user', 'a bot at the gateway']) {
      const who = { 'the operation': ids.otter, 'the logged-in user': ids.river }[name] ?? APP;
      await JOINING[name]?.(platform, DECK).catch(() => {});
      expect([name, stateOf(platform, who)]).toEqual([name, undefined]);
    }
    expect(emulator.calls.in(DECK)).toHaveLength(more === NOBODY ? 1 : 0);
  });
});

describe('a user who joins the call of a lobby', () => {
  const SCOPES = ['identify', 'gateway.connect', 'sdk.social_layer'];

  async function lobby() {
    const platform = await lobbyPlatform();
    const { emulator, url } = platform;
    const joins = async (user: string, lobbyId: string) => {
      await emulator.apply({ me: user });
      const client = new GatewayClient(url);
      await client.identify((await platform.bearer(SCOPES)).authorization);
      await client.rest();
      client.send({
        op: 4,
        d: { guild_id: null, channel_id: lobbyId, self_mute: true, self_deaf: false },
      });
      await client.rest();
    };
    return { emulator, joins };
  }

  it('has the requested voice state, by the gateway and by the operation', async () => {
    const { emulator, joins } = await lobby();
    await joins('heron', LOBBY);
    emulator.lobbies.joinCall(LOBBY, ids.river, { mute: true });
    const [heron, river] = [ids.heron, ids.river].map((user) => {
      const { session: _, ...rest } = emulator.tables.lobby_voice_states.get(LOBBY, user) ?? {};
      return rest;
    });
    expect(heron).toEqual({ lobby: LOBBY, user: ids.heron, self_mute: true, self_deaf: false });
    expect(river).toEqual({ ...heron, user: ids.river });
  });

  it.each(['otter', 'heron'])(
    'must be a member of the lobby, by either way: %s is in another',
    async (name) => {
      const { emulator, joins } = await lobby();
      const user = name === 'otter' ? ids.otter : ids.heron;
      const { id } = emulator.lobbies.join(APP, 'under the pier', ids.river);
      await joins(name, id);
      expect(() => emulator.lobbies.joinCall(id, user)).toThrow(`${name} is not in the lobby`);
      expect(emulator.tables.lobby_voice_states.size).toBe(0);
    },
  );
});

describe('a user who becomes a member of a guild', () => {
  const REQUEST = '93';

  /** Otter is no member, and may be let in by whatever way. */
  async function outside() {
    const platform = await guildPlatform(['CREATE_INSTANT_INVITE', 'KICK_MEMBERS', 'MANAGE_GUILD']);
    const { emulator, guild } = platform;
    await guild({ membership: 'listed', members: [{ user: 'river' }, { user: APP, roles: ['900'] }] });
    await emulator.apply({ me: 'otter' });
    const { authorization } = await platform.bearer(['guilds.join']);
    await guild({
      features: ['MEMBER_VERIFICATION_GATE_ENABLED', 'MEMBER_VERIFICATION_MANUAL_APPROVAL'],
      join_requests: [{ id: REQUEST, user: 'otter', status: 'SUBMITTED', form_responses: [] }],
    });
    await emulator.apply({
      channel_invites: [
        {
          code: 'tide',
          channel: ids.general,
          inviter: 'river',
          created_at: '2026-01-01T00:00:00Z',
          max_age: 0,
        },
      ],
    });
    return { ...platform, authorization };
  }

  type Outside = Awaited<ReturnType<typeof outside>>;
  const COMING: Readonly<Record<string, (platform: Outside) => Promise<number>>> = {
    'a token with guilds.join': async ({ ask, authorization }) => {
      const access_token = authorization.replace('Bearer ', '');
      return (await ask(`PUT /members/${ids.otter}`, { json: { access_token } })).status;
    },
    'an invite': async ({ call, authorization }) =>
      (await call('POST /invites/tide', { headers: { authorization } })).status,
    'a request that is approved': async ({ ask }) =>
      (await ask(`PATCH /requests/${REQUEST}`, { json: { action: 'APPROVED' } })).status,
  };

  it.each(Object.entries(COMING))(
    'has a join time, and defaults for all other fields: by %s',
    async (_, comes) => {
      const platform = await outside();
      const { emulator } = platform;
      expect(await comes(platform)).toBeLessThan(300);
      expect(emulator.tables.members.get(ids.riverBank, ids.otter)).toEqual({
        guild: ids.riverBank,
        user: ids.otter,
        nick: null,
        roles: [],
        joined_at: expect.any(String),
        premium_since: null,
        communication_disabled_until: null,
        avatar: null,
        banner: null,
        bio: null,
        flags: 0,
        mute: false,
        deaf: false,
        temporary: false,
        pending: false,
      });
    },
  );

  it.each(Object.entries(COMING))('cannot be a banned user: by %s', async (_, comes) => {
    const platform = await outside();
    const { emulator, guild } = platform;
    await guild({ bans: [{ user: 'otter' }] });
    const before = emulator.exportState();
    expect(await comes(platform)).toBe(403);
    expect(emulator.exportState()).toBe(before);
  });

  it('cannot be a banned bot', async () => {
    const platform = await outside();
    const { emulator, guild } = platform;
    const { lighthouse } = ids;
    await emulator.apply({
      users: [{ id: lighthouse, username: 'lamp', bot: true }],
      applications: [{ id: lighthouse, bot_user: lighthouse }],
    });
    await guild({ owner: 'otter', members: [{ user: 'otter' }], bans: [{ user: lighthouse }] });
    const asked = emulator.oauth2.authorize({
      clientId: lighthouse,
      scopes: ['bot'],
      guildId: ids.riverBank,
      permissions: 0n,
      peer: { transport: 'ipc' },
      signal: new AbortController().signal,
    } as never);
    await expect(asked).rejects.toMatchObject({ error: 'access_denied' });
    expect(emulator.tables.members.has(ids.riverBank, lighthouse)).toBe(false);
  });
});
