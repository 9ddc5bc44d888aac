import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { memoryLimits } from '../../../../src/emulator/kernel/memory.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { patch } from '../../../helpers/patched.ts';
import { APP, testPlatform } from '../../../helpers/platform.ts';

/** Everything that a connection receives until it ends; `write` sends, and gets a function for more. */
function spoken(
  port: number,
  first: string,
): { readonly text: () => string; readonly ended: Promise<string>; readonly write: (more: string) => void } {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => {});
  const ended = new Promise<string>((resolve) => socket.on('close', () => resolve(text)));
  socket.write(first);
  return { text: () => text, ended, write: (more) => void socket.write(more) };
}

const UNAUTHORIZED = '{"message":"401: Unauthorized","code":0}';

describe('a reply to a request that is not complete', () => {
  it('is sent at once, and ends the connection when the rest has come', async () => {
    const { url } = await testPlatform();
    const port = Number(new URL(url).port);
    const head = (path: string, length: number) =>
      `PATCH ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
    const early = spoken(port, `${head('/api/v10/users/@me', 20)}{"a":`);
    await expect.poll(early.text).toContain(UNAUTHORIZED);
    early.write('1             }');
    const text = await early.ended;
    expect(text).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
    expect(text.toLowerCase()).toContain('\r\nconnection: close\r\n');
    expect(text.split('\r\n\r\n').slice(1)).toEqual([UNAUTHORIZED]);

    // A whole request leaves the connection open for the next.
    const get = (path: string) => `GET /api/v10${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
    const whole = spoken(port, get('/users/@me'));
    await expect.poll(whole.text).toContain(UNAUTHORIZED);
    expect(whole.text().toLowerCase()).not.toContain('connection: close');
    whole.write(get('/gateway'));
    await expect.poll(whole.text).toContain('HTTP/1.1 200 OK');
  });

  it('is the status of what is no HTTP, once', async () => {
    const { url } = await testPlatform();
    const port = Number(new URL(url).port);
    const status = async (text: string) => (await spoken(port, text).ended).split('\r\n')[0];
    expect(await status('GET /api/v10/gateway HTTP/1.1\r\nHost\r\n\r\n')).toBe('HTTP/1.1 400 Bad Request');
    expect(await status(`GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)).toBe(
      'HTTP/1.1 431 Request Header Fields Too Large',
    );
  });
});

describe('the headers of every reply', () => {
  it('forbid to store it, and have the time of the emulator', async () => {
    const { call, emulator, bot } = await testPlatform();
    emulator.clock.freeze();
    emulator.clock.set(Date.parse('2030-01-02T03:04:05.678Z'));
    const common = {
      date: 'Wed, 02 Jan 2030 03:04:05 GMT',
      'cache-control': 'no-store',
      pragma: 'no-cache',
      'x-content-type-options': 'nosniff',
    };
    const limits = {
      'x-ratelimit-limit': '50',
      'x-ratelimit-remaining': '49',
      'x-ratelimit-reset': (Date.parse('2030-01-02T03:04:06.678Z') / 1000).toFixed(3),
      'x-ratelimit-reset-after': '1.000',
      'x-ratelimit-bucket': expect.stringMatching(/^[0-9a-f]{32}$/),
    };
    const headers = async (what: string, request: Parameters<typeof call>[1] = {}) => {
      const answer = await call(what, request);
      const { connection: _, 'keep-alive': __, ...rest } = Object.fromEntries(answer.headers);
      return [answer.status, rest];
    };
    const json = (length: number) => ({
      'content-type': 'application/json',
      'content-length': String(length),
    });
    const { length } = JSON.stringify((await call('GET /gateway')).body);
    expect(await headers('GET /gateway')).toEqual([200, { ...common, ...json(length), ...limits }]);
    const notFound = '{"message":"404: Not Found","code":0}';
    expect(await headers('GET /nothing')).toEqual([404, { ...common, ...json(notFound.length) }]);
    expect(await headers('POST /gateway')).toEqual([
      405,
      { ...common, ...json('{"message":"405: Method Not Allowed","code":0}'.length), allow: 'GET' },
    ]);
    expect(await headers('GET /users/@me')).toEqual([401, { ...common, ...json(UNAUTHORIZED.length) }]);
    const [status, deleted] = await headers('DELETE /users/@me/guilds/1', { headers: bot() });
    expect(status).toBe(404);
    expect(deleted).toMatchObject(limits);
    const key = await call('POST /oauth2/token', { form: {} });
    expect([...key.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([]);
  });
});

describe('a platform whose memory is full', () => {
  it('refuses what adds records, and nothing else', async () => {
    const memory = { ...memoryLimits(), room: { soft: 1, hard: 1, whole: 8 * 1024 * 1024 } };
    const { call, bot, emulator } = await testPlatform(
      (fixture) =>
        patch(fixture, {
          applications: [{ id: APP, bot_user: APP }],
          users: [{ id: APP, username: 'harbour', bot: true }],
        }).fixture,
      { memory },
    );
    const status = async (what: string, request: Parameters<typeof call>[1] = {}) => {
      const { status: found, body } = await call(what, { headers: bot(), ...request });
      return found === 503 ? body : found;
    };
    const full = { message: expect.stringContaining('has memory for'), code: 0 };
    const before = emulator.exportState();
    expect(await status('GET /gateway/bot')).toBe(200);
    expect(await status('PATCH /users/@me', { json: { username: 'tug' } })).toEqual(full);
    expect(await status('POST /users/@me/channels', { json: { recipient_id: ids.otter } })).toEqual(full);
    expect(await status('PUT /users/@me/nothing', {})).toBe(404);
    expect(await status('DELETE /users/@me/guilds/1')).toBe(404);
    expect(
      await status(`POST /oauth2/token`, { headers: {}, form: { client_id: APP, grant_type: 'x' } }),
    ).toBe(400);
    expect(emulator.exportState() === before).toBe(true);
  });
});
