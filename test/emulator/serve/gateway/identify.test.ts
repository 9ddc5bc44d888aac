import { describe, expect, it } from 'vitest';
import { INTENTS } from '../../../../src/emulator/api/dispatch.ts';
import { botPlatform } from '../../../helpers/bot-member.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { GatewayClient, tokenOf } from '../../../helpers/gateway-client.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';
import { APP } from '../../../helpers/platform.ts';

const OTHER = ids.lighthouse;
const joined_at = '2026-01-01T00:00:00Z';
const ALL = Object.values(INTENTS).reduce((bits, bit) => bits | bit, 0);
const { GUILDS, GUILD_MEMBERS, GUILD_PRESENCES, MESSAGE_CONTENT } = INTENTS;

/** Two applications with bots; the one that is asked for is the second. */
async function identifying(intents: readonly string[] = [], change: object = {}) {
  const platform = await botPlatform(
    {
      users: [{ id: OTHER, username: 'lamp', bot: true }],
      applications: [{ id: OTHER, bot_user: OTHER, intents }],
      guilds: [
        { id: ids.harbour, membership: 'everybody', members: [{ user: OTHER, joined_at }] },
        { id: ids.riverBank, members: [{ user: OTHER, joined_at }] },
      ],
      ...change,
    },
    ['guild_members', 'guild_presences', 'message_content'],
  );
  const token = platform.bot(OTHER).authorization.slice('Bot '.length);
  const identify = async (d: object, query?: string) => {
    const client = new GatewayClient(platform.url, query);
    await client.op(10);
    client.send({ op: 2, d: { token, intents: 0, properties: {}, ...d } });
    return client;
  };
  return { ...platform, token, identify };
}

describe('Identify', () => {
  const DISALLOWED = (names: string, settings: string) =>
    [4014, `Disallowed intent(s): ${names}. Lacking in "intents" of the application: ${settings}`] as const;
  const INVALID = [4013, 'Invalid intent(s): a set of the documented bits is needed'] as const;
  const SHARD = [4010, 'Invalid shard: [id, count] with 0 <= id < count'] as const;
  const TOKEN = [4004, 'Authentication failed: the token is unknown'] as const;

  it.each<[allowed: readonly string[], d: object, closed: readonly [number, string] | undefined]>([
    [[], { intents: 0 }, undefined],
    [[], { intents: ALL & ~(GUILD_MEMBERS | GUILD_PRESENCES | MESSAGE_CONTENT) }, undefined],
    [['guild_members', 'guild_presences', 'message_content'], { intents: ALL }, undefined],
    [['guild_members'], { intents: GUILD_MEMBERS }, undefined],
    [[], { intents: GUILD_MEMBERS }, DISALLOWED('GUILD_MEMBERS', 'guild_members')],
    [['guild_members'], { intents: GUILD_PRESENCES }, DISALLOWED('GUILD_PRESENCES', 'guild_presences')],
    [['guild_presences'], { intents: MESSAGE_CONTENT }, DISALLOWED('MESSAGE_CONTENT', 'message_content')],
    [
      ['guild_members'],
      { intents: ALL },
      DISALLOWED('GUILD_PRESENCES, MESSAGE_CONTENT', 'guild_presences, message_content'),
    ],
    [[], { intents: null }, INVALID],
    [[], { intents: -1 }, INVALID],
    [[], { intents: ALL + 1 }, INVALID],
    [[], { intents: 1 << 17 }, INVALID],
    [[], { shard: [0, 1] }, undefined],
    [[], { shard: [3, 4] }, undefined],
    [[], { shard: null }, undefined],
    [[], { shard: [4, 4] }, SHARD],
    [[], { shard: [-1, 4] }, SHARD],
    [[], { shard: [0] }, SHARD],
    [[], { shard: [] }, SHARD],
    [[], { shard: [0, 1, 2] }, SHARD],
    [[], { token: 'x' }, TOKEN],
    [[], { token: '' }, TOKEN],
    [[], { token: 'Bearer x' }, TOKEN],
  ])('with the intents %j allowed and %j', async (allowed, d, closed) => {
    const { identify, lines } = await identifying(allowed);
    const client = await identify(d);
    if (closed === undefined) return expect((await client.event('READY')).d.user.id).toBe(OTHER);
    const [code, reason] = closed;
    // A frame has room for 123 bytes of a reason.
    expect(await client.closed).toEqual({ code, reason: reason.slice(0, 123) });
    expect(lines).toContain(`the gateway refused a session: ${code} ${reason}`);
  });

  it('takes the token of a bot with and without its kind, and that of a user with its scopes', async () => {
    const { identify, token, bearer, bot } = await identifying();
    for (const form of [token, `Bot ${token}`, `bot ${token}`]) {
      expect((await (await identify({ token: form })).event('READY')).d.user.id).toBe(OTHER);
    }
    const lacks = async (...scopes: string[]) =>
      (await (await identify({ token: (await bearer(scopes)).authorization })).closed).reason;
    expect(await lacks('identify')).toBe('Authentication failed: the token lacks gateway.connect');
    expect(await lacks('gateway.connect')).toBe('Authentication failed: the token lacks identify');
    expect(await lacks('rpc')).toBe('Authentication failed: the token lacks identify and gateway.connect');
    const whole = (await bearer(['identify', 'gateway.connect'])).authorization;
    expect((await (await identify({ token: whole, intents: null })).event('READY')).d.user.id).toBe(
      ids.river,
    );
    expect(bot(OTHER).authorization).toBe(`Bot ${token}`);
  });

  it('of a large bot has a multiple of its concurrency as the number of shards', async () => {
    const { identify, call, bot } = await identifying([], {
      applications: [{ id: OTHER, bot_user: OTHER, max_concurrency: 4 }],
    });
    expect(await (await identify({ shard: [0, 6] })).closed).toEqual({
      code: 4010,
      reason: 'Invalid shard: the count must be a multiple of 4',
    });
    expect((await (await identify({ shard: [7, 8] })).event('READY')).d.shard).toEqual([7, 8]);
    expect((await (await identify({})).event('READY')).d).not.toHaveProperty('shard');
    expect((await call('GET /gateway/bot', { headers: bot(OTHER) })).body).toMatchObject({
      shards: 4,
      session_start_limit: { total: 1000, remaining: 998, max_concurrency: 4 },
    });
  });
});

describe('READY', () => {
  it('of a bot has its account, its guilds and its application, and each guild follows', async () => {
    const { identify, url } = await identifying([], {});
    const address = `${url.replace('http', 'ws').replace('/api', '')}/gateway`;
    const client = await identify({ intents: GUILDS }, '?v=9&encoding=json');
    const { d } = await client.event('READY');
    const { user, session_id, application, ...rest } = d;
    expect(user).toMatchObject({ id: OTHER, username: 'lamp', bot: true, verified: true, email: null });
    expect(session_id).toMatch(/^[0-9a-f]{32}$/);
    expect(application).toEqual({ id: OTHER, flags: expect.any(Number) });
    expect(rest).toEqual({
      v: 9,
      guilds: [
        { id: ids.riverBank, unavailable: true },
        { id: ids.harbour, unavailable: true },
      ],
      resume_gateway_url: address,
      private_channels: [],
      relationships: [],
      presences: [],
      user_settings: {},
    });
    expect((await client.rest()).map(({ t, d: { id } }) => [t, id])).toEqual([
      ['GUILD_CREATE', ids.riverBank],
      ['GUILD_CREATE', ids.harbour],
    ]);
    // Without the intent there is no guild.
    const blind = await identify({ intents: INTENTS.GUILD_MESSAGES });
    expect((await blind.event('READY')).d.guilds).toHaveLength(2);
    expect(await blind.rest()).toEqual([]);
  });

  it('of a shard has the guilds of this shard', async () => {
    const { identify } = await identifying();
    const shardOf = (id: string) => Number((BigInt(id) >> 22n) % 2n);
    for (const shard of [0, 1]) {
      const client = await identify({ intents: GUILDS, shard: [shard, 2] });
      const { d } = await client.event('READY');
      const own = [ids.riverBank, ids.harbour].filter((id) => shardOf(id) === shard);
      expect([d.shard, d.guilds.map(({ id }: { id: string }) => id)]).toEqual([[shard, 2], own]);
      expect((await client.rest()).map(({ d: { id } }) => id)).toEqual(own);
    }
  });

  it('of a user has the user, no guild and no empty lists', async () => {
    const { identify, bearer, emulator } = await identifying();
    const { authorization } = await bearer(['identify', 'gateway.connect']);
    const client = await identify({ token: authorization, intents: GUILDS });
    const { d } = await client.event('READY');
    const { user, session_id, resume_gateway_url, ...rest } = d;
    expect(user).toMatchObject({ id: ids.river, username: 'river' });
    expect([session_id, resume_gateway_url]).toEqual([expect.any(String), expect.any(String)]);
    expect(rest).toEqual({ v: 10, guilds: [], application: { id: APP, flags: expect.any(Number) } });
    // Its status is that of the account, and not one of the session.
    expect(await client.rest()).toEqual([]);
    expect([...emulator.tables.session_presences].filter((one) => one.user === ids.river)).toEqual([]);
  });
});

describe('the view of the sessions', () => {
  it('has each with its state, oldest first, and can be disturbed by application', async () => {
    const clock = new ManualClock();
    const platform = await botPlatform({ users: [{ id: OTHER, username: 'lamp', bot: true }] }, [], {
      clock,
    });
    const { emulator, url, bot } = platform;
    const session = async (token: string, shard: readonly number[]) => {
      const client = new GatewayClient(url);
      await client.identify(token, { intents: GUILDS, shard });
      await client.rest();
      return client;
    };
    const own = tokenOf(platform);
    const foreign = await session(bot(OTHER).authorization.slice(4), [0, 1]);
    const [one, other] = [await session(own, [0, 2]), await session(own, [1, 2])];
    const view = async () =>
      (await emulator.gateway.sessions()).map((each) => [
        each.application,
        each.user,
        each.shard,
        each.state,
      ]);
    expect(await view()).toEqual([
      [OTHER, OTHER, [0, 1], 'connected'],
      [APP, APP, [0, 2], 'connected'],
      [APP, APP, [1, 2], 'connected'],
    ]);
    const [{ seq, intents } = { seq: 0, intents: 0 }] = await emulator.gateway.sessions();
    expect([seq, intents]).toEqual([1, GUILDS]);
    expect(await emulator.gateway.disturb('1', 'reconnect')).toBe(0);
    expect(await emulator.gateway.disturb(APP, 'reconnect')).toBe(2);
    for (const client of [one, other])
      expect(await client.op(7)).toEqual({ op: 7, t: null, s: null, d: null });
    expect(await foreign.rest()).toEqual([]);
    expect(await emulator.gateway.disturb(APP, 'cut')).toBe(2);
    for (const client of [one, other]) expect((await client.closed).code).toBe(1006);
    await expect
      .poll(async () => (await view()).map(([, , , state]) => state))
      .toEqual(['connected', 'cut', 'cut']);
    expect(await foreign.rest()).toEqual([]);
    clock.advance(5 * 60_000 - 1);
    // It was silent for so long that it is asked to come again.
    expect((await view()).map(([application]) => application)).toContain(APP);
    clock.advance(1);
    expect((await view()).filter(([application]) => application === APP)).toEqual([]);
  });
});
