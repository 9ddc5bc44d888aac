import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pathLock } from '../../platform/endpoint/path-lock.ts';
import { currentOs } from '../../platform/operating-system.ts';
import { type SandboxAnswer, SandboxLookup } from '../../platform/process/sandbox-lookup.ts';
import { readEndpoints } from '../../src/daemon/config/endpoints.ts';
import { Endpoints } from '../../src/daemon/endpoints/endpoints.ts';
import { defaultLimits } from '../../src/session/limits.ts';
import { ipcTransport } from '../../src/transport/ipc/ipc.ts';
import { AppPeer } from '../helpers/app-peer.ts';
import { expectDeclared } from '../helpers/declared-result.ts';
import { ipcBridge } from '../helpers/ipc-bridge.ts';
import { recordingLogger } from '../helpers/memory-bridge.ts';
import { rawPeer } from '../helpers/raw-peer.ts';
import { leaveStaleSocket, listenOn, temporaryFolder } from '../helpers/sockets.ts';

const os = await currentOs();

/** A bridge in a temporary runtime folder, with the endpoints of a configuration. */
async function setUp(read?: () => Promise<readonly object[]>, sandbox?: SandboxAnswer) {
  const bridge = await ipcBridge();
  const { folder } = bridge;
  const env = { XDG_RUNTIME_DIR: folder };
  const folders = os.prepareFolders(env);
  const { logger, log } = recordingLogger();
  const settingsOf = (tables: readonly object[]) => readEndpoints(tables, 'FILE', { os: 'linux', env });
  const endpoints = new Endpoints({
    os,
    folders,
    load: read && (async () => settingsOf(await read())),
    sandboxes:
      sandbox === undefined
        ? new SandboxLookup({ runtimes: [folder] })
        : ({ of: () => sandbox } as unknown as SandboxLookup),
    server: bridge.server,
    transport: (at) => ipcTransport({ os, folders, index: 'auto', at, ...defaultLimits }),
    logger,
  });
  onTestFinished(() => endpoints.close());
  const configure = (...tables: object[]) => endpoints.apply(settingsOf(tables));
  return {
    ...bridge,
    endpoints,
    log,
    configure,
    privateFolder: folders.privateFolder ?? '',
    snap: join(folder, 'snap.discord/discord-ipc-0'),
    states: () => endpoints.list().map(({ state }) => state),
    appAt: async (path: string) => {
      const app = new AppPeer(await rawPeer(path));
      await app.handshake();
      return app;
    },
  };
}

describe.skipIf(process.platform !== 'linux')('the endpoints of a bridge (Linux only)', () => {
  it('serves a socket in a folder that exists, with the rights of the endpoint', async () => {
    const { configure, snap, appAt, server } = await setUp();
    mkdirSync(dirname(snap), { mode: 0o700 });
    await configure({ preset: 'snap' });
    expect(lstatSync(snap).isSocket()).toBe(true);
    const app = await appAt(snap);
    expect(await app.call('AUTHORIZE', { scopes: ['rpc'] })).toMatchObject({
      evt: 'ERROR',
      data: {
        code: 4006,
        message: expect.stringMatching(
          /them: list the scopes that the app asks for in rights of its \[\[endpoints\]\] in footbridge\.toml$/,
        ),
      },
    });
    expect(server.sessions()).toMatchObject([{ endpoint: 'snap', sandbox: null, pid: process.pid }]);
  });

  it('removes the folder that it made for an endpoint once the endpoint is removed, and no other folder', async () => {
    const { configure, folder } = await setUp();
    const tables = ['made', 'used', 'users'].map((name) => ({
      name,
      path: join(folder, name, 'discord-ipc-0'),
    }));
    mkdirSync(join(folder, 'users'), { mode: 0o700 });
    await configure(...tables);
    const left = () => tables.map(({ name }) => name).filter((name) => existsSync(join(folder, name)));
    // A container may have mounted the folder, so another change of the endpoint keeps it.
    const mounted = openSync(join(folder, 'made'), 'r');
    onTestFinished(() => closeSync(mounted));
    await configure(...tables.map((table) => ({ ...table, rights: 'full' })));
    // A removed folder has no name any more, and a new one may have its inode.
    expect(fstatSync(mounted).nlink).toBeGreaterThan(0);
    writeFileSync(join(folder, 'used', 'file'), '');
    await configure();
    expect(left()).toEqual(['used', 'users']);
  });

  it('leaves a folder that another program made in place of its own', async () => {
    const { configure, folder } = await setUp();
    await configure({ name: 'made', path: join(folder, 'made', 'discord-ipc-0') });
    renameSync(join(folder, 'made'), join(folder, 'moved'));
    mkdirSync(join(folder, 'made'), { mode: 0o700 });
    await configure();
    expect(existsSync(join(folder, 'made'))).toBe(true);
  });

  it('creates the socket when the folder appears, and again when the socket or the folder was deleted', async () => {
    const { configure, snap, states } = await setUp();
    await configure({ preset: 'snap' });
    expect(states()).toEqual(['waiting']);
    mkdirSync(dirname(snap), { mode: 0o700 });
    await expect.poll(() => existsSync(snap)).toBe(true);
    await expect.poll(states).toEqual(['serving']);
    rmSync(snap);
    await expect.poll(() => existsSync(snap)).toBe(true);
    rmSync(dirname(snap), { recursive: true });
    await expect.poll(states).toEqual(['waiting']);
    mkdirSync(dirname(snap), { mode: 0o700 });
    await expect.poll(() => existsSync(snap)).toBe(true);
  });

  it('is listed as declared, whatever its preset, rights and state', async () => {
    const { configure, endpoints, folder, snap } = await setUp();
    mkdirSync(dirname(snap), { mode: 0o700 });
    await listenOn({ path: snap });
    await configure(
      { preset: 'flatpak', rights: ['rpc', 'identify'] },
      { preset: 'snap', rights: 'full' },
      { path: join(folder, 'own/discord-ipc-0') },
    );
    expectDeclared('endpoints.list', endpoints.list());
    expect(endpoints.list().map(({ preset, state }) => [preset, state])).toEqual([
      ['flatpak', 'waiting'],
      ['flatpak', 'waiting'],
      ['snap', 'blocked'],
      ['path', 'serving'],
    ]);
    expect(endpoints.paths()).toEqual([join(folder, 'own/discord-ipc-0')]);
    endpoints.abandon();
    expectDeclared('endpoints.list', endpoints.list());
    expect(new Set(endpoints.list().map(({ state }) => state))).toEqual(new Set(['closed']));
  });

  it('keeps the sessions of a socket that was deleted and is restored', async () => {
    const { configure, snap, appAt } = await setUp();
    mkdirSync(dirname(snap), { mode: 0o700 });
    await configure({ preset: 'snap', rights: 'full' });
    const app = await appAt(snap);
    rmSync(snap);
    await expect.poll(() => existsSync(snap)).toBe(true);
    expect(await app.call('GET_GUILDS', {})).toMatchObject({ evt: null });
    expect(await (await appAt(snap)).call('GET_GUILDS', {})).toMatchObject({ evt: null });
  });

  it('leaves a live socket to its owner, and takes the path when the owner has left', async () => {
    const { configure, snap, states, endpoints } = await setUp();
    mkdirSync(dirname(snap), { mode: 0o700 });
    const owner = await listenOn({ path: snap });
    const { ino } = lstatSync(snap);
    await configure({ preset: 'snap' });
    expect(states()).toEqual(['blocked']);
    expect(endpoints.list()[0]?.why).toContain('is taken');
    expect(lstatSync(snap).ino).toBe(ino);
    owner.close();
    await expect.poll(states).toEqual(['serving']);
  });

  it('replaces a dead socket, and removes its own at the end', async () => {
    const { configure, snap, endpoints } = await setUp();
    mkdirSync(dirname(snap), { mode: 0o700 });
    await leaveStaleSocket(snap);
    await configure({ preset: 'snap' });
    expect(endpoints.paths()).toEqual([snap]);
    await endpoints.close();
    expect(existsSync(snap)).toBe(false);
    expect(existsSync(dirname(snap))).toBe(true);
  });

  it('does not follow what replaces its socket, and returns when that is removed', async () => {
    const { configure, snap, states, folder } = await setUp();
    mkdirSync(dirname(snap), { mode: 0o700 });
    await configure({ preset: 'snap' });
    renameSync(snap, `${snap}-moved`);
    symlinkSync(join(folder, 'discord-ipc-0'), `${snap}-link`);
    renameSync(`${snap}-link`, snap);
    await expect.poll(states).toEqual(['blocked']);
    expect(lstatSync(snap).isSymbolicLink()).toBe(true);
    rmSync(snap);
    await expect.poll(states).toEqual(['serving']);
    expect(lstatSync(snap).isSocket()).toBe(true);
  });

  it('reports a linked and a foreign folder in one line, while the other endpoints are served', async () => {
    const { configure, snap, log, endpoints, raw } = await setUp();
    const elsewhere = temporaryFolder();
    symlinkSync(elsewhere, dirname(snap));
    const path = join(temporaryFolder(), 'own/discord-ipc-0');
    await configure({ preset: 'snap' }, { path, name: 'box' });
    expect(endpoints.list()).toMatchObject([
      {
        state: 'blocked',
        why: expect.stringMatching(/^The folder .*symbolic link. Name the real folder instead\.$/),
      },
      { state: 'serving', why: null },
    ]);
    expect(log.filter(({ level }) => level === 'warn')).toHaveLength(1);
    expect(existsSync(join(elsewhere, 'discord-ipc-0'))).toBe(false);
    await new AppPeer(await raw()).handshake();
  });

  it('applies a changed configuration: unchanged endpoints keep their sessions', async () => {
    const { configure, appAt, folder } = await setUp();
    const path = (name: string) => join(folder, name, 'discord-ipc-0');
    const [a, b] = [
      { name: 'a', path: path('a'), rights: 'full' },
      { name: 'b', path: path('b') },
    ];
    await configure(a, b);
    const [first, second] = [await appAt(path('a')), await appAt(path('b'))];
    await configure(a, { ...b, rights: 'full' });
    expect(await second.next()).toMatchObject({ opcode: 2, body: { code: 1000 } });
    expect(await first.call('GET_GUILDS', {})).toMatchObject({ evt: null });
    expect(await (await appAt(path('b'))).call('GET_GUILDS', {})).toMatchObject({ evt: null });
    await configure(a);
    expect(existsSync(path('b'))).toBe(false);
  });

  it('reads the configuration in turn: what a slow reload has read does not replace a newer file', async () => {
    const reads = [delay(50, 'full'), delay(0, 'presence')];
    const path = join(temporaryFolder(), 'discord-ipc-0');
    const { endpoints } = await setUp(async () => [{ name: 'a', path, rights: await reads.shift() }]);
    await Promise.all([endpoints.reload(), endpoints.reload()]);
    expect(endpoints.list()).toMatchObject([{ rights: 'presence', state: 'serving' }]);
  });

  it('serves nothing after a close during a reload', async () => {
    const path = join(temporaryFolder(), 'discord-ipc-0');
    const { endpoints } = await setUp(() => delay(20, [{ name: 'a', path }]));
    const reload = endpoints.reload();
    await endpoints.close();
    await reload;
    expect(existsSync(path)).toBe(false);
    expect(endpoints.list()).toEqual([]);
  });

  it.each<[string | null, SandboxAnswer]>([
    [null, { kind: 'known', sandbox: undefined }],
    ['unverified', { kind: 'known', sandbox: 'unverified' }],
    ['Flatpak org.example.App', { kind: 'known', sandbox: { kind: 'flatpak', id: 'org.example.App' } }],
    [null, { kind: 'unread', read: () => undefined }],
    ['unverified', { kind: 'unread', read: () => 'unverified' }],
    ['snap firefox', { kind: 'unread', read: () => ({ kind: 'snap', id: 'firefox' }) }],
  ])('names the sandbox %j of an app', async (shown, sandbox) => {
    const { configure, snap, appAt, server } = await setUp(undefined, sandbox);
    mkdirSync(dirname(snap), { mode: 0o700 });
    await configure({ preset: 'snap' });
    await appAt(snap);
    expect(server.sessions()).toMatchObject([{ endpoint: 'snap', sandbox: shown }]);
  });

  it('tells why a private endpoint cannot be opened, and keeps none', async () => {
    const { endpoints, privateFolder } = await setUp();
    rmSync(privateFolder, { recursive: true });
    writeFileSync(privateFolder, 'in the way');
    await expect(endpoints.openPrivate('a', 'presence')).rejects.toMatchObject({
      code: 'FOOTBRIDGE_ENDPOINT',
      message: expect.stringContaining(privateFolder),
    });
    expect(endpoints.list()).toEqual([]);
  });

  it('opens no private endpoint once the bridge stops', async () => {
    const { endpoints } = await setUp();
    const opening = endpoints.openPrivate('a', 'presence');
    await endpoints.close();
    await expect(opening).rejects.toMatchObject({
      code: 'FOOTBRIDGE_ENDPOINT',
      message: 'The bridge is stopping.',
    });
  });

  it('opens a private endpoint until it is closed, and removes those of a killed bridge', async () => {
    const { endpoints, privateFolder, appAt } = await setUp();
    const left = join(privateFolder, 'endpoint-0123456789ab.sock');
    await leaveStaleSocket(left);
    const locks = [left, '/elsewhere/endpoint-0123456789ab.sock'].map((one) => pathLock(privateFolder, one));
    for (const lock of locks) writeFileSync(lock, '1\n');
    writeFileSync(join(privateFolder, 'endpoint-other'), '');
    endpoints.removeLeftOver();
    expect(existsSync(left)).toBe(false);
    expect(locks.map((lock) => existsSync(lock))).toEqual([false, true]);
    expect(existsSync(join(privateFolder, 'endpoint-other'))).toBe(true);
    const { path, close } = await endpoints.openPrivate('host-a', 'presence');
    const second = await endpoints.openPrivate('host-a', 'presence');
    expect(endpoints.list().map(({ name }) => name)).toEqual(['host-a', 'host-a-2']);
    await second.close();
    const app = await appAt(path);
    expect(await app.call('GET_GUILDS', {})).toMatchObject({ evt: 'ERROR' });
    expect(endpoints.list()).toMatchObject([{ name: 'host-a', preset: 'private', state: 'serving' }]);
    await close();
    expect(existsSync(path)).toBe(false);
    expect(endpoints.list()).toEqual([]);
  });
});

it('a private endpoint of Windows is a pipe with a name of its own', async () => {
  const { logger } = recordingLogger();
  const paths: string[] = [];
  const endpoints = new Endpoints({
    os,
    folders: {
      folder: '\\\\?\\pipe',
      source: 'default',
      privacy: 'shared',
      privateFolder: undefined,
    } as never,
    sandboxes: new SandboxLookup({ runtimes: [] }),
    server: { open: () => Promise.reject(new Error('no')) },
    transport: ({ path }) => {
      paths.push(path);
      throw new Error('no pipes here');
    },
    logger,
  });
  endpoints.removeLeftOver();
  for (let n = 0; n < 2; n += 1)
    await expect(endpoints.openPrivate('a', 'presence')).rejects.toThrow('no pipes here');
  const name = /^\\\\\?\\pipe\\footbridge-endpoint-[0-9a-f]{12}\.sock$/;
  expect(paths).toEqual([expect.stringMatching(name), expect.stringMatching(name)]);
  expect(new Set(paths).size).toBe(2);
  await endpoints.close();
});
