import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Opcode } from '../../src/wire/codes.ts';
import { AppPeer } from '../helpers/app-peer.ts';
import { allScopes, emulatorBridge } from '../helpers/emulator-bridge.ts';
import { ids } from '../helpers/emulator-world.ts';
import { cutBytes, frameBytes } from '../helpers/frame-bytes.ts';
import { ipcBridge } from '../helpers/ipc-bridge.ts';

it.each([2, '2', null, 'x'])(
  'a handshake over IPC with the version %j is closed with 4004 [§9 case 1]',
  async (v) => {
    const { raw, core } = await ipcBridge();
    const peer = new AppPeer(await raw());
    peer.send(Opcode.HANDSHAKE, { v, client_id: ids.harbourExample });
    expect(await peer.closed()).toEqual({ code: 4004, message: 'Unsupported protocol version: v must be 1' });
    expect(core.peers).toEqual([]);
  },
);

it.each([{ v: '1' }, {}])(
  'a handshake over IPC with %j is answered with READY [§9 case 2]',
  async (version) => {
    const { raw } = await ipcBridge();
    const peer = new AppPeer(await raw());
    peer.send(Opcode.HANDSHAKE, { ...version, client_id: ids.harbourExample });
    expect(await peer.answer()).toMatchObject({ evt: 'READY' });
  },
);

it('requests are read from chunks of 2,048 bytes that ignore the bounds of frames [§9 case 5]', async () => {
  const { app, raw } = await ipcBridge();
  await app();
  const link = await raw();
  const peer = new AppPeer(link);
  const requests = Array.from({ length: 5 }, (_, n) =>
    frameBytes(
      Opcode.FRAME,
      JSON.stringify({ cmd: 'GET_GUILDS', nonce: `${n}`, args: { x: 'x'.repeat(3000) } }),
    ),
  );
  const handshake = frameBytes(Opcode.HANDSHAKE, `{"v":1,"client_id":"${ids.harbourExample}"}`);
  const bytes = Buffer.concat([handshake, ...requests]);
  const chunks = cutBytes(
    bytes,
    Array.from({ length: Math.floor(bytes.length / 2048) }, (_, n) => (n + 1) * 2048),
  );
  for (const chunk of chunks) {
    // Each in a read of its own.
    await new Promise<void>((resolve) => void link.socket.write(chunk, () => setImmediate(resolve)));
  }
  expect(await peer.answer()).toMatchObject({ evt: 'READY' });
  for (const n of requests.keys()) expect(await peer.answer()).toMatchObject({ nonce: `${n}`, evt: null });
});

it('a frame without a body closes only the connection that sent it [§9 case 8]', async () => {
  const { app } = await ipcBridge();
  const [other, peer] = [await app(), await app()];
  peer.send(Opcode.FRAME, '');
  expect(await peer.closed()).toMatchObject({ code: 1003, message: expect.stringMatching(/\w/) });
  expect(await other.call('GET_GUILDS')).toMatchObject({ evt: null });
});

it.each([{}, { activity: null }])(
  'a SET_ACTIVITY that clears the presence with %j is answered with null [§9 case 13]',
  async (args) => {
    const { app } = await emulatorBridge();
    const peer = await app();
    await peer.call('SET_ACTIVITY', { pid: 1, activity: { state: 'rowing' } });
    expect(await peer.call('SET_ACTIVITY', { pid: 1, ...args })).toMatchObject({ evt: null, data: null });
  },
);

it('an answer repeats a nonce that is reused or a decimal text, and has null for a missing one [§9 case 16]', async () => {
  const { app } = await ipcBridge();
  const peer = await app();
  const nonces = ['deadbeef', 'deadbeef', '1690000000.12345678901234567890', '1'];
  for (const nonce of nonces) peer.request('GET_GUILDS', {}, { nonce });
  for (const nonce of nonces) expect(await peer.answer()).toMatchObject({ nonce, evt: null });
  peer.send(Opcode.FRAME, { cmd: 'GET_GUILDS' });
  expect(await peer.answer()).toMatchObject({ nonce: null, evt: 'ERROR', data: { code: 4000 } });
});

it('arguments may be missing or null, and a list is answered with an error [§9 case 17]', async () => {
  const { app } = await emulatorBridge();
  const peer = await app({ scopes: allScopes });
  for (const args of [undefined, null]) {
    expect(await peer.call('GET_GUILDS', args)).toMatchObject({ evt: null });
    expect(await peer.call('SUBSCRIBE', args, { evt: 'GUILD_CREATE' })).toMatchObject({
      data: { evt: 'GUILD_CREATE' },
    });
  }
  const other = await app();
  expect(await other.call('AUTHENTICATE', [{ access_token: 'x' }])).toMatchObject({
    evt: 'ERROR',
    data: { code: 4000 },
  });
});

it('a link that is not opened is answered with an error that has a code and a message [§9 case 27]', async () => {
  const bridge = await emulatorBridge({ applications: [{ id: ids.harbourExample, consent: 'deny' }] });
  const app = await bridge.app();
  expect(await app.call('DEEP_LINK', { type: 'CHANGELOG', params: {} })).toMatchObject({
    evt: 'ERROR',
    data: { code: 1000, message: expect.stringMatching(/\w/) },
  });
  expect(await app.call('CONNECTIONS_CALLBACK', { providerType: 'x', code: 'c', state: 's' })).toMatchObject({
    evt: 'ERROR',
    data: { code: 4006, message: expect.stringMatching(/\w/) },
  });
});

it('each case of §9 about servers is named by a test', () => {
  const about = [...range(1, 14), ...range(16, 19), ...range(21, 23), ...range(25, 27), 29, 32];
  const folder = fileURLToPath(new URL('..', import.meta.url));
  const named = new Set<number>();
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.test.ts')) continue;
    const text = readFileSync(join(folder, path), 'utf8');
    for (const [, numbers = ''] of text.matchAll(/§9 cases? (\d+(?: and \d+)*)/g)) {
      for (const number of numbers.split(' and ')) named.add(Number(number));
    }
  }
  expect(about.filter((number) => !named.has(number))).toEqual([]);
});

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, n) => first + n);
}
