import { spawn } from 'node:child_process';
import { linkSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { socketFd } from '../../platform/native/drain.ts';
import { AppPeer } from '../helpers/app-peer.ts';
import { APP, daemonCommand, endpointsIn, isLinux, place } from '../helpers/fault-bridge.ts';
import { rawPeer } from '../helpers/raw-peer.ts';
import { leaveStaleSocket, listenOn, uid } from '../helpers/sockets.ts';

const CONFIGURATION = 78;

/** Starts the program in its arguments for every line it reads, with descriptor 3 and its number in LISTEN_PID. */
const MANAGER = `
while read -r pid; do
  if [ "$pid" ]; then LISTEN_PID=$pid "$@"; else sh -c 'LISTEN_PID=$$ exec "$@"' sh "$@"; fi
  echo "ended $?"
done`;

/** A manager that holds a listening socket, accepts nobody, and starts the daemon when told to. */
interface Manager {
  /** Where the socket is bound. */
  readonly path: string;
  /** Starts a daemon; gives its ready line, or `ended CODE`. */
  readonly start: (pid?: string) => Promise<string>;
  /** The next line on stdout, such as `ended 0`. */
  readonly line: () => Promise<string>;
  readonly stderr: () => string;
}

async function manager(
  { folder, env }: ReturnType<typeof place>,
  {
    variables = {},
    listen = true,
  }: { readonly variables?: Readonly<Record<string, string>>; readonly listen?: number | true } = {},
): Promise<Manager> {
  const own = join(folder, `footbridge-${uid}`);
  mkdirSync(own, { mode: 0o700 });
  const path = join(own, 'activation.sock');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const fd = listen === true ? socketFd(server as never) : listen;
  if (fd === undefined) throw new Error('the server has no descriptor');
  const child = spawn(
    '/bin/sh',
    ['-c', MANAGER, 'sh', ...daemonCommand('--consent', 'allow', '--ws-port', 'off')],
    {
      env: { ...env, LISTEN_FDS: '1', LISTEN_FDNAMES: 'discord-ipc', ...variables },
      stdio: ['pipe', 'pipe', 'pipe', fd],
      detached: true,
    },
  );
  // The shell has the socket now: whoever connects waits for a daemon, and is not accepted by this process.
  // Closing deletes the name it was bound to.
  linkSync(path, `${path}~`);
  server.close();
  renameSync(`${path}~`, path);
  onTestFinished(() => {
    // The shell and its daemon.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  });
  let stdout = '';
  let stderr = '';
  let look = (): void => {};
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    look();
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const line = async (): Promise<string> => {
    while (!stdout.includes('\n')) {
      await new Promise<void>((resolve) => {
        look = resolve;
      });
    }
    const [first = '', ...rest] = stdout.split('\n');
    stdout = rest.join('\n');
    return first;
  };
  return {
    path,
    line,
    start(pid = '') {
      child.stdin?.write(`${pid}\n`);
      return line();
    },
    stderr: () => stderr,
  };
}

async function handshakeAt(path: string): Promise<void> {
  await new AppPeer(await rawPeer(path)).handshake(APP);
}

const inode = (path: string): bigint => lstatSync(path, { bigint: true }).ino;

describe.skipIf(!isLinux)('socket activation (Linux only)', () => {
  it('serves the inherited socket under the endpoint name, and leaves the socket there [T12]', async () => {
    const runtime = place();
    const { folder } = runtime;
    const { path, start, line } = await manager(runtime);
    const endpoint = join(folder, 'discord-ipc-0');

    const first = JSON.parse(await start());
    expect(first.endpoints).toEqual([{ kind: 'ipc', path: endpoint }]);
    expect(inode(endpoint)).toBe(inode(path));
    await handshakeAt(endpoint);
    process.kill(first.pid, 'SIGTERM');
    expect(await line()).toBe('ended 0');
    expect(inode(endpoint)).toBe(inode(path));

    // Somebody connects while nobody runs: the manager's socket keeps the connection for the next daemon.
    const waiting = handshakeAt(endpoint);
    const second = JSON.parse(await start());
    expect(second.endpoints).toEqual(first.endpoints);
    await waiting;
    process.kill(second.pid, 'SIGKILL');
    expect(await line()).toBe('ended 137');
    expect(inode(endpoint)).toBe(inode(path));
    expect(readdirSync(folder).filter((name) => /^(?:\.fb|discord)/.test(name))).toEqual(['discord-ipc-0']);
  });

  it('never replaces the path of a live listener [T12]', async () => {
    const runtime = place();
    const { path, start } = await manager(runtime);
    const [zero, one] = [join(runtime.folder, 'discord-ipc-0'), join(runtime.folder, 'discord-ipc-1')];
    await listenOn({ path: zero });
    const before = inode(zero);
    expect(JSON.parse(await start()).endpoints).toEqual([{ kind: 'ipc', path: one }]);
    expect(inode(zero)).toBe(before);
    expect(inode(one)).toBe(inode(path));
    await handshakeAt(one);
  });

  it('moves to the first endpoint when it is free, and replaces a dead one [T12]', async () => {
    const runtime = place();
    const { path, start } = await manager(runtime);
    const [zero, one] = [join(runtime.folder, 'discord-ipc-0'), join(runtime.folder, 'discord-ipc-1')];
    await leaveStaleSocket(zero);
    linkSync(path, one);
    expect(JSON.parse(await start()).endpoints).toEqual([{ kind: 'ipc', path: zero }]);
    expect(endpointsIn(runtime.folder)).toEqual(['discord-ipc-0']);
    expect(inode(zero)).toBe(inode(path));
    await handshakeAt(zero);
  });

  it('listens by itself when the variables are meant for another process [T12]', async () => {
    const runtime = place();
    const { path, start } = await manager(runtime);
    expect(JSON.parse(await start('1')).ready).toBe(true);
    expect(inode(join(runtime.folder, 'discord-ipc-0'))).not.toBe(inode(path));
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['LISTEN_FDS is "2"', { LISTEN_FDS: '2' }],
    ['LISTEN_FDS is "one"', { LISTEN_FDS: 'one' }],
    ['LISTEN_FDNAMES is "http"', { LISTEN_FDNAMES: 'http' }],
  ])('exits with the code that managers do not restart, when %s [T12]', async (what, variables) => {
    const runtime = place();
    const { start, stderr } = await manager(runtime, { variables });
    expect(await start()).toBe(`ended ${CONFIGURATION}`);
    expect(stderr()).toContain(what);
    expect(endpointsIn(runtime.folder)).toEqual([]);
  });

  it('refuses a socket of another kind [T12]', async () => {
    const runtime = place();
    const tcp = await listenOn({ port: 0, host: '127.0.0.1' });
    const { start, stderr } = await manager(runtime, { listen: socketFd(tcp as never) ?? -1 });
    expect(await start()).toBe(`ended ${CONFIGURATION}`);
    expect(stderr()).toContain('no unix socket');
    expect(endpointsIn(runtime.folder)).toEqual([]);
  });

  it('refuses a socket whose path is removed [T12]', async () => {
    const runtime = place();
    const { path, start, stderr } = await manager(runtime);
    rmSync(path);
    expect(await start()).toBe(`ended ${CONFIGURATION}`);
    expect(stderr()).toContain('no longer at');
    expect(endpointsIn(runtime.folder)).toEqual([]);
  });
});
