import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type StartEmulatorOptions, startEmulator, type TestEmulator } from '../../src/testing/testing.ts';
import { AppPeer } from '../helpers/app-peer.ts';
import { gatewayBot } from '../helpers/gateway-bot.ts';
import { rawPeer } from '../helpers/raw-peer.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

const APP = '1000000000000000010';
const CHANNEL = '1000000000000000022';
const TOKEN = `${Buffer.from(APP).toString('base64url')}.emulator.bot`;

const world = () => ({
  me: 'ana',
  users: [
    { id: '1000000000000000001', username: 'ana' },
    { id: '1000000000000000003', username: 'helper', bot: true },
  ],
  applications: [{ id: APP, name: 'Helper', bot_user: 'helper', redirect_uris: ['http://127.0.0.1/back'] }],
  guilds: [
    {
      id: '1000000000000000020',
      name: 'Testers',
      owner: 'ana',
      roles: [{ id: '1000000000000000021', name: 'bots', permissions: ['ADMINISTRATOR'] }],
      members: [{ user: 'helper', roles: ['1000000000000000021'] }],
      channels: [{ id: CHANNEL, name: 'general', type: 'text' }],
    },
  ],
});

async function started(options: StartEmulatorOptions = {}): Promise<TestEmulator> {
  const emulator = await startEmulator({ fixture: world(), ...options });
  onTestFinished(() => emulator.close());
  return emulator;
}

async function app(emulator: TestEmulator): Promise<AppPeer> {
  const peer = new AppPeer(await rawPeer(emulator.endpoint));
  await peer.handshake(APP);
  return peer;
}

const asBot = { authorization: `Bot ${TOKEN}` };

describe('restart', () => {
  it('restores world, files, clock, grants and tokens at the same addresses', async () => {
    const fixture = world();
    const emulator = await started({ fixture });
    fixture.users.pop();
    const { endpoint, api, ws, folder, env } = emulator;
    const body = new FormData();
    body.set('payload_json', JSON.stringify({ content: 'Who is up?' }));
    body.set('files[0]', new Blob(['high']), 'tide.txt');
    const posted = await fetch(`${api}/v10/channels/${CHANNEL}/messages`, {
      method: 'POST',
      headers: asBot,
      body,
    });
    const { id } = (await posted.json()) as { id: string };
    const peer = await app(emulator);
    const { data } = await peer.call('AUTHORIZE', { client_id: APP, scopes: ['identify'] });
    const form = { grant_type: 'authorization_code', code: data.code, client_id: APP, client_secret: 'any' };
    const got = await fetch(`${api}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) });
    const { access_token } = (await got.json()) as { access_token: string };
    await emulator.operations.call('origins.add', { clientId: APP, origin: 'http://localhost:3000' });
    await emulator.clock.freeze();
    await emulator.clock.set(new Date('2031-05-06T00:00:00Z'));
    const granted = await emulator.operations.call('grants.list');

    await emulator.restart();

    expect(emulator).toMatchObject({ endpoint, api, ws, folder, env });
    const url = `${api}/v10/channels/${CHANNEL}/messages/${id}`;
    const message = (await (await fetch(url, { headers: asBot })).json()) as {
      content: string;
      attachments: { url: string }[];
    };
    expect(message.content).toBe('Who is up?');
    expect(await (await fetch(message.attachments[0]?.url ?? '')).text()).toBe('high');
    const me = await fetch(`${api}/users/@me`, { headers: { authorization: `Bearer ${access_token}` } });
    // Over since: the clock is years ahead.
    expect(me.status).toBe(401);
    expect(await emulator.operations.call('clock.now')).toMatchObject({
      now: '2031-05-06T00:00:00.000Z',
      frozen: true,
    });
    await emulator.clock.reset();
    const again = await fetch(`${api}/users/@me`, { headers: { authorization: `Bearer ${access_token}` } });
    expect(await again.json()).toMatchObject({ username: 'ana' });
    expect(await emulator.operations.call('grants.list')).toEqual(granted);
    expect(await emulator.operations.call('origins.list')).toMatchObject({
      origins: [{ clientId: APP, origin: 'http://localhost:3000' }],
    });
    // The fixture is still where a reset goes, as it was when the emulator was started.
    await emulator.operations.call('emulator.reset');
    expect((await fetch(url, { headers: asBot })).status).toBe(404);
    expect(await emulator.operations.call('summary')).toMatchObject({ channels: { text: [CHANNEL] } });
  });

  it('cuts every connection without a CLOSE frame, over every transport, and accepts new ones', async () => {
    const emulator = await started();
    const peer = await app(emulator);
    const web = await rawSocket(Number(new URL(emulator.ws).port));
    web.write(
      `GET /?v=1&client_id=${APP}&encoding=json HTTP/1.1\r\nHost: 127.0.0.1:${new URL(emulator.ws).port}\r\n` +
        'Origin: http://127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    const http = await rawSocket(Number(new URL(emulator.api).port));
    http.write('POST /api/v10/channels/1/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n');
    const gone = Promise.all([over(http), over(web)]);
    await emulator.restart();
    await gone;
    // No CLOSE, and nothing after it.
    expect(await peer.next()).toBeUndefined();
    await app(emulator);
  });

  it('leaves the buttons of messages to the bot that connects afterwards [W-3]', async () => {
    const emulator = await started();
    const answers = (content: string) => () => ({ type: 4, data: { content } });
    await gatewayBot(emulator, APP, answers('before'));
    const button = { type: 2, style: 1, label: 'Ask', custom_id: 'ask' };
    const posted = await fetch(`${emulator.api}/v10/channels/${CHANNEL}/messages`, {
      method: 'POST',
      headers: { ...asBot, 'content-type': 'application/json' },
      body: JSON.stringify({ components: [{ type: 1, components: [button] }] }),
    });
    const { id: message } = (await posted.json()) as { id: string };
    const click = () => emulator.operations.call('interaction.click', { message, button: 'ask' });
    expect((await click()).message?.content).toBe('before');
    await emulator.restart();
    await gatewayBot(emulator, APP, answers('after'));
    expect((await click()).message?.content).toBe('after');
    // What was answered before is forgotten, as whoever asked.
    expect(await emulator.operations.call('interaction.list')).toHaveLength(1);
  });

  it('delays operations, may be repeated, and is rejected after close', async () => {
    const emulator = await started();
    const restarts = [emulator.restart(), emulator.restart()];
    const said = emulator.operations.call('channel.say', { channel: 'general', text: 'still here' });
    await Promise.all([...restarts, said]);
    await emulator.restart();
    const { messages } = (await emulator.operations.call('emulator.show')) as {
      messages: { content: string }[];
    };
    expect(messages.map(({ content }) => content)).toEqual(['still here']);
    const last = emulator.restart();
    await emulator.close();
    await last;
    await expect(emulator.restart()).rejects.toMatchObject({
      code: 'FOOTBRIDGE_CLOSED',
      message: 'restart: this emulator is closed. Start another one.',
    });
  });

  it('ends an emulator that cannot start again, with the reason', async () => {
    const fixture = join(temporaryFolder(), 'world.toml');
    writeFileSync(fixture, 'me = "7"\n[[users]]\nid = "7"\nusername = "seven"\n');
    const emulator = await started({ fixture });
    rmSync(fixture);
    await expect(emulator.restart()).rejects.toMatchObject({ code: 'FOOTBRIDGE_FIXTURE' });
    expect(existsSync(emulator.folder)).toBe(false);
    await expect(emulator.clock.now()).rejects.toMatchObject({ code: 'FOOTBRIDGE_CLOSED' });
  });
});

describe('advance', () => {
  it('expires waiting consent requests and sign-in addresses', async () => {
    const emulator = await started({ consent: 'ask' });
    const peer = await app(emulator);
    const asked = peer.call('AUTHORIZE', { client_id: APP, scopes: ['identify'] });
    const waiting = () => emulator.operations.call('requests.list');
    await expect.poll(waiting).toHaveLength(1);
    const signIn = async () => {
      const { address } = (await emulator.operations.call('sign-in')) as { address: string };
      return address;
    };
    const early = await signIn();
    const late = await signIn();
    const before = await emulator.clock.now();
    expect((await fetch(early, { redirect: 'manual' })).status).toBeLessThan(400);
    const after = await emulator.advance('11m');
    expect(after.getTime() - before.getTime()).toBeGreaterThanOrEqual(11 * 60_000);
    expect(await waiting()).toEqual([]);
    expect(await asked).toMatchObject({ evt: 'ERROR' });
    expect((await fetch(late, { redirect: 'manual' })).status).toBeGreaterThanOrEqual(400);
  });

  it('rejects a value that is no duration', async () => {
    const emulator = await started();
    await expect(emulator.advance('soon')).rejects.toMatchObject({ code: 'FOOTBRIDGE_SETTING' });
    await expect(emulator.advance(5 as never)).rejects.toMatchObject({ code: 'FOOTBRIDGE_ARGUMENTS' });
  });
});

async function rawSocket(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  onTestFinished(() => void socket.destroy());
  await new Promise((resolve) => socket.once('connect', resolve));
  return socket.on('error', () => {});
}

/** That the other end has gone. */
function over(socket: Socket): Promise<unknown> {
  socket.resume();
  return new Promise((resolve) => socket.once('close', resolve));
}
