import { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { startEmulator, type TestEmulator } from '../../src/testing/testing.ts';
import { addBot, gatewayBot as helpedBot } from '../helpers/gateway-bot.ts';
import { GatewayConnection } from '../helpers/gateway-connection.ts';
import { application, verifyKeyOf } from '../stories/webhook-app.ts';

const APP = '300000000000000001';
const GUILD = '400000000000000001';
const BOT = { authorization: `Bot ${Buffer.from(APP).toString('base64url')}.emulator.bot` };

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function bridge(): Promise<TestEmulator> {
  const emulator = await startEmulator();
  open.push(() => emulator.close());
  await emulator.operations.call('emulator.apply', {
    patch: {
      applications: [{ id: APP, bot_user: APP }],
      users: [{ id: APP, username: 'harbour', bot: true }],
      guilds: [{ id: GUILD, owner: APP, members: [{ user: APP }] }],
    },
  });
  return emulator;
}

async function entries<K extends JournalEntry['kind']>(
  emulator: TestEmulator,
  kind: K,
): Promise<readonly Extract<JournalEntry, { kind: K }>[]> {
  const page = await emulator.operations.call('journal.read', { kinds: [kind] });
  return page.entries as readonly JournalEntry[] as readonly Extract<JournalEntry, { kind: K }>[];
}

async function whole(emulator: TestEmulator): Promise<string> {
  return JSON.stringify(await emulator.operations.call('journal.read', {}));
}

async function gatewayBot(emulator: TestEmulator): Promise<GatewayConnection> {
  const bot = new GatewayConnection(emulator.api);
  open.push(() => bot.socket.terminate());
  await bot.identify(BOT.authorization.slice(4), { intents: 1 });
  await bot.event('GUILD_CREATE');
  return bot;
}

describe('the journal of the platform', () => {
  it('has a request over HTTP with its answer', async () => {
    const emulator = await bridge();
    await fetch(`${emulator.api}/v10/users/@me/guilds?limit=20`, { headers: BOT });
    const [entry] = await entries(emulator, 'http');
    expect(entry).toMatchObject({ method: 'GET', path: '/api/v10/users/@me/guilds?limit=20', status: 200 });
    expect(entry?.request.headers['authorization']).toBe('Bot [hidden]');
    expect(JSON.parse(entry?.response.body ?? '')).toMatchObject([{ id: GUILD, owner: true }]);
    expect(entry?.response.headers).toMatchObject({ 'content-type': 'application/json' });
    expect(entry?.ms).toBeGreaterThan(0);
  });
  it('has a refused request', async () => {
    const emulator = await bridge();
    await fetch(`${emulator.api}/v10/nothing`);
    await fetch(`${emulator.api}/v10/users/@me`);
    expect((await entries(emulator, 'http')).map(({ status }) => status)).toEqual([404, 401]);
  });
  it('has the body of a request with its parsed fields, and only the names and sizes of files', async () => {
    const emulator = await bridge();
    const channel = '500000000000000002';
    const form = new FormData();
    form.append('payload_json', JSON.stringify({ content: 'look' }));
    form.append('files[0]', new Blob(['all the bytes']), 'picture.txt');
    await fetch(`${emulator.api}/v10/channels/${channel}/messages`, {
      method: 'POST',
      headers: BOT,
      body: form,
    });
    const [entry] = await entries(emulator, 'http');
    expect(entry?.request.body).toBe('{"content":"look"}\n(file picture.txt, 13 bytes)');
    expect(await whole(emulator)).not.toContain('all the bytes');
  });
  it('has the payloads from and to a client of the gateway', async () => {
    const emulator = await bridge();
    const bot = await gatewayBot(emulator);
    bot.socket.close();
    await bot.closed;
    const passed = await entries(emulator, 'gateway');
    expect(passed.map(({ session, direction }) => `${session} ${direction}`).slice(0, 3)).toEqual([
      'g1 out',
      'g1 in',
      'g1 out',
    ]);
    expect(
      passed
        .map(({ text }) => JSON.parse(text) as { op: number })
        .map(({ op }) => op)
        .slice(0, 3),
    ).toEqual([10, 2, 0]);
    expect(await entries(emulator, 'connect')).toMatchObject([{ session: 'g1', over: 'gateway' }]);
    await expect.poll(async () => (await entries(emulator, 'end')).length).toBe(1);
  });
  it('has a delivery to an application and its outcome', async () => {
    const emulator = await bridge();
    const app = await application(await verifyKeyOf(emulator));
    await emulator.operations.call('webhook.set', { app: APP, url: `${app.url}/events` });
    expect(await entries(emulator, 'webhook')).toMatchObject([
      {
        application: APP,
        type: 'PING',
        url: `${app.url}/events`,
        outcome: { kind: 'answered', status: 204 },
      },
      { type: 'PING_WITH_WRONG_SIGNATURE', outcome: { kind: 'answered', status: 401 } },
    ]);
  });
  it('shows all that the platform says of messages and interactions, but no token', async () => {
    const emulator = await bridge();
    const { operations } = emulator;
    const [general, lounge] = ['500000000000000002', '500000000000000005'];
    const options = [{ type: 7, name: 'where', description: 'Where' }];
    await addBot(emulator, APP, GUILD, [{ name: 'berth', description: 'A berth', options }]);
    await helpedBot(emulator, APP, () => ({ type: 4, data: { content: 'Booked' } }));
    const bot = new GatewayConnection(emulator.api);
    open.push(() => bot.socket.terminate());
    await bot.identify(BOT.authorization.slice(4), { intents: (1 << 0) | (1 << 9) });
    await bot.event('GUILD_CREATE');
    const begun = await fetch(`${emulator.api}/v10/channels/${general}/threads`, {
      method: 'POST',
      headers: { ...BOT, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Tides', type: 11 }),
    });
    const thread = (await begun.json()) as { readonly id: string };
    for (const channel of [general, thread.id])
      await operations.call('interaction.use', {
        app: APP,
        channel,
        command: '/berth',
        options: { where: lounge },
      });
    const send = async (content: object): Promise<void> => {
      const form = new FormData();
      form.append('payload_json', JSON.stringify(content));
      form.append('files[0]', new Blob(['1234'], { type: 'image/png' }), 'map.png');
      const path = `${emulator.api}/v10/channels/${general}/messages`;
      expect((await fetch(path, { method: 'POST', headers: BOT, body: form })).status).toBe(200);
    };
    const media = { url: 'attachment://map.png' };
    await send({ embeds: [{ title: 'Map', image: media }] });
    await send({
      flags: 1 << 15,
      components: [
        { type: 12, items: [{ media }] },
        { type: 13, file: media },
      ],
    });
    const events = (await entries(emulator, 'gateway')).filter(({ direction }) => direction === 'out');
    const [used] = events.filter(({ text }) => text.includes('INTERACTION_CREATE'));
    expect(JSON.parse(used?.text ?? '').d).toMatchObject({
      token: '[hidden]',
      channel: { id: general, guild_id: GUILD, name: 'general', permissions: expect.stringMatching(/^\d+$/) },
      data: { resolved: { channels: { [lounge]: { name: 'Lounge', guild_id: GUILD } } } },
    });
    const answers = (await entries(emulator, 'http')).map(({ response }) => response.body ?? '');
    const told = [...events.map(({ text }) => text), ...answers].join('\n');
    for (const said of ['MESSAGE_CREATE', 'THREAD_CREATE', 'attachment_id', '"size":4'])
      expect(told).toContain(said);
    // How the journal writes what no declaration has.
    expect(told.match(/"[^"]*":"(?:string\(\d+\)|number)"/g)).toBeNull();
  });
  it('has no secret that was sent over HTTP or the gateway', async () => {
    const emulator = await bridge();
    const canary = 'canarycanarycanarycanary';
    const token = `${canary}-token`;
    const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
      fetch(`${emulator.api}${path}`, init);
    const form = new URLSearchParams({ grant_type: 'authorization_code', code: token, client_secret: token });
    await ask('/oauth2/token', { method: 'POST', body: form });
    const json = {
      'content-type': 'application/json',
      authorization: `Basic ${token}`,
      cookie: `a=${token}`,
    };
    await ask('/oauth2/token', {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ refresh_token: token }),
    });
    await ask(`/v10/users/@me?access_token=${token}&client%5Fsecret=${token}`, {
      headers: { authorization: token },
    });
    await ask(`/v10/webhooks/${APP}/${token}`, { method: 'POST', headers: json, body: '{"content":"x"}' });
    await ask(`/v10/interactions/${APP}/${token}/callback`, { method: 'POST', headers: json, body: '{}' });
    // Each short enough, or so placed, that only what it is tells it from other words.
    const short = 'canaryca';
    await ask(`/v10/webhooks/${APP}/${short}`, { method: 'POST', headers: json, body: '{"content":"x"}' });
    await ask(`/v10/users/@me?id_token_hint=${short}`, {
      headers: { authorization: `${short} x`, 'x-discord-mfa-authorization': short },
    });
    await ask('/v10/channels/500000000000000002/messages', {
      method: 'POST',
      headers: { ...BOT, 'content-type': 'application/json' },
      body: JSON.stringify({ content: `at ${emulator.api}/attachments/1/2/a.png?ex=1&is=2&hm=${short}` }),
    });
    await ask('/v10/channels/500000000000000002/messages', {
      method: 'POST',
      headers: { ...BOT, 'content-type': 'application/json' },
      body: JSON.stringify({ options: [{ name: 'password', value: short }] }),
    });
    const made = await ask('/v10/channels/500000000000000002/webhooks', {
      method: 'POST',
      headers: { ...BOT, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'hook' }),
    });
    const webhook = (await made.json()) as { token: string };
    const bot = new GatewayConnection(emulator.api);
    open.push(() => bot.socket.terminate());
    await bot.op(10);
    bot.socket.send(JSON.stringify({ op: 6, d: { token, session_id: 'x', seq: 1 } }));
    await bot.closed;
    const text = await whole(emulator);
    expect(text).not.toContain(canary);
    expect(text).not.toContain(short);
    expect(webhook.token).toMatch(/.{20}/);
    expect(text).not.toContain(webhook.token);
  });
});

describe('a fault over HTTP', () => {
  const me = (emulator: TestEmulator) => fetch(`${emulator.api}/v10/users/@me`, { headers: BOT });

  it.each([
    ['error=50013', 400, { code: 50013 }],
    ['status=503', 503, { code: 0 }],
    ['status=429', 429, { retry_after: 1, global: false }],
  ])('%s answers instead of the platform', async (fault, status, body) => {
    const emulator = await bridge();
    await emulator.operations.call('fault.add', { fault, route: 'GET /users/@me', count: 1 });
    const answer = await me(emulator);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject(body);
    expect((await me(emulator)).status).toBe(200);
    expect(await entries(emulator, 'fault')).toHaveLength(1);
  });
  it('drop: the request is served, and the connection is closed without an answer', async () => {
    const emulator = await bridge();
    await emulator.operations.call('fault.add', {
      fault: 'drop',
      route: 'POST /channels/{id}/messages',
      count: 1,
    });
    const say = fetch(`${emulator.api}/v10/channels/500000000000000002/messages`, {
      method: 'POST',
      headers: { ...BOT, 'content-type': 'application/json' },
      body: '{"content":"was here"}',
    });
    await expect(say).rejects.toThrow();
    const list = await fetch(`${emulator.api}/v10/channels/500000000000000002/messages`, { headers: BOT });
    const [latest] = (await list.json()) as { content: string }[];
    expect(latest?.content).toBe('was here');
  });
  it.each(['delay=150', 'slow=2000'])('%s delays the answer', async (fault) => {
    const emulator = await bridge();
    await emulator.operations.call('fault.add', { fault, route: '*', count: 1 });
    const begun = performance.now();
    expect(await (await me(emulator)).json()).toMatchObject({ username: 'harbour' });
    expect(performance.now() - begun).toBeGreaterThan(100);
  });
  it('split: the answer arrives in pieces, and is complete', async () => {
    const emulator = await bridge();
    await emulator.operations.call('fault.add', { fault: 'split', route: '*', count: 1 });
    // Counted where it is written: a reader that is late finds several pieces in one.
    const writes = vi.spyOn(ServerResponse.prototype, 'write');
    onTestFinished(() => writes.mockRestore());
    expect(await (await me(emulator)).json()).toMatchObject({ username: 'harbour' });
    expect(writes.mock.calls.length).toBeGreaterThan(1);
  });
  it('applies only to its application', async () => {
    const emulator = await bridge();
    await emulator.operations.call('fault.add', { fault: 'status=500', route: '*', application: '1' });
    expect((await me(emulator)).status).toBe(200);
    await emulator.operations.call('fault.add', { fault: 'status=500', route: '*', application: APP });
    expect((await me(emulator)).status).toBe(500);
  });
});

describe('a fault of the gateway', () => {
  const rename = (emulator: TestEmulator, name: string) =>
    emulator.operations.call('guild.set', { id: GUILD, field: 'name', value: name });

  it('close closes the connection with its code', async () => {
    const emulator = await bridge();
    const bot = await gatewayBot(emulator);
    await emulator.operations.call('fault.add', { fault: 'close=4000', gateway: true });
    await rename(emulator, 'Other');
    expect(await bot.closed).toMatchObject({ code: 4000 });
  });
  it('reconnect requests a reconnect before the payload', async () => {
    const emulator = await bridge();
    const bot = await gatewayBot(emulator);
    await emulator.operations.call('fault.add', { fault: 'reconnect', gateway: true, count: 1 });
    await rename(emulator, 'Other');
    await expect.poll(() => bot.received.slice(-2).map(({ op, t }) => t ?? op)).toEqual([7, 'GUILD_UPDATE']);
  });
  it('drop loses a payload, and the sequence number of the next payload shows the gap', async () => {
    const emulator = await bridge();
    const bot = await gatewayBot(emulator);
    const before = bot.received.at(-1)?.s ?? 0;
    await emulator.operations.call('fault.add', { fault: 'drop', gateway: true, count: 1 });
    await rename(emulator, 'Lost');
    await rename(emulator, 'Told');
    await expect.poll(() => bot.received.at(-1)).toMatchObject({ s: before + 2, d: { name: 'Told' } });
  });
  it('delay and split preserve the order', async () => {
    const emulator = await bridge();
    const bot = await gatewayBot(emulator);
    await emulator.operations.call('fault.add', { fault: 'delay=100', gateway: true, count: 1 });
    await emulator.operations.call('fault.add', { fault: 'split', gateway: true });
    for (const name of ['One', 'Two', 'Three']) await rename(emulator, name);
    await expect
      .poll(() => bot.received.slice(-3).map(({ d }) => (d as { name: string }).name))
      .toEqual(['One', 'Two', 'Three']);
  });
});

describe('a fault of webhooks', () => {
  it('answers instead of the application or loses the delivery, and the delivery is retried', async () => {
    const emulator = await bridge();
    const app = await application(await verifyKeyOf(emulator));
    await emulator.operations.call('webhook.set', { app: APP, url: `${app.url}/events` });
    await emulator.operations.call('fault.add', { fault: 'status=503', webhook: true, count: 1 });
    await emulator.operations.call('fault.add', { fault: 'drop', webhook: true, count: 1 });
    await emulator.operations.call('fault.add', { fault: 'delay=1', webhook: true, count: 1 });
    const [ping] = (await emulator.operations.call('webhooks.list')) as readonly { id: string }[];
    const before = app.deliveries.length;
    await emulator.operations.call('webhook.redeliver', { id: ping?.id ?? '' });
    const outcomes = async () => (await entries(emulator, 'webhook')).slice(2).map(({ outcome }) => outcome);
    await expect.poll(outcomes).toHaveLength(1);
    await emulator.advance('2s');
    await expect.poll(outcomes).toHaveLength(2);
    await emulator.advance('3s');
    await expect.poll(outcomes).toMatchObject([
      { kind: 'answered', status: 503 },
      { kind: 'failed', reason: 'a fault lost it (f2)' },
      { kind: 'answered', status: 204 },
    ]);
    expect(app.deliveries.length).toBe(before + 1);
    // A delay alone leaves the answer as it is.
    await emulator.operations.call('fault.add', { fault: 'delay=1', webhook: true });
    await emulator.operations.call('webhook.redeliver', { id: ping?.id ?? '' });
    await expect.poll(outcomes).toHaveLength(4);
    expect((await outcomes()).at(-1)).toEqual({ kind: 'answered', status: 204 });
    expect((await entries(emulator, 'fault')).map(({ fault, what }) => `${fault} ${what}`)).toEqual([
      'f3 delay: PING to a webhook',
      'f1 status: PING to a webhook',
      'f2 drop: PING to a webhook',
      'f4 delay: PING to a webhook',
    ]);
    expect((await entries(emulator, 'webhook')).map(({ type, text }) => [type, JSON.parse(text)])).toEqual(
      ['PING', 'PING_WITH_WRONG_SIGNATURE', 'PING', 'PING', 'PING', 'PING'].map((type) => [
        type,
        { version: 1, application_id: APP, type: 0 },
      ]),
    );
  });
});
