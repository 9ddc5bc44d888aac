import { existsSync, lstatSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isLocalError } from '../../../src/base/local-error.ts';
import { createServer } from '../../../src/server/server.ts';
import { defaultLimits, type Limits } from '../../../src/session/limits.ts';
import { type NodeIpcOptions, nodeIpcTransport } from '../../../src/transport/node-ipc/node-ipc.ts';
import { CLIENT_ID, settled } from '../../helpers/app-peer.ts';
import { type FakeCoreOptions, fakeCore, fakeReady, later } from '../../helpers/fake-core.ts';
import { os } from '../../helpers/ipc-bridge.ts';
import { installNodeIpc, realNodeIpc } from '../../helpers/node-ipc-package.ts';
import { connectTo, leaveStaleSocket, listenOn, temporaryFolder } from '../../helpers/sockets.ts';

const KIB = 1024;

interface DoorOptions extends FakeCoreOptions {
  readonly from: string;
  readonly folder?: string;
  readonly limits?: Partial<Limits>;
  readonly os?: NodeIpcOptions['os'];
}

/** One event of the package. */
interface Event {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of many shapes
  readonly data: any;
}

function doorTransport(options: DoorOptions, folder: string, refused: string[]) {
  const limits = { ...defaultLimits, ...options.limits };
  return nodeIpcTransport({
    os: options.os ?? os,
    folders: os.prepareFolders({ XDG_RUNTIME_DIR: folder }),
    handshakeFrameBytes: limits.handshakeFrameBytes,
    frameBytes: limits.frameBytes,
    unreadBytes: limits.unreadBytes,
    from: options.from,
    onRefused: (reason) => refused.push(reason),
  });
}

async function door(options: DoorOptions) {
  const folder = options.folder ?? temporaryFolder();
  const refused: string[] = [];
  const core = fakeCore(options);
  const transport = doorTransport(options, folder, refused);
  const limits = { ...defaultLimits, ...options.limits };
  const server = await createServer({ transports: [transport], core, limits });
  onTestFinished(() => server.close());
  const path = server.endpoints[0]?.path ?? '';
  return {
    server,
    core,
    path,
    refused,
    transport,
    connect: async () => new EventPeer(await connectTo(path)),
  };
}

/** An app that speaks the package's framing by hand. */
class EventPeer {
  readonly socket: Socket;
  readonly #events: Event[] = [];
  #ended = false;
  #wake = (): void => {};

  constructor(socket: Socket) {
    this.socket = socket;
    let text = '';
    socket.on('data', (chunk) => {
      const parts = (text + String(chunk)).split('\f');
      text = parts.pop() ?? '';
      this.#events.push(...parts.map((part) => JSON.parse(part) as Event));
      this.#wake();
    });
    socket.on('close', () => {
      this.#ended = true;
      this.#wake();
    });
  }

  send(type: string, data: unknown): void {
    this.socket.write(`${JSON.stringify({ type, data })}\f`);
  }

  async next(): Promise<Event | undefined> {
    while (this.#events.length === 0 && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#events.shift();
  }

  async handshake(): Promise<Event | undefined> {
    this.send('handshake', { v: 1, client_id: CLIENT_ID });
    return this.next();
  }

  /** The data of the goodbye that must come next and last. */
  async closed(): Promise<unknown> {
    const goodbye = await this.next();
    expect(goodbye?.type).toBe('closing');
    expect(await this.next()).toBeUndefined();
    return goodbye?.data;
  }
}

async function failureOf(listening: Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await listening;
  } catch (error) {
    if (isLocalError(error)) return { code: error.code, message: error.message };
    throw error;
  }
  return { code: 'none', message: 'it listens' };
}

const real = realNodeIpc();

describe.each([
  { name: 'a stand-in', from: () => installNodeIpc('14.0.0'), missing: false },
  {
    name: real === undefined ? 'node-ipc 14.0.0 (skipped: not installed)' : 'node-ipc 14.0.0',
    from: () => real ?? '',
    missing: real === undefined,
  },
])('the node-ipc endpoint on $name', ({ from, missing }) => {
  it.skipIf(missing)('serves the handshake, requests and events of an app', async () => {
    const { connect, core, server } = await door({ from: from() });
    expect(server.endpoints[0]).toMatchObject({ kind: 'node-ipc' });
    const app = await connect();
    expect(await app.handshake()).toEqual({
      type: 'frame',
      data: { cmd: 'DISPATCH', data: fakeReady, evt: 'READY', nonce: null },
    });
    app.send('frame', { cmd: 'SUBSCRIBE', evt: 'GUILD_CREATE', nonce: '1' });
    expect((await app.next())?.data).toMatchObject({ cmd: 'SUBSCRIBE', nonce: '1' });
    core.host.emit('GUILD_CREATE', { id: '1', name: 'a guild' });
    expect((await app.next())?.data).toMatchObject({ evt: 'GUILD_CREATE', data: { id: '1' } });
    expect(core.peers[0]).toMatchObject({ transport: 'ipc', clientId: CLIENT_ID });
    expect(server.sessions()[0]?.scopes).toContain('rpc.local');
  });
  it.skipIf(missing)('closes with a closing event and the codes of the protocol', async () => {
    const { connect } = await door({ from: from() });
    const tooEarly = await connect();
    tooEarly.send('frame', { cmd: 'GET_GUILDS', nonce: '1' });
    expect(await tooEarly.closed()).toMatchObject({ code: 1003 });
    const badVersion = await connect();
    badVersion.send('handshake', { v: 2, client_id: CLIENT_ID });
    expect(await badVersion.closed()).toMatchObject({ code: 4004 });
    const unknown = await connect();
    unknown.send('subscribe', {});
    expect(await unknown.closed()).toMatchObject({ code: 1003 });
    const empty = await connect();
    empty.send('handshake', undefined);
    expect(await empty.closed()).toMatchObject({ code: 1003 });
  });
  it.skipIf(missing)('sends a closing event when the bridge stops', async () => {
    const { connect, server, path } = await door({ from: from() });
    const app = await connect();
    await app.handshake();
    const closed = server.close();
    expect(await app.closed()).toMatchObject({ code: 1000 });
    await closed;
    expect(existsSync(path)).toBe(false);
  });
  it.skipIf(missing)('accepts events of exactly the limit, and none larger', async () => {
    const { connect } = await door({ from: from(), limits: { frameBytes: 32 * KIB } });
    const big = await connect();
    await big.handshake();
    const padded = (bytes: number) => {
      const empty = JSON.stringify({ cmd: 'GET_GUILDS', nonce: '1', args: { pad: '' } }).length;
      return { cmd: 'GET_GUILDS', nonce: '1', args: { pad: 'x'.repeat(bytes - empty) } };
    };
    big.send('frame', padded(32 * KIB));
    expect((await big.next())?.data).toMatchObject({ cmd: 'GET_GUILDS', evt: null });
    big.send('frame', padded(32 * KIB + 1));
    expect(await big.closed()).toMatchObject({ code: 1003 });
    const early = await connect();
    early.send('handshake', { v: 1, client_id: CLIENT_ID, pad: 'x'.repeat(16 * KIB) });
    expect(await early.closed()).toMatchObject({ code: 1003 });
  });
  it.skipIf(missing)('serves all of a burst, within the limit of requests in flight', async () => {
    const gate = later();
    let running = 0;
    let peak = 0;
    const { connect } = await door({
      from: from(),
      limits: { requestsInFlight: 4 },
      handlers: {
        GET_GUILDS: async () => {
          running += 1;
          peak = Math.max(peak, running);
          await gate.promise;
          running -= 1;
          return { guilds: [] };
        },
      },
    });
    const app = await connect();
    await app.handshake();
    for (let i = 0; i < 100; i++) app.send('frame', { cmd: 'GET_GUILDS', nonce: String(i) });
    while (running < 4) await settled();
    gate.resolve();
    for (let i = 0; i < 100; i++) expect((await app.next())?.data).toMatchObject({ nonce: String(i) });
    expect(peak).toBe(4);
  });
  it.skipIf(missing)('drops an app that does not read', async () => {
    const dropped = later<string>();
    const { connect } = await door({
      from: from(),
      limits: { unreadBytes: 128 * KIB, unreadMs: 300 },
      handlers: {
        GET_GUILDS: () => ({
          guilds: Array.from({ length: 50 }, (_, i) => ({
            id: String(i + 1),
            name: 'x'.repeat(1000),
            icon_url: null,
          })),
        }),
      },
      close: () => dropped.resolve('dropped'),
    });
    const app = await connect();
    await app.handshake();
    app.socket.pause();
    for (let i = 0; i < 60; i++) app.send('frame', { cmd: 'GET_GUILDS', nonce: String(i) });
    expect(await dropped.promise).toBe('dropped');
  });
  it.skipIf(missing)('is a private socket in a private folder', async () => {
    const { path } = await door({ from: from() });
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
    expect(lstatSync(join(path, '..')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(path, '..')).sort()).toEqual(['node-ipc.lock', 'node-ipc.sock']);
  });
  it.skipIf(missing)('replaces a dead socket, and nothing else', async () => {
    const where = from();
    const folder = temporaryFolder();
    const path = join(os.prepareFolders({ XDG_RUNTIME_DIR: folder }).privateFolder ?? '', 'node-ipc.sock');
    await leaveStaleSocket(path);
    const { server } = await door({ from: where, folder });
    expect(server.endpoints[0]?.path).toBe(path);

    const second = doorTransport({ from: where }, folder, []);
    expect(await failureOf(second.listen(() => {}))).toMatchObject({
      code: 'FOOTBRIDGE_ENDPOINT_TAKEN',
      message: expect.stringContaining('another footbridge'),
    });
    await server.close();
    expect(existsSync(path)).toBe(false);
  });
  it.skipIf(missing)('leaves a live server, a file and a link alone', async () => {
    const where = from();
    for (const put of [
      async (path: string) => void (await listenOn({ path })),
      async (path: string) => writeFileSync(path, 'mine'),
      async (path: string) => symlinkSync('/nowhere', path),
    ]) {
      const folder = temporaryFolder();
      const path = join(os.prepareFolders({ XDG_RUNTIME_DIR: folder }).privateFolder ?? '', 'node-ipc.sock');
      await put(path);
      const before = lstatSync(path).ino;
      const transport = doorTransport({ from: where }, folder, []);
      expect((await failureOf(transport.listen(() => {}))).code).toBe('FOOTBRIDGE_ENDPOINT_TAKEN');
      await transport.close();
      expect(lstatSync(path).ino).toBe(before);
    }
  });
  it.skipIf(missing)('refuses a peer of another user, and one that cannot be looked up', async () => {
    const peers = [
      { kind: 'known', credentials: { pid: 1, uid: 4_000_000, gid: 1 } },
      { kind: 'failed', error: new Error('gone') },
    ] as const;
    for (const peer of peers) {
      const { connect, refused, core } = await door({ from: from(), os: { ...os, peerOf: () => peer } });
      const app = await connect();
      app.send('handshake', { v: 1, client_id: CLIENT_ID });
      expect(await app.next()).toBeUndefined();
      expect(refused).toEqual([expect.stringMatching(/uid 4000000|does not say/)]);
      expect(core.peers).toEqual([]);
    }
  });
});

describe.skipIf(real === undefined)('the guarded parser of node-ipc 14.0.0 (needs node-ipc)', () => {
  it.each([
    '{}\f',
    'null\f',
    '"a"\f',
    '{"type":1}\f',
    '{"type":"close"}\f',
    '{"type":"start"}\f',
    'x\f',
    '{"type":"__proto__"}\f',
  ])('survives %j, and closes that peer', async (bytes) => {
    const { connect, core } = await door({ from: real ?? '' });
    const hostile = await connect();
    hostile.socket.write(bytes);
    expect(await hostile.next()).toBeUndefined();
    const honest = await connect();
    expect((await honest.handshake())?.type).toBe('frame');
    expect(core.peers).toHaveLength(1);
  });
  it('answers an app that uses the package itself', async () => {
    const { path } = await door({ from: real ?? '' });
    const { createRequire } = await import('node:module');
    const { pathToFileURL } = await import('node:url');
    const entry = pathToFileURL(createRequire(real ?? '').resolve('node-ipc')).href;
    const { IPCModule } = (await import(entry)) as { IPCModule: new () => ClientModule };
    const ipc = new IPCModule();
    ipc.config.silent = true;
    ipc.config.stopRetrying = true;
    onTestFinished(() => ipc.disconnect('bridge'));
    const answer = await new Promise((resolve) => {
      ipc.connectTo('bridge', path, () => {
        const bridge = ipc.of['bridge'];
        bridge?.on('connect', () => bridge.emit('handshake', { v: 1, client_id: CLIENT_ID }));
        bridge?.on('frame', (payload) => {
          const { evt } = payload as { evt: string | null };
          if (evt === 'READY') bridge.emit('frame', { cmd: 'GET_GUILDS', nonce: 'n' });
          else resolve(payload);
        });
      });
    });
    expect(answer).toEqual({ cmd: 'GET_GUILDS', data: { guilds: [] }, evt: null, nonce: 'n' });
  });
});

/** The client side of the package, as far as the test uses it. */
interface ClientModule {
  readonly config: { silent: boolean; stopRetrying: boolean };
  readonly of: {
    readonly [id: string]: {
      on(type: string, listener: (data: unknown) => void): void;
      emit(type: string, data: unknown): void;
    };
  };
  connectTo(id: string, path: string, done: () => void): void;
  disconnect(id: string): void;
}

describe('the package of the node-ipc endpoint', () => {
  it('that is missing is reported with the command that installs it', async () => {
    const from = new URL(`file://${temporaryFolder()}/here.js`).href;
    const failure = await failureOf(doorTransport({ from }, temporaryFolder(), []).listen(() => {}));
    expect(failure.code).toBe('FOOTBRIDGE_NODE_IPC');
    expect(failure.message).toContain('npm install --save-exact node-ipc@14.0.0');
  });
  it.each(['9.2.3', '12.0.1', '14.0.1', '14.0.0-beta.1'])(
    'of release %s is refused before it runs',
    async (version) => {
      const from = installNodeIpc(version, 'throw new Error("it ran");');
      const failure = await failureOf(doorTransport({ from }, temporaryFolder(), []).listen(() => {}));
      expect(failure.code).toBe('FOOTBRIDGE_NODE_IPC');
      expect(failure.message).toContain(`release ${version} is installed`);
    },
  );
  it('without an IPCModule is refused', async () => {
    const from = installNodeIpc('14.0.0', 'export const nothing = 1;');
    const failure = await failureOf(doorTransport({ from }, temporaryFolder(), []).listen(() => {}));
    expect(failure.message).toContain('no IPCModule');
  });
  it('is refused without a private folder', async () => {
    const transport = nodeIpcTransport({
      os,
      folders: { folder: '\\\\?\\pipe', source: 'default', privacy: 'shared', privateFolder: undefined },
      handshakeFrameBytes: 1,
      frameBytes: 1,
      unreadBytes: 1,
    });
    expect((await failureOf(transport.listen(() => {}))).code).toBe('FOOTBRIDGE_NODE_IPC');
  });
});
