import { createPublicKey, verify } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readTarget } from '../../../../src/emulator/applications/webhooks/address.ts';
import { advanceClock, setClock } from '../../../../src/emulator/applications/webhooks/clock-moves.ts';
import { verifyKeyOf } from '../../../../src/emulator/kernel/application-key.ts';
import { declaredOperation } from '../../../helpers/declared-result.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';
import { APP, type TestPlatform, testPlatform } from '../../../helpers/platform.ts';

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly isGenuine: boolean;
}

/** What an application does about signatures, with Node's own check of Ed25519. */
function isGenuine(headers: IncomingHttpHeaders, text: string): boolean {
  const der = Buffer.concat([
    Buffer.from('302a300506032b6570032100', 'hex'),
    Buffer.from(verifyKeyOf(APP), 'hex'),
  ]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  const signed = Buffer.from(`${String(headers['x-signature-timestamp'])}${text}`);
  return verify(null, signed, key, Buffer.from(String(headers['x-signature-ed25519']), 'hex'));
}

/** An application's own endpoint; `answer` says the status of a genuine request that is no PING. */
async function application(answer: (received: Received) => number | 'never' = () => 204) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const one = { headers: request.headers, text, isGenuine: isGenuine(request.headers, text) };
      received.push(one);
      const { type } = JSON.parse(text) as { type: number };
      const status = !one.isGenuine ? 401 : type === 0 ? 204 : answer(one);
      if (status !== 'never') response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
  const events = () =>
    received
      .map(({ text }) => JSON.parse(text) as { type: number; event: { type: string; data: object } })
      .filter(({ type }) => type === 1);
  return { url, received, events };
}

/** An endpoint that believes everybody. */
async function careLess(): Promise<string> {
  const server = createServer((_, response) => response.writeHead(204).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function link(platform: TestPlatform, scopes: readonly string[] = ['identify']): Promise<void> {
  await platform.bearer(scopes);
}

function unlink({ emulator }: TestPlatform): Promise<unknown> {
  return emulator.oauth2.revokeGrant(emulator.oauth2.grants()[0]?.id ?? '');
}

describe('an endpoint', () => {
  it('is validated by a PING and a request with a wrong signature before it is enabled [V-1]', async () => {
    const { emulator } = await testPlatform();
    const app = await application();
    expect(await emulator.webhooks.set(APP, app.url)).toEqual({
      application: APP,
      url: app.url,
      types: [],
      status: 'on',
    });
    expect(app.received.map((one) => one.isGenuine)).toEqual([true, false]);
    expect(JSON.parse(app.received[0]?.text ?? '')).toEqual({ version: 1, application_id: APP, type: 0 });
  });

  it.each([
    [200, 'answered the PING with 200, not with 204'],
    [500, 'answered the PING with 500, not with 204'],
  ])('is refused when it answers %i to everything', async (status, words) => {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(status).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { emulator } = await testPlatform();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(emulator.webhooks.set(APP, url)).rejects.toThrow(words);
    expect(emulator.tables.event_webhooks.size).toBe(0);
  });

  it('receives nothing for an unknown application, and is refused when its application is removed', async () => {
    const { emulator } = await testPlatform((fixture) => ({ ...fixture, strict: true }));
    const app = await application();
    for (const id of ['nonsense', '912345678901234567', emulator.me().username]) {
      await expect(emulator.webhooks.set(id, app.url)).rejects.toThrow('there is no application');
    }
    expect(app.received).toEqual([]);
    const setting = emulator.webhooks.set(APP, app.url);
    await emulator.apply({ applications: [{ id: APP, remove: true }] });
    await expect(setting).rejects.toThrow('there is no application');
    expect(emulator.tables.event_webhooks.size).toBe(0);
  });

  it('is refused with a reason when no server listens at its address', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await new Promise((resolve) => server.close(resolve));
    const { emulator } = await testPlatform();
    await expect(emulator.webhooks.set(APP, url)).rejects.toThrow(
      'gave no answer to the PING: nobody listens there (ECONNREFUSED)',
    );
  });

  it('is refused when it switches to another protocol, without a delay', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { emulator } = await testPlatform();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await expect(emulator.webhooks.set(APP, url)).rejects.toThrow('answered the PING with 101, not with 204');
  });

  it('is refused when it accepts a wrong signature', async () => {
    const server = createServer((request, response) => {
      request.resume();
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { emulator, call, bot } = await testPlatform();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(emulator.webhooks.set(APP, url)).rejects.toThrow(
      'answered a wrong signature with 204, not with 401',
    );
    const answer = await call('PATCH /applications/@me', {
      headers: bot(),
      json: { event_webhooks_url: url },
    });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        errors: { event_webhooks_url: { _errors: [{ message: expect.stringContaining('not with 401') }] } },
      },
    });
  });

  it.each([
    ['http://example.com/', 'another machine'],
    ['http://10.0.0.1/', 'another machine'],
    ['http://127.0.0.2/', 'another machine'],
    ['http://localhost.example.com/', 'another machine'],
    ['http://0.0.0.0/', 'another machine'],
    ['http://[::ffff:7f00:1]/', 'another machine'],
    ['http://user@127.0.0.1/', 'has a user name or a password in it'],
    ['http://:password@127.0.0.1/', 'has a user name or a password in it'],
    ['ftp://127.0.0.1/', 'ftp: is not delivered to'],
    ['http://', 'is no address'],
    ['http://0x7f.1/', 'in disguise'],
    ['http://2130706433/', 'in disguise'],
    ['http://127.1/', 'in disguise'],
    ['http://①27.0.0.1/', 'in disguise'],
    ['http://u:p@127.0.0.1/', 'user name'],
    ['https://127.0.0.1/', 'https:'],
    ['file:///etc/passwd', 'file:'],
    ['x', 'no address'],
  ])('is refused at %s: %s', async (url, words) => {
    expect(() => readTarget(url)).toThrow(words);
    const { emulator } = await testPlatform();
    await expect(emulator.webhooks.set(APP, url)).rejects.toThrow(words);
    const patch = emulator.apply({ event_webhooks: [{ application: APP, url }] });
    await expect(patch).rejects.toThrow('must be an http: address of this machine');
    expect(emulator.tables.event_webhooks.size).toBe(0);
  });
});

it.each([
  ['http://127.0.0.1:3000/events', '127.0.0.1'],
  ['http://localhost/', '127.0.0.1'],
  ['HTTP://LOCALHOST:1/', '127.0.0.1'],
  ['http://[::1]:3000/', '::1'],
])('the address %s is on this machine, at %s', (url, host) => {
  expect(readTarget(url)).toEqual({ url: new URL(url), host });
});

describe('an application', () => {
  it('receives its authorization and deauthorization, signed, and no other types than it chose [V-1]', async () => {
    const platform = await testPlatform();
    const app = await application();
    await platform.emulator.webhooks.set(APP, app.url);
    await link(platform);
    await link(platform);
    await unlink(platform);
    await expect.poll(() => app.events().length).toBe(2);
    expect(app.events().map(({ event }) => event)).toMatchObject([
      { type: 'APPLICATION_AUTHORIZED', data: { scopes: ['identify'], user: { username: 'river' } } },
      { type: 'APPLICATION_DEAUTHORIZED', data: { user: { id: platform.emulator.me().id } } },
    ]);
    expect(app.received.filter((one) => JSON.parse(one.text).type === 1).every((one) => one.isGenuine)).toBe(
      true,
    );
    await platform.emulator.apply({ event_webhooks: [{ application: APP, status: 'off' }] });
    await link(platform);
    expect(platform.emulator.webhooks.deliveries()).toHaveLength(4);
    await platform.emulator.webhooks.set(APP, app.url, ['ENTITLEMENT_CREATE']);
    await link(platform);
    await platform.emulator.apply({ entitlements: [{ id: '9', sku: '8', application: APP }] });
    await expect.poll(() => app.events().length).toBe(3);
    expect(app.events()[2]?.event).toMatchObject({ type: 'ENTITLEMENT_CREATE', data: { sku_id: '8' } });
  });

  it('receives a failed event again after 1, 2, 4 … seconds, and the inbox lists each attempt [V-1]', async () => {
    const clock = new ManualClock();
    const platform = await testPlatform(undefined, { clock });
    let tries = 0;
    const app = await application(() => {
      tries += 1;
      return tries < 3 ? 500 : 204;
    });
    const { webhooks } = platform.emulator;
    await webhooks.set(APP, app.url);
    await link(platform);
    const delivery = () => webhooks.deliveries().find(({ type }) => !type.startsWith('PING'));
    for (const wait of [999, 1, 1_999, 1]) {
      const before = delivery()?.attempts.length ?? 0;
      await expect.poll(() => delivery()?.attempts.length).toBeGreaterThan(0);
      clock.advance(wait);
      if (wait === 1) await expect.poll(() => delivery()?.attempts.length).toBe(Math.max(before, 1) + 1);
    }
    expect(delivery()).toMatchObject({
      state: 'delivered',
      attempts: [
        { outcome: { kind: 'answered', status: 500 } },
        { outcome: { kind: 'answered', status: 500 } },
        { outcome: { kind: 'answered', status: 204 } },
      ],
    });
    webhooks.redeliver(delivery()?.id ?? '');
    await expect.poll(() => delivery()?.attempts.length).toBe(4);
    expect(new Set(app.events().map((one) => JSON.stringify(one))).size).toBe(1);
  });

  it('receives a failed event for ten minutes, and no event at all after five such failures', async () => {
    const clock = new ManualClock();
    const platform = await testPlatform(undefined, { clock });
    const app = await application(() => 500);
    const { webhooks } = platform.emulator;
    await webhooks.set(APP, app.url);
    for (let event = 1; event <= 5; event += 1) {
      webhooks.send({
        application: APP,
        type: 'LOBBY_MESSAGE_DELETE',
        data: { id: String(event), lobby_id: '1' },
      });
      const last = () => webhooks.deliveries().at(-1);
      for (let wait = 1_000; last()?.state === 'waiting'; wait *= 2) {
        const tried = last()?.attempts.length ?? 0;
        await expect.poll(() => last()?.attempts.length ?? 0).toBeGreaterThanOrEqual(Math.max(tried, 1));
        if (last()?.state !== 'waiting') break;
        const now = last()?.attempts.length ?? 0;
        clock.advance(wait);
        await expect.poll(() => last()?.attempts.length ?? 0).toBeGreaterThan(now);
      }
      expect(last()).toMatchObject({ state: 'given-up' });
      expect(last()?.attempts.length).toBe(10);
      expect(platform.emulator.tables.event_webhooks.get(APP)?.status).toBe(event < 5 ? 'on' : 'failing');
    }
    expect(platform.emulator.tables.event_webhooks.get(APP)?.status).toBe('failing');
    const told = app.events().length;
    webhooks.send({ application: APP, type: 'LOBBY_MESSAGE_DELETE', data: {} });
    await expect.poll(() => app.events().length).toBe(told);
    const { body } = await platform.call('GET /applications/@me', { headers: platform.bot() });
    expect(body).toMatchObject({ event_webhooks_url: app.url, event_webhooks_status: 3 });
  });

  it('leaves no listener on the signal that limits the wait for its deliveries', async () => {
    const platform = await testPlatform();
    const { webhooks } = platform.emulator;
    const app = await application();
    await webhooks.set(APP, app.url);
    webhooks.send({ application: APP, type: 'LOBBY_MESSAGE_DELETE', data: { id: '1', lobby_id: '1' } });
    const { signal } = new AbortController();
    await webhooks.settled(signal);
    expect([app.events().length, getEventListeners(signal, 'abort')]).toEqual([1, []]);
  });

  it.each(['running', 'frozen'])(
    'receives a failed event at each of its times by one move of a %s clock [V-1]',
    async (how) => {
      const platform = await testPlatform(undefined, { clock: new ManualClock() });
      const { webhooks, clock } = platform.emulator;
      const app = await application(() => 500);
      await webhooks.set(APP, app.url);
      if (how === 'frozen') clock.freeze();
      const begun = clock.now();
      for (const id of ['1', '2']) {
        webhooks.send({ application: APP, type: 'LOBBY_MESSAGE_DELETE', data: { id, lobby_id: '1' } });
      }
      const told = () => webhooks.deliveries().slice(-2);
      await advanceClock(platform.emulator, 7_000);
      for (const { state, attempts } of told()) {
        expect([state, attempts.length]).toEqual(['waiting', 4]);
        const after = attempts.map(({ at }) => (Date.parse(at) - begun) / 1000);
        expect(after).toEqual([0, 1, 3, 7]);
      }
      expect(clock.now() - begun).toBe(7_000);
      await advanceClock(platform.emulator, 600_000);
      expect(told().map(({ state, attempts }) => [state, attempts.length])).toEqual([
        ['given-up', 10],
        ['given-up', 10],
      ]);
      expect(clock.now() - begun).toBe(607_000);
    },
  );

  it('receives an event again at its address of now, or at the old one where it has none', async () => {
    const platform = await testPlatform();
    const { webhooks } = platform.emulator;
    const [first, second] = [await application(), await application()];
    await webhooks.set(APP, first.url);
    webhooks.send({ application: APP, type: 'LOBBY_MESSAGE_DELETE', data: { id: '1', lobby_id: '1' } });
    await webhooks.settled(AbortSignal.timeout(5_000));
    const { id } = webhooks.deliveries().at(-1) ?? { id: '' };
    await webhooks.set(APP, second.url);
    expect(webhooks.redeliver(id)).toMatchObject({ id, url: second.url, state: 'waiting' });
    await webhooks.settled(AbortSignal.timeout(5_000));
    expect(webhooks.unset(APP)).toBe(true);
    expect(webhooks.unset(APP)).toBe(false);
    expect(webhooks.redeliver(id)).toMatchObject({ url: second.url });
    await webhooks.settled(AbortSignal.timeout(5_000));
    expect([first.events().length, second.events().length]).toEqual([1, 2]);
    expect(() => webhooks.redeliver('7')).toThrow(
      /^there is no delivery 7; "footbridge emulator webhooks" lists/,
    );
  });

  it('is no longer disabled by failures of before a success, and not when it has no webhook any more', async () => {
    const platform = await testPlatform(undefined, { clock: new ManualClock() });
    const { webhooks } = platform.emulator;
    let status = 500;
    const app = await application(() => status);
    await webhooks.set(APP, app.url);
    const sends = async (count: number) => {
      for (let one = 0; one < count; one += 1) {
        webhooks.send({ application: APP, type: 'LOBBY_MESSAGE_DELETE', data: { id: '1', lobby_id: '1' } });
        await advanceClock(platform.emulator, 660_000);
      }
    };
    await sends(4);
    status = 204;
    await sends(1);
    status = 500;
    await sends(4);
    expect(platform.emulator.tables.event_webhooks.get(APP)?.status).toBe('on');
    webhooks.send({ application: APP, type: 'LOBBY_MESSAGE_DELETE', data: { id: '1', lobby_id: '1' } });
    webhooks.unset(APP);
    await advanceClock(platform.emulator, 660_000);
    expect(platform.emulator.tables.event_webhooks.size).toBe(0);
  });

  it('is sent nothing more once the emulator ends, and its late answers change nothing', async () => {
    const platform = await testPlatform();
    const { webhooks } = platform.emulator;
    const app = await application(() => {
      webhooks.close();
      return 500;
    });
    await webhooks.set(APP, app.url);
    const sends = (count: number) => {
      for (let one = 0; one < count; one += 1)
        webhooks.send({ application: APP, type: 'LOBBY_MESSAGE_DELETE', data: { id: '1', lobby_id: '1' } });
    };
    sends(40);
    expect(webhooks.isBusy).toBe(true);
    await webhooks.settled(AbortSignal.timeout(5_000));
    expect(webhooks.isBusy).toBe(false);
    sends(1);
    const [, , ...sent] = webhooks.deliveries();
    expect(sent.map(({ state, attempts }) => `${state} ${attempts.length}`)).toEqual(
      Array.from({ length: 40 }, () => 'waiting 0'),
    );
    // As many as may be on their way at once.
    expect(app.events()).toHaveLength(32);
  });

  it('receives a failed event again when the clock is set', async () => {
    const platform = await testPlatform(undefined, { clock: new ManualClock() });
    const { webhooks, clock } = platform.emulator;
    const app = await application(() => 500);
    await webhooks.set(APP, app.url);
    webhooks.send({ application: APP, type: 'LOBBY_MESSAGE_DELETE', data: { id: '1', lobby_id: '1' } });
    const to = clock.now() + 3_500;
    await setClock(platform.emulator, to);
    expect(webhooks.deliveries().at(-1)?.attempts.length).toBe(3);
    expect(clock.now()).toBe(to);
    await expect(advanceClock(platform.emulator, -1)).rejects.toThrow(/advanced forward/);
    await expect(setClock(platform.emulator, 0)).rejects.toThrow(/the range of ids/);
  });

  it('finds every signed request in its inbox, also one with a wrong signature', async () => {
    const platform = await testPlatform();
    const app = await application();
    await platform.emulator.webhooks.set(APP, app.url);
    await link(platform);
    await expect.poll(() => app.events().length).toBe(1);
    await expect.poll(() => platform.emulator.webhooks.deliveries().at(-1)?.attempts.length).toBe(1);
    const shown = platform.emulator.webhooks.deliveries();
    expect(shown.map(({ type, state }) => [type, state])).toEqual([
      ['PING', 'delivered'],
      ['PING_WITH_WRONG_SIGNATURE', 'delivered'],
      ['APPLICATION_AUTHORIZED', 'delivered'],
    ]);
    for (const [index, { body, attempts }] of shown.entries()) {
      const [{ headers } = { headers: {} }] = attempts;
      const sent = Object.fromEntries(
        Object.entries<string>({ ...headers }).map(([name, value]) => [name.toLowerCase(), value]),
      );
      expect(app.received[index]).toMatchObject({ text: body, headers: sent });
      expect(isGenuine(sent, body)).toBe(index !== 1);
    }
    // One that takes anything is shown as what it is.
    const careless = await careLess();
    await expect(platform.emulator.webhooks.set(APP, careless)).rejects.toThrow(/wrong signature/);
    expect(platform.emulator.webhooks.deliveries().at(-1)).toMatchObject({
      type: 'PING_WITH_WRONG_SIGNATURE',
      state: 'given-up',
    });
  });

  it('has three seconds to answer [V-1]', async () => {
    const platform = await testPlatform();
    const app = await application(() => 'never');
    await platform.emulator.webhooks.set(APP, app.url);
    await link(platform);
    const first = () => platform.emulator.webhooks.deliveries().at(-1)?.attempts[0]?.outcome;
    await expect.poll(first, { timeout: 8_000 }).toEqual({ kind: 'failed', reason: 'no answer in 3 s' });
  }, 10_000);
});

describe('an operation on webhooks and subscriptions', () => {
  it('says what it did', () => {
    const textOf = (name: string, result: unknown, args: object = {}) =>
      declaredOperation(name).command?.resultText(result as never, args as never);
    const delivery = {
      id: '1',
      application: APP,
      url: 'http://127.0.0.1:1/',
      type: 'PING',
      state: 'waiting',
    };
    const answered = { outcome: { kind: 'answered', status: 500 } };
    const failed = { outcome: { kind: 'failed', reason: 'no answer in 3 s' } };
    const line = `1  PING to ${APP} at http://127.0.0.1:1/: waiting`;
    const subscription = { id: '5', status: 'ending', current_period_end: '2026-12-01T00:00:00.000Z' };
    const rows: readonly [string, unknown, object, string][] = [
      [
        'webhook.set',
        {},
        { app: 'Tug', url: 'http://127.0.0.1:1/' },
        'Tug now receives events at http://127.0.0.1:1/, which was verified.',
      ],
      ['webhook.remove', { removed: true }, { app: 'Tug' }, 'Tug receives no more events.'],
      ['webhook.remove', { removed: false }, { app: 'Tug' }, 'Tug had no webhook; nothing is changed.'],
      ['webhook.redeliver', { ...delivery, attempts: [] }, {}, `${line}, 0x, last not tried yet`],
      ['webhook.redeliver', { ...delivery, attempts: [failed, answered] }, {}, `${line}, 2x, last 500`],
      ['webhook.redeliver', { ...delivery, attempts: [failed] }, {}, `${line}, 1x, last no answer in 3 s`],
      ...['start', 'set', 'renew', 'refund'].map((verb): [string, unknown, object, string] => [
        `subscription.${verb}`,
        subscription,
        {},
        'Subscription 5 is ending; its period ends 2026-12-01T00:00:00.000Z.',
      ]),
      ['clock.now', { now: 'T', frozen: true, ahead_ms: 5 }, {}, 'It is T, and the clock stands.'],
      ['clock.now', { now: 'T', frozen: false, ahead_ms: 0 }, {}, 'It is T.'],
      ['clock.now', { now: 'T', frozen: false, ahead_ms: -5 }, {}, 'It is T, by a clock that was set.'],
    ];
    for (const [name, result, args, text] of rows) expect(textOf(name, result, args), name).toBe(text);
  });

  it.each([
    ['webhook.set', { app: APP, url: '' }],
    ['webhook.set', { app: APP }],
    ['webhook.set', { app: APP, url: 'http://127.0.0.1/', events: ['NOTHING'] }],
    ['webhook.remove', {}],
    ['webhook.redeliver', {}],
    ['subscription.start', { user: 'otter' }],
    ['subscription.set', { id: '1', status: 'gone' }],
    ['subscription.set', { status: 'active' }],
    ['subscription.renew', {}],
    ['subscription.refund', {}],
    ['clock.set', {}],
    ['clock.advance', {}],
  ])('%s refuses %j', (name, args) => {
    expect(declaredOperation(name).args().safeParse(args).success).toBe(false);
  });
});
