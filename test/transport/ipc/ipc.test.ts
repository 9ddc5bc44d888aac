import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { operatingSystem } from '../../../platform/operating-system.ts';
import { ErrorCode } from '../../../src/protocol/error-code.ts';
import { CloseCode, Opcode } from '../../../src/wire/codes.ts';
import { AppPeer, asAnswer, CLIENT_ID, settled } from '../../helpers/app-peer.ts';
import { eventually } from '../../helpers/eventually.ts';
import { later } from '../../helpers/fake-core.ts';
import { concatBytes, frameBytes, headerBytes } from '../../helpers/frame-bytes.ts';
import { ipcBridge, os, testTransport } from '../../helpers/ipc-bridge.ts';
import { temporaryFolder, uid } from '../../helpers/sockets.ts';

const handshake = frameBytes(Opcode.HANDSHAKE, JSON.stringify({ v: 1, client_id: CLIENT_ID }));
const ask = (nonce: string) => frameBytes(Opcode.FRAME, JSON.stringify({ cmd: 'GET_GUILDS', nonce }));
const STATUS = { guild: { id: '1', name: 'Harbour', icon_url: null }, online: 0 };

/** Connects so often without letting go, and says how it went. */
const CONNECTS = `
const [path, count] = process.argv.slice(1);
const said = { connected: 0, failed: 0 };
const done = () => {
  if (said.connected + said.failed === Number(count)) process.stdout.write(JSON.stringify(said), () => process.exit());
};
for (let i = 0; i < Number(count); i++) {
  require('node:net').connect(path)
    .on('connect', () => { said.connected++; done(); })
    .on('error', () => { said.failed++; done(); });
}
`;

/** How many connects the system queues at most, where it says so; 0 elsewhere. */
function systemBacklog(): number {
  const file = '/proc/sys/net/core/somaxconn';
  return existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
}

/** Takes frames up to the end of the connection. */
async function everything(app: AppPeer) {
  const all = [];
  for (let frame = await app.next(); frame; frame = await app.next()) all.push(frame);
  return all;
}

describe('the endpoint', () => {
  it('is a private socket, which close() removes without other files', async () => {
    const { folder, path, server, transport } = await ipcBridge();
    expect(path).toBe(join(folder, 'discord-ipc-0'));
    expect(lstatSync(path).isSocket()).toBe(true);
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
    expect(transport.owned()).toBe(true);
    writeFileSync(join(folder, 'discord-ipc-5'), 'not ours');
    await server.close();
    expect(readdirSync(folder).filter((name) => name.startsWith('discord-ipc-'))).toEqual(['discord-ipc-5']);
  });
  it.skipIf(systemBacklog() < 1000)(
    'queues as many connects as the system allows while it is busy (needs a system limit of 1,000)',
    async () => {
      const { path } = await ipcBridge();
      // Nobody accepts meanwhile: this process waits for the other one.
      const { stdout } = spawnSync(process.execPath, ['-e', CONNECTS, path, '900'], { encoding: 'utf8' });
      expect(JSON.parse(stdout)).toEqual({ connected: 900, failed: 0 });
    },
  );
  it('uses the next index when another server holds the first, and reports that', async () => {
    const first = await ipcBridge();
    const second = testTransport(first.folder);
    onTestFinished(() => second.close());
    expect(await second.listen(() => {})).toEqual([
      { kind: 'ipc', path: join(first.folder, 'discord-ipc-1') },
    ]);
    expect(second.skipped()).toMatchObject([{ index: 0, path: first.path }]);
    expect(await (await first.app()).call('GET_GUILDS')).toMatchObject({ evt: null });
  });
  it('with a fixed index that is taken fails, and leaves the owner alone', async () => {
    const first = await ipcBridge();
    await expect(testTransport(first.folder, { index: 0 }).listen(() => {})).rejects.toMatchObject({
      code: 'FOOTBRIDGE_ENDPOINT_TAKEN',
    });
    expect(first.transport.owned()).toBe(true);
    expect(await (await first.app()).call('GET_GUILDS')).toMatchObject({ evt: null });
  });
  it('is removed once it stops accepting, while connected apps stay', async () => {
    const { app, path, transport, raw } = await ipcBridge();
    const peer = await app();
    transport.stopAccepting();
    expect(existsSync(path)).toBe(false);
    await expect(raw()).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await peer.call('GET_GUILDS')).toMatchObject({ evt: null });
  });
});

describe('the endpoint accepts', () => {
  it('header and body in two writes with a pause (§9 case 6)', async () => {
    const { raw } = await ipcBridge();
    const link = await raw();
    const app = new AppPeer(link);
    for (const frame of [handshake, ask('1')]) {
      link.write(frame.subarray(0, 8));
      await settled();
      link.write(frame.subarray(8));
      await settled();
    }
    expect(await app.answer()).toMatchObject({ evt: 'READY' });
    expect(await app.answer()).toMatchObject({ nonce: '1' });
  });
  it('frames one byte at a time (§9 case 4)', async () => {
    const { raw } = await ipcBridge();
    const link = await raw();
    const app = new AppPeer(link);
    for (const byte of concatBytes(handshake, ask('1'))) {
      link.write(Uint8Array.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await app.answer()).toMatchObject({ evt: 'READY' });
    expect(await app.answer()).toMatchObject({ nonce: '1' });
  });
  it('a handshake and 300 requests in one write, and answers all in order', async () => {
    const { raw } = await ipcBridge();
    const link = await raw();
    const app = new AppPeer(link);
    const nonces = Array.from({ length: 300 }, (_, i) => String(i));
    link.write(concatBytes(handshake, ...nonces.map(ask)));
    expect(await app.answer()).toMatchObject({ evt: 'READY' });
    for (const nonce of nonces) expect(await app.answer()).toMatchObject({ nonce, evt: null });
    expect(await app.rest()).toEqual([]);
  });
  it('7,000 PINGs in one write, and answers all in order', async () => {
    const { raw } = await ipcBridge({ limits: { messagesBurst: 10_000, handshakeMs: 120_000 } });
    const link = await raw();
    const app = new AppPeer(link);
    link.write(concatBytes(...Array.from({ length: 7000 }, (_, i) => frameBytes(Opcode.PING, String(i)))));
    for (let i = 0; i < 7000; i++) expect(await app.next()).toEqual({ opcode: Opcode.PONG, body: i });
  });
  it('a request of 100 KB', async () => {
    const { app } = await ipcBridge();
    const peer = await app();
    expect(await peer.call('GET_GUILDS', { text: 'x'.repeat(100_000) })).toMatchObject({ evt: null });
  });
});

describe.each([
  ['2 GiB', headerBytes(Opcode.HANDSHAKE, 0x8000_0000)],
  ['4 GiB - 1', headerBytes(Opcode.HANDSHAKE, 0xffff_ffff)],
  ['zero bytes', headerBytes(Opcode.HANDSHAKE, 0)],
  ['opcode 5', headerBytes(5, 2)],
  ['4 KB of garbage', new Uint8Array(4096).fill(0xa5)],
  ['a FRAME', ask('1')],
])('%s instead of a handshake', (_name, bytes) => {
  it('is closed with 1003, and other apps are unaffected', async () => {
    const { raw, app } = await ipcBridge();
    const good = await app();
    const link = await raw();
    const bad = new AppPeer(link);
    link.write(bytes);
    expect(await bad.closed()).toMatchObject({ code: CloseCode.UNSUPPORTED });
    expect(await good.call('GET_GUILDS')).toMatchObject({ evt: null });
  });
});

describe('a client that handles one frame per read and drops the rest (§9 case 3)', () => {
  const blind = os.native.kind === 'absent';
  const skipped = blind ? ' (skipped: the optional package koffi does not load)' : '';

  it.skipIf(blind)(
    `gets nine SUBSCRIBE answers and nine events requested in one tick${skipped}`,
    async () => {
      const { raw } = await ipcBridge({ subscribe: () => [STATUS] });
      const { socket } = await raw({ reading: false });
      const seen: { nonce: string | null; evt: string | null }[] = [];
      socket.removeAllListeners('data');
      socket.on('readable', () => {
        const chunk: Buffer | null = socket.read();
        if (chunk) seen.push(JSON.parse(chunk.toString('utf8', 8, 8 + chunk.readInt32LE(4))));
      });
      socket.write(handshake);
      await eventually(() => expect(seen).toHaveLength(1), { timeout: 20_000 });
      const nonces = Array.from({ length: 9 }, (_, i) => String(i));
      for (const nonce of nonces) {
        // Different arguments, so that each is a subscription of its own.
        const args = { guild_id: String(Number(nonce) + 1) };
        socket.write(
          frameBytes(Opcode.FRAME, JSON.stringify({ cmd: 'SUBSCRIBE', evt: 'GUILD_STATUS', args, nonce })),
        );
      }
      await eventually(() => expect(seen).toHaveLength(1 + 9 + 9), { timeout: 20_000 });
      expect(seen.filter(({ nonce }) => nonce !== null).map(({ nonce }) => nonce)).toEqual(nonces);
      expect(seen.filter(({ evt }) => evt === 'GUILD_STATUS')).toHaveLength(9);
    },
  );
});

describe('a peer that leaves', () => {
  // The session does not take a thousand requests in one turn.
  it.each([100, 1000])('with a half-close still gets every answer to %i requests', async (count) => {
    const { raw, server } = await ipcBridge();
    const link = await raw();
    const app = new AppPeer(link);
    const nonces = Array.from({ length: count }, (_, i) => String(i));
    link.write(concatBytes(handshake, ...nonces.map(ask)));
    link.halfClose();
    const answers = (await everything(app)).map(asAnswer);
    expect(answers.map(({ nonce }) => nonce)).toEqual([null, ...nonces]);
    await eventually(() => expect(server.sessions()).toEqual([]), { timeout: 20_000 });
  });
  it('before its handshake, with or without unread answers, has no effect (§9 case 18)', async () => {
    const { raw, app, server, core } = await ipcBridge();
    for (let i = 0; i < 20; i++) {
      // Leaving a PONG unread makes the system report a reset.
      const rude = await raw({ reading: false });
      rude.write(concatBytes(frameBytes(Opcode.PING, '1'), headerBytes(Opcode.HANDSHAKE, 40)));
      if (i % 2) await settled();
      rude.end();
      (await raw()).end();
    }
    const good = await app();
    expect(await good.call('GET_GUILDS')).toMatchObject({ evt: null });
    await eventually(() => expect(server.sessions()).toHaveLength(1), { timeout: 20_000 });
    expect(core.peers).toHaveLength(1);
  });
  it('during AUTHORIZE aborts it', async () => {
    const signal = later<AbortSignal>();
    const { app, server } = await ipcBridge({
      handlers: {
        AUTHORIZE: (_args, call) => {
          signal.resolve(call.signal);
          return new Promise(() => {});
        },
      },
    });
    const peer = await app();
    peer.request('AUTHORIZE', { client_id: CLIENT_ID });
    const given = await signal.promise;
    expect(given.aborted).toBe(false);
    peer.end();
    await eventually(() => expect(given.aborted).toBe(true), { timeout: 20_000 });
    await eventually(() => expect(server.sessions()).toEqual([]), { timeout: 20_000 });
  });
});

it('a peer that never reads is dropped, and no other (§9 case 26)', async () => {
  const { raw, app, server } = await ipcBridge({ limits: { unreadBytes: 64 * 1024, unreadMs: 300 } });
  const good = await app();
  const { socket, write } = await raw({ reading: false });
  write(handshake);
  const ping = frameBytes(Opcode.PING, JSON.stringify('x'.repeat(10_000)));
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const timer = setInterval(() => socket.writableLength === 0 && write(ping), 0);
  onTestFinished(() => clearInterval(timer));
  await gone;
  await eventually(() => expect(server.sessions()).toHaveLength(1), { timeout: 20_000 });
  expect(await good.call('GET_GUILDS')).toMatchObject({ evt: null });
});

describe('the connecting process', () => {
  const credentials = (given: { pid?: number; uid: number }) => ({
    ...os,
    peerOf: () => ({ kind: 'known' as const, credentials: { gid: 0, ...given } }),
  });

  it.skipIf(os.native.kind === 'absent')('is named to the core and in the status (needs koffi)', async () => {
    const { app, core, server } = await ipcBridge();
    await app();
    expect(core.peers).toMatchObject([{ transport: 'ipc', credentials: { pid: process.pid, uid } }]);
    expect(server.sessions()).toMatchObject([{ transport: 'ipc', pid: process.pid }]);
  });
  it('is accepted as unknown where the system cannot name it', async () => {
    const system = operatingSystem(os.name, os.uid, { kind: 'absent', reason: 'test' });
    const { app, core, server } = await ipcBridge({
      os: { ...system, claim: (...args) => os.claim(...args) },
    });
    expect(await (await app()).call('GET_GUILDS')).toMatchObject({ evt: null });
    expect(core.peers[0]).not.toHaveProperty('credentials');
    expect(server.sessions()).toMatchObject([{ pid: null }]);
  });
  it.each([
    ['somebody else', credentials({ uid: uid + 1000 }), `the peer belongs to uid ${uid + 1000}`],
    [
      'a peer that the system does not name',
      { ...os, peerOf: () => ({ kind: 'failed' as const, error: new Error('EBADF') }) },
      'the system does not say who the peer is',
    ],
  ])('is refused without a byte: %s', async (_name, system, reason) => {
    const onRefused = vi.fn();
    const { raw, server } = await ipcBridge({ os: system, onRefused });
    const link = await raw();
    link.write(concatBytes(frameBytes(Opcode.PING, '1'), handshake));
    expect(await link.receive()).toBeUndefined();
    expect(link.socket.bytesRead).toBe(0);
    expect(onRefused).toHaveBeenCalledExactlyOnceWith(reason);
    expect(server.counters()).toMatchObject({ accepted: 0 });
  });
  it('may be root, or a process of another namespace without an id here', async () => {
    const { app, core } = await ipcBridge({ os: credentials({ uid: 0 }) });
    expect(await (await app()).call('GET_GUILDS')).toMatchObject({ evt: null });
    expect(core.peers[0]?.credentials).toEqual({ pid: 0, uid: 0 });
  });
});

it('the rules of commands include the transport: SET_ACTIVITY over IPC needs a process id', async () => {
  const { app } = await ipcBridge();
  const peer = await app();
  expect(await peer.call('SET_ACTIVITY', {})).toMatchObject({
    data: { code: ErrorCode.INVALID_COMMAND, message: expect.stringMatching(/^pid: /) },
  });
});

describe('shutting down', () => {
  it('sends every peer its last answer and CLOSE, also one that has not read the answer yet', async () => {
    const decision = later<{ guilds: [] }>();
    const { raw, app, server } = await ipcBridge({ handlers: { GET_GUILDS: () => decision.promise } });
    const quick = await app();
    const slow = await raw({ reading: false });
    const lazy = new AppPeer(slow);
    slow.write(concatBytes(handshake, ask('s')));
    quick.request('GET_GUILDS', {}, { nonce: 'q' });
    await eventually(() => expect(server.sessions().map((one) => one.requestsInFlight)).toEqual([1, 1]));
    const closing = server.drain().then(() => server.close());
    decision.resolve({ guilds: [] });
    expect(await quick.answer()).toMatchObject({ nonce: 'q' });
    expect(await quick.closed()).toMatchObject({ code: CloseCode.NORMAL });
    setTimeout(() => slow.socket.resume(), 50);
    expect(await lazy.answer()).toMatchObject({ evt: 'READY' });
    expect(await lazy.answer()).toMatchObject({ nonce: 's' });
    expect(await lazy.closed()).toMatchObject({ code: CloseCode.NORMAL });
    await closing;
    expect(server.sessions()).toEqual([]);
  });
  it('at once closes a peer that never reads as well', async () => {
    const { raw, server, path } = await ipcBridge();
    const { socket, write } = await raw({ reading: false });
    write(concatBytes(handshake, ...Array.from({ length: 50 }, (_, i) => ask(String(i)))));
    await eventually(() => expect(server.counters()).toMatchObject({ ready: 1 }));
    const gone = new Promise((resolve) => socket.once('end', resolve));
    await server.close();
    socket.resume();
    await gone;
    expect(existsSync(path)).toBe(false);
  });
});

it('a listen that fails half-way leaves no file behind', async () => {
  const folder = temporaryFolder();
  const broken = {
    ...os,
    claim: async (...args: Parameters<typeof os.claim>) => {
      const claim = await os.claim(...args);
      return {
        ...claim,
        publish: () => {
          throw new Error('somebody was faster');
        },
      };
    },
  };
  await expect(testTransport(folder, { os: broken }).listen(() => {})).rejects.toThrow('somebody was faster');
  const again = testTransport(folder);
  onTestFinished(() => again.close());
  expect(await again.listen(() => {})).toEqual([{ kind: 'ipc', path: join(folder, 'discord-ipc-0') }]);
  expect(readdirSync(folder).filter((name) => name.startsWith('.fb'))).toEqual([]);
});
