import { describe, expect, it } from 'vitest';
import { ids } from '../../../helpers/emulator-world.ts';
import { GatewayClient } from '../../../helpers/gateway-client.ts';
import { told } from '../../../helpers/gateway-told.ts';
import { LOBBY, lobbyPlatform } from '../../../helpers/lobby-platform.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';
import { APP } from '../../../helpers/platform.ts';

const ALL = ['identify', 'gateway.connect', 'sdk.social_layer'];
/** A session whose connection is gone is over after so long (ms). */
const RESUME_MS = 5 * 60_000;

/** River and Heron in a lobby, each with a session of the game. */
async function meeting() {
  const clock = new ManualClock();
  const platform = await lobbyPlatform({ clock });
  const { emulator, bearer, url } = platform;
  const joins = async (user: string, scopes: readonly string[] = ALL, clientId = APP) => {
    await emulator.apply({ me: user });
    const { authorization } = await bearer(scopes, clientId);
    const client = new GatewayClient(url);
    const { d } = await client.identify(authorization);
    await client.rest();
    return {
      client,
      authorization,
      session: d.session_id as string,
      asks: (channel_id: unknown, more: object = {}) =>
        client.send({
          op: 4,
          d: { guild_id: null, channel_id, self_mute: false, self_deaf: false, ...more },
        }),
    };
  };
  const inCall = () =>
    [...emulator.tables.lobby_voice_states].map(({ lobby, user, self_mute, self_deaf }) => [
      lobby,
      user,
      self_mute,
      self_deaf,
    ]);
  return { ...platform, clock, joins, inCall };
}

type Meeting = Awaited<ReturnType<typeof meeting>>;

/** What of its calls a session was told: event, whose, where. */
async function heard(client: GatewayClient) {
  return (await told(client))
    .filter(({ t }) => t?.startsWith('LOBBY_'))
    .map(({ t, d }) => [t, d.user_id ?? d.member?.id, d.channel_id, d.self_mute]);
}

/** Another lobby of the game that River is in. */
async function another({ emulator }: Meeting): Promise<string> {
  return emulator.lobbies.join(APP, 'under the pier', ids.river).id;
}

describe('a session of a user with lobbies.write', () => {
  it('leaves its call when an operation moves the user into another lobby of the game', async () => {
    const platform = await meeting();
    const river = await platform.joins('river');
    const other = await another(platform);
    river.asks(LOBBY);
    await river.client.rest();
    platform.emulator.lobbies.joinCall(other, ids.river);
    expect(platform.inCall()).toEqual([[other, ids.river, false, false]]);
  });

  it('joins a lobby call, mutes itself and leaves, and the members receive each change', async () => {
    const platform = await meeting();
    const heron = await platform.joins('heron');
    const river = await platform.joins('river');
    river.asks(LOBBY);
    expect(await heard(river.client)).toEqual([
      ['LOBBY_MEMBER_CONNECT', ids.river, undefined, undefined],
      ['LOBBY_VOICE_STATE_UPDATE', ids.river, LOBBY, false],
      ['LOBBY_VOICE_SERVER_UPDATE', undefined, undefined, undefined],
    ]);
    expect(await heard(heron.client)).toEqual([
      ['LOBBY_MEMBER_CONNECT', ids.river, undefined, undefined],
      ['LOBBY_VOICE_STATE_UPDATE', ids.river, LOBBY, false],
    ]);
    river.asks(LOBBY, { self_mute: true, self_deaf: true, guild_id: undefined });
    expect(await heard(river.client)).toEqual([['LOBBY_VOICE_STATE_UPDATE', ids.river, LOBBY, true]]);
    expect(platform.inCall()).toEqual([[LOBBY, ids.river, true, true]]);
    river.asks(null);
    expect(await heard(river.client)).toEqual([
      ['LOBBY_MEMBER_DISCONNECT', ids.river, undefined, undefined],
      ['LOBBY_VOICE_STATE_UPDATE', ids.river, null, true],
    ]);
    expect(platform.inCall()).toEqual([]);
    // Who is in none leaves none.
    river.asks(null);
    expect(await heard(river.client)).toEqual([]);
    expect(JSON.stringify(river.client.received.slice(2))).not.toContain(river.session);
  });

  it('is in one call at a time', async () => {
    const platform = await meeting();
    const other = await another(platform);
    const river = await platform.joins('river');
    river.asks(LOBBY);
    river.asks(other, { self_deaf: true });
    await river.client.rest();
    expect(platform.inCall()).toEqual([[other, ids.river, false, true]]);
  });

  it('leaves the call once it has expired, and not before', async () => {
    const platform = await meeting();
    const river = await platform.joins('river');
    river.asks(LOBBY);
    await river.client.rest();
    await river.client.cut();
    await platform.call('GET /gateway');
    platform.clock.advance(RESUME_MS - 10_000);
    expect(platform.inCall()).toHaveLength(1);
    const resumed = new GatewayClient(platform.url);
    await resumed.op(10);
    const { authorization: token, session } = river;
    resumed.send({ op: 6, d: { token, session_id: session, seq: 1 } });
    await resumed.event('RESUMED');
    platform.clock.advance(20_000);
    expect(platform.inCall()).toHaveLength(1);
    await resumed.cut();
    for (let count = 0; count < 3; count += 1) await platform.call('GET /gateway');
    platform.clock.advance(RESUME_MS + 1000);
    expect(platform.inCall()).toEqual([]);
  });

  it.each<[string, (platform: Meeting, river: Awaited<ReturnType<Meeting['joins']>>) => Promise<unknown>]>([
    [
      'it says that it does not come back',
      async (_, { client }) => {
        client.socket.close(1000);
        await client.closed;
      },
    ],
    [
      'its token is taken back',
      async ({ call }, { client, authorization }) => {
        const token = authorization.slice('Bearer '.length);
        await call('POST /oauth2/token/revoke', { form: { client_id: APP, token } });
        expect((await client.closed).code).toBe(4004);
      },
    ],
    ['its user leaves the lobby', async ({ emulator }) => emulator.lobbies.leave(LOBBY, ids.river)],
    ['the lobby is deleted', ({ ask }) => ask('DELETE ')],
    ['an operation takes its user out', async ({ emulator }) => emulator.lobbies.leaveCall(LOBBY, ids.river)],
  ])('is in no call once %s', async (_what, end) => {
    const platform = await meeting();
    const river = await platform.joins('river');
    river.asks(LOBBY);
    await river.client.rest();
    expect(platform.inCall()).toHaveLength(1);
    await end(platform, river);
    await expect.poll(platform.inCall).toEqual([]);
  });

  it('is replaced in the call by another session of its user, and the call outlasts the first session', async () => {
    const platform = await meeting();
    const [first, second] = [await platform.joins('river'), await platform.joins('river')];
    first.asks(LOBBY);
    await first.client.rest();
    await second.client.rest();
    second.asks(LOBBY);
    expect(await heard(second.client)).toEqual([
      ['LOBBY_VOICE_STATE_UPDATE', ids.river, LOBBY, false],
      ['LOBBY_VOICE_SERVER_UPDATE', undefined, undefined, undefined],
    ]);
    first.client.socket.close(1000);
    await first.client.closed;
    await platform.call('GET /gateway');
    expect(platform.inCall()).toHaveLength(1);
    second.client.socket.close(1000);
    await expect.poll(platform.inCall).toEqual([]);
  });
});

describe('the call of a user with two sessions', () => {
  it('is the only one, and ends when either session joins another', async () => {
    const platform = await meeting();
    const other = await another(platform);
    const [first, second] = [await platform.joins('river'), await platform.joins('river')];
    first.asks(LOBBY);
    await first.client.rest();
    second.asks(other);
    await second.client.rest();
    expect(platform.inCall()).toEqual([[other, ids.river, false, false]]);
  });

  it('can be left by either session, also after the session that started the call is cut', async () => {
    const platform = await meeting();
    const [first, second] = [await platform.joins('river'), await platform.joins('river')];
    first.asks(LOBBY);
    await first.client.rest();
    await first.client.cut();
    second.asks(null);
    await second.client.rest();
    expect(platform.inCall()).toEqual([]);
  });
});

describe('a call that an operation started', () => {
  it('can be changed and left by a session, and does not end with a session', async () => {
    const platform = await meeting();
    const river = await platform.joins('river');
    expect(platform.emulator.lobbies.joinCall(LOBBY, ids.river)).toEqual({
      lobby: LOBBY,
      user: ids.river,
      self_mute: false,
      self_deaf: false,
    });
    river.asks(LOBBY, { self_mute: true });
    await river.client.rest();
    expect(platform.inCall()).toEqual([[LOBBY, ids.river, true, false]]);
    river.client.socket.close(1000);
    await river.client.closed;
    await platform.call('GET /gateway');
    expect(platform.inCall()).toHaveLength(1);
    const later = await platform.joins('river');
    const elsewhere = await platform.joins('river', ALL, ids.lighthouse);
    elsewhere.asks(null);
    await elsewhere.client.rest();
    expect(platform.inCall()).toHaveLength(1);
    later.asks(null);
    await later.client.rest();
    expect(platform.inCall()).toEqual([]);
  });

  it('ends with the session that joined it, when the operation only changed the call', async () => {
    const platform = await meeting();
    const river = await platform.joins('river');
    river.asks(LOBBY);
    await river.client.rest();
    platform.emulator.lobbies.joinCall(LOBBY, ids.river, { deaf: true });
    expect(platform.inCall()).toEqual([[LOBBY, ids.river, false, true]]);
    river.client.socket.close(1000);
    await expect.poll(platform.inCall).toEqual([]);
  });
});

describe('an invalid request for a lobby call', () => {
  type Asks = [
    who: string,
    channel: string,
    why: RegExp,
    more?: { readonly scopes?: readonly string[]; readonly clientId?: string; readonly guild_id?: string },
  ];
  it.each<Asks>([
    ['otter', LOBBY, /no lobby of the game that its user is in/],
    ['river', '5', /no lobby of the game that its user is in/],
    ['river', ids.general, /no lobby of the game that its user is in/],
    ['river', LOBBY, /no lobby of the game/, { clientId: ids.lighthouse }],
    ['river', LOBBY, /lacks lobbies\.write/, { scopes: ['identify', 'gateway.connect'] }],
    ['river', ids.general, /in no guild/, { guild_id: ids.riverBank }],
    ['river', LOBBY, /in no guild/, { guild_id: LOBBY }],
  ])('is not answered: %s, %s, %s', async (who, channel, why, { scopes, clientId, ...more } = {}) => {
    const platform = await meeting();
    const session = await platform.joins(who, scopes, clientId);
    session.asks(channel, more);
    expect(await heard(session.client)).toEqual([]);
    expect(platform.inCall()).toEqual([]);
    expect(platform.lines).toContainEqual(expect.stringMatching(why));
    expect(platform.lines.join('\n')).not.toContain(session.authorization.slice('Bearer '.length));
  });

  it.each<[string, object]>([
    ['no channel', { channel_id: undefined }],
    ['a channel that is half a number', { channel_id: 5.5 }],
    ['a channel that is none', { channel_id: 'LOBBY 1' }],
    ['a channel of a thousand digits', { channel_id: '1'.repeat(1000) }],
    ['a list of channels', { channel_id: [LOBBY] }],
    ['a guild that is none', { guild_id: 'x' }],
    ['a guild that is a list', { guild_id: [] }],
    ['a microphone that is a text', { self_mute: 'true' }],
    ['ears that are a number', { self_deaf: 1 }],
  ])('closes the connection for %s, and the call stays for a resumed session', async (_what, wrong) => {
    const platform = await meeting();
    const { client, asks } = await platform.joins('river');
    asks(LOBBY);
    await client.rest();
    asks(LOBBY, wrong);
    expect(await client.closed).toMatchObject({ code: 4002, reason: expect.stringContaining('d.') });
    expect(platform.inCall()).toHaveLength(1);
  });

  it('of a bot is refused without a guild', async () => {
    const platform = await meeting();
    const bot = new GatewayClient(platform.url);
    await bot.identify(platform.bot().authorization);
    bot.send({ op: 4, d: { guild_id: null, channel_id: LOBBY, self_mute: false, self_deaf: false } });
    expect(await bot.closed).toMatchObject({ code: 4002, reason: expect.stringContaining('d.guild_id') });
    expect(platform.inCall()).toEqual([]);
  });
});
