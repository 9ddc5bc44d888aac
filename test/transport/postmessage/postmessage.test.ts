import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import WebSocket from 'ws';
import { startEmulator, type TestEmulator } from '../../../src/testing/testing.ts';
import { appServer, askFrame, type OpenPage, openPage, placeOf } from '../../helpers/activity-frame.ts';
import { ids } from '../../helpers/emulator-world.ts';

// One bridge for all: what a browser would do is done by hand, over real sockets.
const APP = '300000000000000001';
let bridge: TestEmulator;
beforeAll(async () => {
  bridge = await startEmulator();
});
afterAll(() => bridge.close());

interface Launched {
  readonly instance: string;
  readonly address: string;
  readonly users: readonly string[];
}

const map = (prefix: string, target: string) =>
  bridge.operations.call('emulator.apply', {
    patch: { url_mappings: [{ application: APP, prefix, target }] },
  });

async function launched(app = APP): Promise<Launched> {
  return (await bridge.operations.call('activity.launch', { app, channel: 'Lounge' })) as Launched;
}

/** Entries about refused pages, without those before. */
const refusals = (before = 0) => bridge.journal({ kinds: ['refused'] }).slice(before);

/** An activity with an app behind it, and its page. */
async function running() {
  const target = await appServer();
  await map('/', target);
  const launch = await launched();
  return { target, ...launch, page: await openPage(launch.address) };
}

function shake(page: OpenPage, more: object = {}): void {
  page.say(0, {
    v: 1,
    encoding: 'json',
    client_id: APP,
    frame_id: page.query.get('frame_id'),
    sdk_version: '2.5.0',
    ...more,
  });
}

async function ready(page: OpenPage): Promise<void> {
  shake(page);
  expect(await page.hear()).toMatchObject([1, { cmd: 'DISPATCH', evt: 'READY' }]);
}

/** Asks, and gives the data of the answer. */
async function ask(page: OpenPage, cmd: string, args: object = {}, evt?: string): Promise<unknown> {
  page.say(1, { cmd, args, nonce: cmd, ...(evt === undefined ? {} : { evt }) });
  const [opcode, answer] = (await page.hear()) ?? [];
  expect([opcode, (answer as { nonce: string }).nonce]).toEqual([1, cmd]);
  return (answer as { data: unknown }).data;
}

describe('an app in the frame of an activity', () => {
  it('authorizes, exchanges the code without a redirect address, and receives participant updates [W-4]', async () => {
    const { page, instance } = await running();
    expect(page.query.get('instance_id')).toBe(instance);
    shake(page);
    const [, welcome] = (await page.hear()) ?? [];
    // The SDK reads no user whose avatar is null; the platform names one over IPC alone.
    expect(welcome).toMatchObject({ evt: 'READY', data: { v: 1 } });
    expect((welcome as { data: object }).data).not.toHaveProperty('user');
    const { code } = (await ask(page, 'AUTHORIZE', {
      client_id: APP,
      response_type: 'code',
      state: '',
      prompt: 'none',
      scope: ['identify', 'guilds'],
    })) as { code: string };
    const form = { client_id: APP, client_secret: 'x', grant_type: 'authorization_code', code };
    const answered = await fetch(`${bridge.api}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    const { access_token } = (await answered.json()) as { access_token: string };
    expect(await ask(page, 'AUTHENTICATE', { access_token })).toMatchObject({
      user: { username: 'river' },
      scopes: ['identify', 'guilds'],
    });
    const people = { participants: [{ username: 'river' }] };
    expect(await ask(page, 'GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS')).toMatchObject(people);
    await ask(page, 'SUBSCRIBE', {}, 'ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE');
    expect(
      await bridge.operations.call('activity.launch', { app: APP, channel: 'Lounge', user: 'otter' }),
    ).toEqual({
      application: APP,
      instance,
      channel: ids.lounge,
      users: [expect.any(String), ids.otter],
      address: null,
    });
    const both = { participants: [{ username: 'river' }, { username: 'otter' }] };
    expect(await page.hear()).toMatchObject([
      1,
      { evt: 'ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE', data: both },
    ]);
    // One in another channel is another.
    await bridge.operations.call('activity.launch', { app: APP, channel: 'general', user: 'heron' });
    expect(await page.hear()).toMatchObject([1, { data: both }]);
    await bridge.operations.call('activity.leave', { instance, user: 'otter' });
    expect(await page.hear()).toMatchObject([1, { data: people }]);
    await bridge.operations.call('activity.leave', { instance });
    expect(await page.hear()).toEqual([2, { code: 1000, message: 'You have left this activity.' }]);
    expect(await page.hear()).toBe(undefined);
  });

  it('starts a new session when the frame reloads, and reconnects when the page reloads', async () => {
    const { page, address, instance } = await running();
    await ready(page);
    shake(page);
    expect(await page.hear()).toMatchObject([2, { code: 1000 }]);
    expect(await page.hear()).toMatchObject([1, { evt: 'READY' }]);
    page.socket.terminate();
    const again = await openPage(`${address.split('#')[0]}#${page.key}`);
    expect(again.query.get('instance_id')).toBe(instance);
    await ready(again);
    again.say(2, { code: 1000, message: 'bye', nonce: 'x' });
    expect(await again.hear()).toMatchObject([2, { code: 1000 }]);
  });

  it.each([
    ['of another frame', { frame_id: 'other' }, 4001, /^Invalid Origin: frame_id/],
    ['of another application', { client_id: '300000000000000002' }, 4001, /^Invalid Origin: client_id/],
    ['of another version', { v: 2 }, 4004, /version/i],
    ['too large', { more: 'x'.repeat(20_000) }, 1003, /too large/],
  ])('is closed for a handshake %s, and may send another', async (_, wrong, code, why) => {
    const { page } = await running();
    const before = refusals().length;
    shake(page, wrong);
    expect(await page.hear()).toEqual([2, { code, message: expect.stringMatching(why) }]);
    const frames = refusals(before).map((entry) => 'why' in entry && entry.why);
    expect(frames).toEqual(code === 4001 ? ['frame'] : []);
    await ready(page);
  });

  it('is closed for a frame before its handshake, an unknown opcode, and invalid JSON', async () => {
    const { page } = await running();
    page.say(1, { cmd: 'GET_GUILDS', nonce: '1' });
    expect(await page.hear()).toMatchObject([2, { code: 1003 }]);
    page.say(7, {});
    expect(await page.hear()).toMatchObject([2, { code: 1003 }]);
    await ready(page);
    page.socket.send('[1,{]');
    expect(await page.hear()).toMatchObject([2, { code: 1003 }]);
    for (const text of ['', '[]', '{"a":1}', '[1', '1,2]']) {
      const { page: other } = await running();
      other.socket.send(text);
      expect(await other.hear()).toBe(undefined);
    }
  });

  it('is closed with 1009 for a message that is too large', async () => {
    const { page } = await running();
    await ready(page);
    const closed = new Promise((resolve) => page.socket.on('close', resolve));
    page.say(1, { cmd: 'x'.repeat(4_000_000) });
    expect(await closed).toBe(1009);
  });

  it('may send sixty handshakes a minute', async () => {
    const { page } = await running();
    for (let i = 0; i < 61; i += 1) shake(page, { frame_id: 'x' });
    const heard: unknown[] = [];
    for (let i = 0; i < 61; i += 1) heard.push((await page.hear())?.[1]);
    expect(heard.slice(0, 60).every((said) => (said as { code: number }).code === 4001)).toBe(true);
    expect(heard[60]).toMatchObject({ code: 4002 });
  });
});

describe('the WebSocket of a host page', () => {
  it('accepts only its own page, and each key once', async () => {
    const { address } = await running();
    await expect(openPage(address)).rejects.toThrow('403');
    const { address: fresh } = await launched();
    const before = refusals().length;
    await expect(openPage(fresh, 'http://evil.example')).rejects.toThrow('403');
    await expect(
      openPage(fresh, `http://300000000000000002.localhost:${placeOf(fresh).port}`),
    ).rejects.toThrow('403');
    await expect(openPage(fresh.replace(/#.*/, '#no'))).rejects.toThrow('403');
    await expect(openPage(fresh.replace(APP, '300000000000000002'))).rejects.toThrow('404');
    await expect(openPage(fresh.replace(APP, 'evil'))).rejects.toThrow('404');
    const foreign = { over: 'postmessage', why: 'origin', clientId: APP };
    expect(refusals(before)).toMatchObject([
      { ...foreign, origin: 'http://evil.example', remedy: expect.stringContaining('its own address') },
      { ...foreign, origin: expect.stringMatching(/^http:\/\/300000000000000002\.localhost:\d+$/) },
    ]);
    // None of that has used it up.
    await ready(await openPage(fresh));
  });
});

describe('the host of an activity', () => {
  it('serves its page as a whole window, without framing and inline scripts', async () => {
    const { address } = await running();
    const page = await askFrame(address, '/.footbridge/activity');
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
    expect(page.headers).toMatchObject({
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'same-origin',
    });
    expect(page.body).not.toMatch(/<script>|style=| on[a-z]+=/);
    for (const file of ['activity.js', 'activity.css'])
      expect((await askFrame(address, `/.footbridge/${file}`)).status).toBe(200);
    const framed = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'iframe',
    };
    expect((await askFrame(address, '/.footbridge/activity', { headers: framed })).status).toBe(403);
    expect((await askFrame(address, '/.footbridge/other')).status).toBe(404);
    expect((await askFrame(address, '/.footbridge/activity', { method: 'POST' })).status).toBe(404);
  });

  it('proxies mapped paths, with /.proxy and without, and nothing else [N-6]', async () => {
    const { address, target } = await running();
    await map('/api', target);
    const { host } = placeOf(address);
    const asked = async (path: string) => JSON.parse((await askFrame(address, path)).body) as object;
    expect(await asked('/x?y=1')).toMatchObject({ method: 'GET', url: '/x?y=1', headers: { host: target } });
    for (const path of ['/api/token', '/.proxy/api/token'])
      expect(await asked(path)).toMatchObject({ url: '/token' });
    const worker = await askFrame(address, '/sw.js', { headers: { 'service-worker': 'script' } });
    expect([worker.status, worker.body]).toEqual([403, 'Service workers are not offered in an activity.\n']);
    const posted = await askFrame(address, '/.proxy/api/token', {
      method: 'POST',
      body: 'code=1',
      headers: {
        cookie: 'own=1',
        origin: `http://${host}`,
        'transfer-encoding': 'chunked',
        connection: 'close, x-hop',
        'x-hop': '1',
        'proxy-authorization': 'secret',
        'x-own': '2',
      },
    });
    const { headers, ...said } = JSON.parse(posted.body) as { headers: object };
    expect(said).toEqual({ method: 'POST', url: '/token', body: 'code=1' });
    expect(headers).toMatchObject({ cookie: 'own=1', 'x-own': '2', origin: `http://${host}` });
    expect(headers).not.toHaveProperty('x-hop');
    expect(headers).not.toHaveProperty('proxy-authorization');
    const policy = posted.headers['content-security-policy'];
    expect(policy).toContain(`connect-src 'self' data: blob: ws://${host};`);
    expect(policy).toContain("frame-ancestors 'self'");
    await bridge.operations.call('emulator.apply', {
      patch: { url_mappings: [{ application: APP, prefix: '/api', remove: true }] },
    });
    expect(await asked('/api/token')).toMatchObject({ url: '/api/token' });
    expect((await askFrame(address, '/a/../../b')).status).toBe(404);
    expect((await askFrame(address.replace(APP, '300000000000000002'), '/')).status).toBe(404);
    expect(
      (await askFrame(address, '/', { headers: { host: `127.0.0.1:${placeOf(address).port}` } })).status,
    ).toBe(404);
  });

  it('refuses pages of other origins, except for a navigation of the user', async () => {
    const { address } = await running();
    const from = (mode: string, dest: string, site = 'cross-site') =>
      askFrame(address, '/x', {
        headers: { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest },
      });
    expect((await from('cors', 'empty')).status).toBe(403);
    expect((await from('no-cors', 'script', 'same-site')).status).toBe(403);
    expect((await from('navigate', 'iframe')).status).toBe(403);
    expect((await from('navigate', 'document')).status).toBe(200);
    expect((await from('cors', 'empty', 'same-origin')).status).toBe(200);
  });

  it('rewrites redirects to stay in the frame, and reports a target that does not answer', async () => {
    const target = await appServer(({ url }) => {
      const where = new URL(url ?? '', 'http://x').searchParams.get('to') ?? '';
      return { status: 302, headers: { location: where.replace('SELF', `http://${target}`) }, body: '' };
    });
    await map('/', 'localhost:1');
    await map('/api', `${target}/base`);
    const { address } = await launched();
    const { host } = placeOf(address);
    const leads = async (to: string) =>
      (await askFrame(address, `/api/a/b?to=${encodeURIComponent(to)}`)).headers.location;
    expect(await leads('SELF/base/c?d#e')).toBe(`http://${host}/api/c?d#e`);
    expect(await leads('/base/c')).toBe(`http://${host}/api/c`);
    expect(await leads('c')).toBe(`http://${host}/api/a/c`);
    expect(await leads('/other')).toBe('/other');
    expect(await leads('https://example.com/')).toBe('https://example.com/');
    const nobody = await askFrame(address, '/');
    expect(nobody.status).toBe(502);
    expect(nobody.body).toBe(
      'The URL mapping of / leads to localhost:1, which cannot be reached: ECONNREFUSED. Is it running?\n',
    );
    await bridge.operations.call('emulator.apply', {
      patch: { url_mappings: [{ application: APP, prefix: '/api', remove: true }] },
    });
  });

  it('survives a target whose answer is no HTTP, and reports that', async () => {
    let says = '';
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(says, 'latin1'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    await map('/', `127.0.0.1:${(server.address() as AddressInfo).port}`);
    const { address } = await launched();
    const asked = async (answer: string) => {
      says = `HTTP/1.1 ${answer}\r\nContent-Length: 0\r\n\r\n`;
      return askFrame(address, '/');
    };
    // Node reads both of them, and throws for whoever writes them.
    expect((await asked('200 O\u0001K')).status).toBe(200);
    for (const answer of ['099 X', '000 X', '101 X\r\nConnection: Upgrade\r\nUpgrade: x', 'x']) {
      const { status, body } = await asked(answer);
      expect(status).toBe(502);
      expect(body).toContain('whose answer is no HTTP: HPE_');
    }
  });

  it('forwards one body as one request, even if Connection names its length', async () => {
    const { address } = await running();
    const inner = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
    const headers = { connection: 'content-length', 'content-length': String(inner.length) };
    const { body } = await askFrame(address, '/', { headers, body: inner });
    expect(JSON.parse(body)).toMatchObject({ url: '/', body: inner });
  });

  it('proxies WebSockets of the frame, and of no other page [N-6]', async () => {
    const { address } = await running();
    const { port, host } = placeOf(address);
    const open = (path: string, origin: string) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers: { host }, origin });
        socket.on('open', () => socket.send('hello'));
        socket.on('message', (data) => {
          resolve((data as Buffer).toString('utf8'));
          socket.terminate();
        });
        socket.on('error', ({ message }) => resolve(message));
      });
    expect(await open('/ws?room=1', `http://${host}`)).toBe('/ws?room=1 hello');
    expect(await open('/.proxy/ws', `http://${host}`)).toBe('/ws hello');
    expect(await open('/ws', 'http://evil.example')).toMatch('403');
    await map('/', 'localhost:1');
    expect(await open('/ws', `http://${host}`)).toMatch('502');
  });
});
