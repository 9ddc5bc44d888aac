import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/client/index.ts';
import { startEmulator, type TestWorld, type WorldOptions } from '../../src/testing/testing.ts';
import { GatewayClient } from '../helpers/gateway-client.ts';

const APP = '300000000000000001';
const GUILD = '400000000000000001';
const GENERAL = '500000000000000002';

async function bridge() {
  const emulator = await startEmulator();
  onTestFinished(() => emulator.close());
  return emulator;
}

/** A bot of the built-in fixture that is a member of River Bank, and may read and write there. */
const BOT = {
  users: [{ id: APP, username: 'harbour', bot: true }],
  applications: [{ id: APP, bot_user: APP, intents: ['message_content'] }],
  guilds: [{ id: GUILD, members: [{ user: APP }] }],
};

async function twoWorlds(options: WorldOptions = {}) {
  const emulator = await bridge();
  const [harbour, lake] = [
    await emulator.world({ ...options, name: 'harbour' }),
    await emulator.world({ ...options, name: 'lake' }),
  ];
  for (const world of [harbour, lake]) {
    await world.operations.call('emulator.apply', { patch: BOT });
    await world.seed();
  }
  return { emulator, harbour, lake };
}

function tokenIn({ bots }: TestWorld): string {
  return bots.find(({ application }) => application === APP)?.token ?? '';
}

async function asked(
  address: string,
  token: string,
  init: { method?: string; headers?: Record<string, string>; body?: string } = {},
) {
  const response = await fetch(address, {
    ...init,
    headers: { authorization: `Bot ${token}`, ...init.headers },
  });
  return { status: response.status, body: (await response.json()) as { readonly [key: string]: unknown } };
}

const usersOf = async (one: Pick<TestWorld, 'users'>) =>
  (await one.users.list()).map(({ username }) => username);

async function app(endpoint: string) {
  const client = await connect({ clientId: APP, paths: [endpoint], reconnect: false });
  onTestFinished(() => client.close());
  return client;
}

async function botAt(one: Pick<TestWorld, 'api'>, token: string): Promise<GatewayClient> {
  const { body } = await asked(`${one.api}/v10/gateway/bot`, token);
  const client = new GatewayClient(String(body['url']).replace('ws', 'http').replace('/gateway', '/api'));
  await client.identify(token, { intents: 33_281 });
  return client;
}

describe('worlds', () => {
  it('have addresses below that of the bridge, and in everything that they answer', async () => {
    const { emulator, harbour } = await twoWorlds();
    const port = new URL(emulator.api).port;
    expect(harbour.api).toBe(`http://127.0.0.1:${port}/w/harbour/api`);
    const token = tokenIn(harbour);
    expect(token).toBe(`${Buffer.from(APP).toString('base64url')}.harbour.bot`);
    const { body } = await asked(`${harbour.api}/v10/gateway/bot`, token);
    expect(body['url']).toBe(`ws://127.0.0.1:${port}/w/harbour/gateway`);
    const discovery = await fetch(harbour.api.replace(/\/api$/, '/.well-known/openid-configuration'));
    const known = (await discovery.json()) as Record<string, string>;
    expect([known['issuer'], known['token_endpoint']]).toEqual([
      `http://127.0.0.1:${port}/w/harbour`,
      `${harbour.api}/oauth2/token`,
    ]);
    expect(harbour.env).toMatchObject({
      FOOTBRIDGE_API: harbour.api,
      FOOTBRIDGE_ENDPOINT: harbour.endpoint,
      FOOTBRIDGE_WORLD: 'harbour',
      XDG_RUNTIME_DIR: dirname(harbour.endpoint),
    });
  });

  it('see nothing of each other: users, messages, clock, faults, journal', async () => {
    const { emulator, harbour, lake } = await twoWorlds();
    await harbour.users.create({ username: 'pike' });
    expect(await usersOf(harbour)).toContain('pike');
    for (const other of [lake, emulator]) expect(await usersOf(other)).not.toContain('pike');
    await harbour.clock.set(new Date('2031-01-31T12:00:00Z'));
    expect((await harbour.clock.now()).getUTCFullYear()).toBe(2031);
    for (const other of [lake, emulator]) {
      expect((await other.clock.now()).getUTCFullYear()).toBe(new Date().getUTCFullYear());
    }
    await harbour.faults.add('status=503', { route: '*' });
    const [broken, whole] = await Promise.all(
      [harbour, lake].map((one) => asked(`${one.api}/v10/users/@me`, tokenIn(one))),
    );
    expect([broken?.status, whole?.status]).toEqual([503, 200]);
    expect(await emulator.faults.list()).toEqual([]);
    await harbour.expect('GET /users/@me').toHaveFailed(503);
    await lake.expect('GET /users/@me').toHaveSucceeded();
    await emulator.expect('GET /users/@me').not.toHaveBeenCalled();
  });

  it('take requests with their token at the address of the bridge', async () => {
    const { emulator, harbour, lake } = await twoWorlds();
    const said = await asked(`${emulator.api}/v10/channels/${GENERAL}/messages`, tokenIn(lake), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'Ahoy' }),
    });
    expect(said).toMatchObject({ status: 200, body: { content: 'Ahoy' } });
    await lake.expect('POST /channels/{channel_id}/messages').toHaveBeenCalledTimes(1);
    await harbour.expect('POST /channels/{channel_id}/messages').not.toHaveBeenCalled();
    await emulator.expect('POST /channels/{channel_id}/messages').not.toHaveBeenCalled();
    expect(
      await asked(`${emulator.api}/v10/users/@me`, `${Buffer.from(APP).toString('base64url')}.sea.bot`),
    ).toMatchObject({
      status: 401,
    });
  });

  it('name their gateway to their token at the address of the bridge, with and without a version', async () => {
    const { emulator, lake } = await twoWorlds();
    const { host } = new URL(emulator.api);
    for (const path of ['/gateway', '/gateway/bot', '/v10/gateway', '/v9/gateway/bot'])
      expect([path, (await asked(`${emulator.api}${path}`, tokenIn(lake))).body['url']]).toEqual([
        path,
        `ws://${host}/w/lake/gateway`,
      ]);
    const own = await fetch(`${emulator.api}/gateway`);
    expect(await own.json()).toEqual({ url: `ws://${host}/gateway` });
  });

  it('take a token that only their fixture states, too, and one of an authorization', async () => {
    const emulator = await bridge();
    const stated = `${Buffer.from(APP).toString('base64url')}.of.harbour`;
    const fixture = {
      me: '200000000000000001',
      users: [{ id: '200000000000000001', username: 'heron' }],
      applications: [{ id: APP, name: 'Stated', bot_token: stated }],
    };
    const harbour = await emulator.world({ fixture });
    expect(tokenIn(harbour)).toBe(stated);
    expect((await asked(`${emulator.api}/v10/users/@me`, stated)).body).toMatchObject({ username: 'Stated' });
    const client = await app(harbour.endpoint);
    const { code } = await client.request('AUTHORIZE', { client_id: APP, scopes: ['identify'] });
    const exchanged = await fetch(`${harbour.api}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        client_id: APP,
        client_secret: 'any',
      }),
    });
    const { access_token: bearer } = (await exchanged.json()) as { readonly access_token: string };
    const me = await fetch(`${emulator.api}/v10/users/@me`, {
      headers: { authorization: `Bearer ${bearer}` },
    });
    expect(await me.json()).toMatchObject({ username: 'heron' });
  });

  it('serve apps at an endpoint of their own', async () => {
    const { emulator, harbour, lake } = await twoWorlds();
    const client = await app(harbour.endpoint);
    await client.request('SET_ACTIVITY', { pid: process.pid, activity: { details: 'At anchor' } });
    expect(await harbour.presence(APP)).toMatchObject({ details: 'At anchor' });
    expect([await lake.presence(APP), await emulator.presence(APP)]).toEqual([null, null]);
    await harbour.expect('SET_ACTIVITY').toHaveBeenCalledTimes(1);
    await emulator.expect('SET_ACTIVITY').not.toHaveBeenCalled();
  });

  it('tell a bot only what happens in its own', async () => {
    const { harbour, lake } = await twoWorlds();
    const [one, other] = [await botAt(harbour, tokenIn(harbour)), await botAt(lake, tokenIn(lake))];
    await harbour.operations.call('channel.say', { channel: 'general', text: 'here' });
    await lake.operations.call('channel.say', { channel: 'general', text: 'there' });
    const [here, there] = [await one.event('MESSAGE_CREATE'), await other.event('MESSAGE_CREATE')];
    expect([here.d.content, there.d.content]).toEqual(['here', 'there']);
  });
});

describe('the seed of a world', () => {
  it('is what a reset returns to, with addresses, tokens and connections kept and no event', async () => {
    const { harbour, lake } = await twoWorlds();
    await harbour.users.create({ username: 'pike' });
    await harbour.clock.freeze();
    const at = await harbour.clock.now();
    await harbour.seed();
    const bot = await botAt(harbour, tokenIn(harbour));
    await harbour.users.create({ username: 'perch' });
    await lake.users.create({ username: 'roach' });
    await harbour.operations.call('channel.say', { channel: 'general', text: 'gone soon' });
    await bot.event('MESSAGE_CREATE');
    await harbour.clock.advance('2h');
    await harbour.faults.add('drop');
    await harbour.reset();
    const users = await usersOf(harbour);
    expect([users.includes('pike'), users.includes('perch')]).toEqual([true, false]);
    expect(await harbour.clock.now()).toEqual(at);
    expect(await harbour.faults.list()).toEqual([]);
    expect(await usersOf(lake)).toContain('roach');
    expect(harbour.journal({ kinds: ['http'] })).toEqual([]);
    await harbour.expect('GET /gateway/bot').not.toHaveBeenCalled();
    expect((await asked(`${harbour.api}/v10/users/@me`, tokenIn(harbour))).status).toBe(200);
    // The next thing that the bot is told is what comes next, not what the reset took away.
    await harbour.operations.call('channel.say', { channel: 'general', text: 'next' });
    expect((await bot.rest()).map(({ t, d }) => [t, d.content])).toEqual([['MESSAGE_CREATE', 'next']]);
  });

  it('sends an event for each difference when that is asked for', async () => {
    const { harbour } = await twoWorlds();
    const bot = await botAt(harbour, tokenIn(harbour));
    const { id } = await harbour.operations.call('channel.say', { channel: 'general', text: 'gone soon' });
    await bot.event('MESSAGE_CREATE');
    await harbour.reset({ events: true });
    expect((await bot.event('MESSAGE_DELETE')).d.id).toBe(id);
  });

  it('is also that of the bridge, whose worlds stay as they are', async () => {
    const { emulator, harbour } = await twoWorlds();
    await emulator.users.create({ username: 'pike' });
    await emulator.seed();
    await emulator.users.create({ username: 'perch' });
    await harbour.users.create({ username: 'roach' });
    await emulator.reset();
    const users = await usersOf(emulator);
    expect([users.includes('pike'), users.includes('perch')]).toEqual([true, false]);
    expect(await usersOf(harbour)).toContain('roach');
  });
});

describe('a reset in strict mode', () => {
  it('forgets violations, and what was allowed since the seed, in a world and in the bridge', async () => {
    const emulator = await startEmulator({ strict: true });
    onTestFinished(() => emulator.close());
    const rules = async (one: Pick<TestWorld, 'violations'>) =>
      (await one.violations()).map(({ rule, where }) => `${rule} ${where.split(' ', 2).join(' ')}`);
    const other = { authorization: `Bot ${Buffer.from(APP).toString('base64url')}.emulator.bot` };
    const world = await emulator.world({ strict: true });
    for (const [one, headers] of [
      [emulator, other],
      [world, { authorization: `Bot ${tokenIn(world)}` }],
    ] as const) {
      const missed = async (path: string) => (await fetch(`${one.api}/v10${path}`, { headers })).status;
      await one.operations.call('emulator.allow', { rule: 'unknown-route', where: 'GET /before' });
      await one.seed();
      await one.operations.call('emulator.allow', { rule: 'unknown-route', where: 'GET /after' });
      expect(await Promise.all(['/before', '/after', '/never'].map(missed))).toEqual([404, 404, 404]);
      expect(await rules(one)).toEqual(['unknown-route GET /never']);
      await one.reset();
      expect(await rules(one)).toEqual([]);
      await Promise.all(['/before', '/after'].map(missed));
      expect(await rules(one)).toEqual(['unknown-route GET /after']);
    }
    await emulator.restart();
    expect(await rules(emulator)).toEqual(['unknown-route GET /after']);
    await emulator.reset();
    expect(await rules(emulator)).toEqual([]);
  });
});

describe('the end of a world', () => {
  it('comes before the next one of its name, which has the addresses', async () => {
    const emulator = await bridge();
    const first = await emulator.world({ name: 'harbour' });
    await Promise.all(Array.from({ length: 30 }, () => app(first.endpoint)));
    const ended: string[] = [];
    const removed = first.close().then(() => ended.push('removed'));
    const second = await emulator.world({ name: 'harbour' });
    ended.push('made');
    await removed;
    expect(ended).toEqual(['removed', 'made']);
    expect((await asked(`${second.api}/v10/users/@me`, tokenIn(second))).status).toBe(200);
    expect(existsSync(second.endpoint)).toBe(true);
  });

  it('tells its bot, its app and whoever asks it, and no other world', async () => {
    const { emulator, harbour, lake } = await twoWorlds();
    const [bot, other] = [await botAt(harbour, tokenIn(harbour)), await botAt(lake, tokenIn(lake))];
    const client = await app(harbour.endpoint);
    const left = new Promise<unknown>((resolve) => client.on('disconnected', resolve));
    await harbour.close();
    await harbour.close();
    expect(await bot.closed).toEqual({ code: 4004, reason: 'the world harbour was removed' });
    expect(await left).toMatchObject({
      message: expect.stringContaining('the world harbour was removed') as string,
    });
    expect(await asked(`${harbour.api}/v10/users/@me`, tokenIn(harbour))).toEqual({
      status: 404,
      body: { message: 'There is no world "harbour". Worlds: lake', code: 0 },
    });
    await expect(harbour.users.list()).rejects.toMatchObject({
      code: 'FOOTBRIDGE_UNKNOWN_WORLD',
      message: 'There is no world "harbour". Worlds: lake.',
    });
    expect(existsSync(dirname(harbour.endpoint))).toBe(false);
    await lake.operations.call('channel.say', { channel: 'general', text: 'still here' });
    expect((await other.event('MESSAGE_CREATE')).d.content).toBe('still here');
    await emulator.close();
    await harbour.close();
  });
});

describe('a world that cannot be', () => {
  it.each<[string, WorldOptions, string, RegExp]>([
    [
      'a name in use',
      { name: 'harbour' },
      'FOOTBRIDGE_WORLD',
      /^There is a world "harbour" already\. Remove it first/,
    ],
    [
      'a capital letter',
      { name: 'Harbour' },
      'FOOTBRIDGE_WORLD',
      /^"Harbour" is no name of a world: 1 to 32 small/,
    ],
    ['a slash', { name: 'a/b' }, 'FOOTBRIDGE_WORLD', /^"a\/b" is no name/],
    ['an empty name', { name: '' }, 'FOOTBRIDGE_WORLD', /^"" is no name/],
    ['33 characters', { name: 'a'.repeat(33) }, 'FOOTBRIDGE_WORLD', /is no name/],
    ['the word of other tokens', { name: 'emulator' }, 'FOOTBRIDGE_WORLD', /and not "emulator"/],
    [
      'an unknown option',
      { nmae: 'x' } as WorldOptions,
      'FOOTBRIDGE_OPTIONS',
      /^world: there is no option "nmae"\. Did you mean "name"\?/,
    ],
    [
      'a number',
      { name: 7 } as unknown as WorldOptions,
      'FOOTBRIDGE_OPTIONS',
      /^world: name: must be a text, not 7\./,
    ],
    [
      'a fixture with a slip',
      { fixture: { me: '1', users: [{ id: '1', username: 'a', colour: 1 }] } },
      'FOOTBRIDGE_FIXTURE',
      /users\[0\]\.colour/,
    ],
    [
      'a state of another version',
      { fixture: new URL('worlds/version-99.jsonl', import.meta.url).pathname },
      'FOOTBRIDGE_FIXTURE',
      /version-99\.jsonl: line 1/,
    ],
  ])('is refused for %s, and harms nothing', async (_what, options, code, message) => {
    const { emulator } = await twoWorlds();
    await expect(emulator.world(options)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
    });
    expect((await emulator.operations.call('world.list')).map(({ name }) => name)).toEqual([
      'harbour',
      'lake',
    ]);
  });

  it('is each one after the 200th of 1,000', async () => {
    const emulator = await bridge();
    const made = await Promise.allSettled(
      Array.from({ length: 1000 }, () => emulator.operations.call('world.add')),
    );
    const refused = made.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Error).message] : []));
    expect(refused.length).toBe(800);
    expect([...new Set(refused)]).toEqual(['There are 200 worlds, which is the limit. Remove one first.']);
    const worlds = await emulator.operations.call('world.list');
    expect(worlds.length).toBe(200);
    expect(worlds.at(-1)).toMatchObject({
      name: 'world-200',
      endpoint: null,
      connected: { apps: 0, bots: 0 },
    });
    await emulator.operations.call('world.remove', { name: 'world-7' });
    expect((await emulator.operations.call('world.add', { name: 'again' })).name).toBe('again');
    expect((await asked(`${worlds[0]?.api}/v10/users/@me`, worlds[0]?.bots[0]?.token ?? '')).status).toBe(
      200,
    );
  });
});
