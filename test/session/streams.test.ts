import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FaultEffect } from '../../src/faults/fault.ts';
import { Faults } from '../../src/faults/faults.ts';
import { Journal } from '../../src/journal/journal.ts';
import { createServer } from '../../src/server/server.ts';
import { defaultLimits } from '../../src/session/limits.ts';
import { hostedSocket } from '../../src/transport/hosted.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { offersStreams, STREAM_NOTICE } from '../../src/wire/streams.ts';
import { AppPeer, CLIENT_ID } from '../helpers/app-peer.ts';
import { fakeCore, later } from '../helpers/fake-core.ts';
import { frameBytes } from '../helpers/frame-bytes.ts';
import { type IpcBridgeOptions, ipcBridge } from '../helpers/ipc-bridge.ts';
import { memoryBridge } from '../helpers/memory-bridge.ts';
import { rawPeer } from '../helpers/raw-peer.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

/** The first requests of a process, and those on a busy machine, may take longer than one turn of the event loop. */
const SOON = { timeout: 10_000, interval: 0 };
const REQUESTS = Array.from({ length: 12 }, (_, index) => String(index));

async function connected(options: IpcBridgeOptions = {}) {
  const bridge = await ipcBridge({ scopes: ['rpc'], ...options });
  const raw = await bridge.raw();
  const app = new AppPeer(raw);
  /** Number of reads in which the answers to requests of one write arrive. */
  const reads = async (): Promise<number> => {
    let count = 0;
    const countRead = (): void => {
      count += 1;
    };
    raw.socket.on('data', countRead);
    app.write(Buffer.concat(REQUESTS.map((nonce) => requestBytes(nonce))));
    for (const nonce of REQUESTS) expect((await app.answer()).nonce).toBe(nonce);
    raw.socket.off('data', countRead);
    return count;
  };
  return { app, reads };
}

function requestBytes(nonce: string): Uint8Array {
  return frameBytes(Opcode.FRAME, JSON.stringify({ cmd: 'GET_GUILDS', args: {}, nonce }));
}

async function ready(options: IpcBridgeOptions = {}) {
  const { app, reads } = await connected(options);
  const { data } = await app.handshake();
  return { app, data: data as unknown, reads };
}

async function notify(app: AppPeer): Promise<void> {
  app.send(Opcode.PING, STREAM_NOTICE);
  expect(await app.next()).toEqual({ opcode: Opcode.PONG, body: JSON.parse(STREAM_NOTICE) });
}

describe('a peer that reads streams', () => {
  it.each([
    ['with the journal off', () => ({})],
    ['while the journal observes it', () => ({ journal: new Journal() })],
  ])('gets the answers of one read in one write after its notice, %s', async (_, options) => {
    const { app, data, reads } = await ready(options());
    expect(offersStreams(data)).toBe(true);
    expect(await reads()).toBe(REQUESTS.length);
    await notify(app);
    await expect.poll(reads, SOON).toBe(1);
    // The notice again changes nothing.
    await notify(app);
    await expect.poll(reads, SOON).toBe(1);
  });
  it('gets no offer from an endpoint without pacing, and its notice is a PING like any other', async () => {
    const { app, data, reads } = await ready({ pacing: false });
    expect(offersStreams(data)).toBe(false);
    await notify(app);
    await expect.poll(reads, SOON).toBe(1);
  });
  it('gets no offer from a transport without pacing, and its notice is a PING like any other', async () => {
    const bridge = await memoryBridge({ scopes: ['rpc'] });
    const app = bridge.connect();
    expect(offersStreams((await app.handshake()).data)).toBe(false);
    for (const _ of [1, 2]) await notify(app);
    expect((await app.call('GET_GUILDS')).evt).toBeNull();
  });
  it('stays paced after a PING with another body', async () => {
    const { app, reads } = await ready();
    app.send(Opcode.PING, JSON.stringify('footbridge'));
    expect((await app.next())?.opcode).toBe(Opcode.PONG);
    expect(await reads()).toBe(REQUESTS.length);
  });
  it('stays paced after the notice before its handshake, and before READY', async () => {
    const opened = later();
    const { app, reads } = await connected({ open: () => opened.promise });
    await notify(app);
    app.send(Opcode.HANDSHAKE, { v: 1, client_id: CLIENT_ID });
    await notify(app);
    opened.resolve();
    expect((await app.answer()).evt).toBe('READY');
    expect(await reads()).toBe(REQUESTS.length);
  });
  it('gets every answer in order when the notice is between requests of one write', async () => {
    const { app } = await ready();
    const notice = frameBytes(Opcode.PING, STREAM_NOTICE);
    app.write(Buffer.concat(REQUESTS.flatMap((nonce) => [requestBytes(nonce), notice])));
    for (const nonce of REQUESTS) {
      expect((await app.answer()).nonce).toBe(nonce);
      expect((await app.next())?.opcode).toBe(Opcode.PONG);
    }
  });
  it.each<FaultEffect>([
    { kind: 'delay', ms: 5 },
    { kind: 'split' },
    { kind: 'coalesce' },
    { kind: 'slow', bytesPerSecond: 100_000 },
  ])('gets every answer in order from a connection with the fault $kind', async (effect) => {
    const faults = new Faults();
    const { app, data } = await ready({ faults, journal: new Journal() });
    expect(offersStreams(data)).toBe(true);
    faults.add({ effect, where: { on: 'rpc' } });
    const notice = frameBytes(Opcode.PING, STREAM_NOTICE);
    const [first = '', ...others] = REQUESTS;
    app.write(Buffer.concat([requestBytes(first), notice, ...others.map((nonce) => requestBytes(nonce))]));
    expect((await app.answer()).nonce).toBe(first);
    expect((await app.next())?.opcode).toBe(Opcode.PONG);
    for (const nonce of others) expect((await app.answer()).nonce).toBe(nonce);
    faults.clear();
    for (const nonce of REQUESTS) {
      app.write(requestBytes(nonce));
      expect((await app.answer()).nonce).toBe(nonce);
    }
  });
});

describe('a peer that does not read', () => {
  async function pipelined(bytes: number, isNotified: boolean) {
    const socket = await hostedSocket({ env: { XDG_RUNTIME_DIR: temporaryFolder() } }, defaultLimits);
    let served = 0;
    const guilds = [{ id: '1', name: 'x'.repeat(bytes), icon_url: null }];
    const GET_GUILDS = () => {
      served += 1;
      return { guilds };
    };
    const core = fakeCore({ handlers: { GET_GUILDS }, scopes: ['rpc'] });
    const server = await createServer({ transports: [socket], core });
    onTestFinished(() => server.close());
    const raw = await rawPeer(server.endpoints[0]?.path ?? '');
    const app = new AppPeer(raw);
    await app.handshake();
    if (isNotified) await notify(app);
    raw.socket.pause();
    const nonces = Array.from({ length: 400 }, (_, index) => String(index));
    app.write(Buffer.concat(nonces.map((nonce) => requestBytes(nonce))));
    await expect.poll(() => served).toBeGreaterThan(0);
    await delay(600);
    return { app, raw, nonces, served: () => served };
  }

  it.each([
    ['60 KB, paced', 60_000, false],
    ['60 KB, after its notice', 60_000, true],
    ['200 KB, paced', 200_000, false],
    ['200 KB, after its notice', 200_000, true],
    ['2 MB, paced', 2_000_000, false],
    ['2 MB, after its notice', 2_000_000, true],
  ])(
    'has no further requests served with answers of %s, and later gets all in order',
    async (_, bytes, isNotified) => {
      const { app, raw, nonces, served } = await pipelined(bytes, isNotified);
      // At most a megabyte of ours, what the kernel takes, and one answer more.
      const inKernel = 512 * 1024;
      expect((served() - 1) * bytes).toBeLessThanOrEqual(1024 * 1024 + inKernel + bytes);
      raw.socket.resume();
      for (const nonce of nonces.slice(0, 40)) expect((await app.answer()).nonce).toBe(nonce);
    },
  );
});
