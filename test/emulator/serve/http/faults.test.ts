import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Faults } from '../../../../src/faults/faults.ts';
import { Journal } from '../../../../src/journal/journal.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP, testPlatform } from '../../../helpers/platform.ts';

const OTHER = ids.lighthouse;

/** A platform in whose journal each fault is written down. */
async function faulty() {
  const faults = new Faults();
  const journal = new Journal();
  const platform = await testPlatform(undefined, { faults, journal });
  const struck = () =>
    journal
      .read({ kinds: ['fault'] })
      .entries.flatMap((entry) => (entry.kind === 'fault' ? [entry.what] : []));
  return { ...platform, faults, struck };
}

describe('a fault over HTTP', () => {
  it('answers in the place of the platform, and the request is not served', async () => {
    const { faults, call, bot, emulator, struck } = await faulty();
    const before = emulator.exportState();
    const answer = async (effect: Parameters<Faults['add']>[0]['effect']) => {
      faults.add({ effect, where: { on: 'http' }, count: 1 });
      const { status, headers, body } = await call('PATCH /users/@me', {
        headers: bot(),
        json: { username: 'newt' },
      });
      const limits = [...headers].filter(([name]) => /^(retry|x-ratelimit)/.test(name));
      return { status, body, limits: Object.fromEntries(limits) };
    };
    expect(await answer({ kind: 'error', code: 10004 })).toEqual({
      status: 400,
      body: { message: 'A fault answered in the place of the platform', code: 10004 },
      limits: {},
    });
    for (const status of [500, 503, 599]) {
      expect(await answer({ kind: 'status', status })).toEqual({
        status,
        body: { message: `${status}: a fault answered in the place of the platform`, code: 0 },
        limits: {},
      });
    }
    expect(await answer({ kind: 'status', status: 429 })).toEqual({
      status: 429,
      body: { message: 'You are being rate limited.', code: 0, retry_after: 1, global: false },
      limits: {
        'retry-after': '1',
        'x-ratelimit-limit': '1',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset-after': '1',
        'x-ratelimit-scope': 'user',
      },
    });
    expect(emulator.exportState()).toBe(before);
    expect(struck()).toEqual([
      'answers with the error 10004: PATCH /api/v10/users/@me',
      'answers with 500: PATCH /api/v10/users/@me',
      'answers with 503: PATCH /api/v10/users/@me',
      'answers with 599: PATCH /api/v10/users/@me',
      'answers with 429: PATCH /api/v10/users/@me',
    ]);
  });

  it('delays, slows and splits what the platform answers, which stays the same', async () => {
    const { faults, call, struck } = await faulty();
    const { body } = await call('GET /gateway');
    for (const effect of [
      { kind: 'delay', ms: 5 },
      { kind: 'slow', bytesPerSecond: 5000 },
      { kind: 'split' },
    ] as const) {
      faults.add({ effect, where: { on: 'http' }, count: 1 });
      expect(await call('GET /gateway')).toMatchObject({ status: 200, body });
    }
    expect(struck()).toEqual([
      'delay by 5 ms: GET /api/v10/gateway',
      'slow, 5000 bytes a second: GET /api/v10/gateway',
      'split: GET /api/v10/gateway',
    ]);
  });

  it('that drops the answer serves the request, and ends the connection', async () => {
    const { faults, call, bot, emulator, struck } = await faulty();
    faults.add({ effect: { kind: 'drop' }, where: { on: 'http' }, count: 1 });
    const dropped = call('PATCH /users/@me', { headers: bot(), json: { username: 'newt' } });
    await expect(dropped).rejects.toThrow(/socket hang up|ECONNRESET/);
    expect(emulator.tables.users.get(APP)?.username).toBe('newt');
    expect(struck()).toEqual(['drop: PATCH /api/v10/users/@me']);
  });

  it('ends its delay with a client that does not wait', async () => {
    const { faults, url, struck } = await faulty();
    faults.add({ effect: { kind: 'delay', ms: 3_600_000 }, where: { on: 'http' }, count: 1 });
    faults.add({ effect: { kind: 'drop' }, where: { on: 'http' }, count: 1 });
    const { port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`GET /api/v10/gateway HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    await expect.poll(struck).toHaveLength(1);
    socket.destroy();
    await expect
      .poll(struck)
      .toEqual(['delay by 3600000 ms: GET /api/v10/gateway', 'drop: GET /api/v10/gateway']);
  });

  it('is of the method, the path and the application that it names', async () => {
    const { faults, call, bot, bearer } = await faulty();
    const status = async (what: string, headers: Readonly<Record<string, string>> = {}) => {
      const method = what.split(' ')[0];
      return (await call(what, { headers, ...(method === 'POST' ? { form: {} } : {}) })).status;
    };
    const person = await bearer(['identify']);
    const basic = (id: string) => ({ authorization: `Basic ${Buffer.from(`${id}:any`).toString('base64')}` });
    const effect = { kind: 'status', status: 599 } as const;
    faults.add({ effect, where: { on: 'http', method: 'GET', path: '/users/{id}' } });
    expect(await status('GET /users/@me', bot())).toBe(599);
    expect(await status('GET /api/users/@me', bot())).toBe(599);
    expect(await status('GET /api/v9/users/%40me?x=1', bot())).toBe(599);
    expect(await status('GET /users/@me/guilds', bot())).toBe(200);
    expect(await status('GET /gateway')).toBe(200);
    faults.clear();

    faults.add({ effect, where: { on: 'http' }, application: APP });
    expect(await status('GET /users/@me', bot())).toBe(599);
    expect(await status('GET /users/@me', person)).toBe(599);
    expect(await status('POST /oauth2/token', basic(APP))).toBe(599);
    expect(await status('GET /gateway', { authorization: `bot ${bot().authorization.slice(4)}` })).toBe(599);
    for (const headers of [
      bot(OTHER),
      {},
      { authorization: 'Bearer nobody' },
      { authorization: `Other ${APP}` },
      { authorization: bot().authorization.slice(4) },
      basic(OTHER),
    ]) {
      expect(await status('GET /gateway', headers), JSON.stringify(headers)).toBe(200);
    }
  });
});
