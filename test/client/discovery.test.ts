import { execFile } from 'node:child_process';
import { chmodSync, chownSync, lchownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect, promisify } from 'node:util';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openFirst } from '../../src/client/discovery.ts';
import { noServer } from '../../src/client/errors.ts';
import { connect } from '../../src/client/index.ts';
import { endpointPaths, socketTransport } from '../../src/client/socket-transport.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { frameBytes } from '../helpers/frame-bytes.ts';
import { fullQueue } from '../helpers/full-queue.ts';
import { NOBODY, nodeForOthers } from '../helpers/other-user.ts';
import { type Script, scriptedServer, wellBehaved } from '../helpers/scripted-server.ts';
import { leaveStaleSocket, listenOn, temporaryFolder, uid } from '../helpers/sockets.ts';

const clientId = '207646673902501888';

describe('the searched paths', () => {
  const env = { XDG_RUNTIME_DIR: '/run/user/1000', TMPDIR: '/var/tmp/', TMP: '', TEMP: 'relative' };
  const paths = [...endpointPaths('linux', env, 1000)];

  it('are ten for each folder, the likeliest folder first', () => {
    expect(paths.slice(0, 11)).toEqual([
      ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `/run/user/1000/discord-ipc-${n}`),
      '/var/tmp/discord-ipc-0',
    ]);
  });

  it.each([
    ['TMPDIR', '/var/tmp/discord-ipc-9'],
    ['/tmp', '/tmp/discord-ipc-0'],
  ])('include %s', (_where, path) => {
    expect(paths).toContain(path);
  });

  it.each(['app/com.discordapp.Discord', 'app/io.any.App', '.flatpak/io.any.App/xdg-run', 'snap.any'])(
    'include %s below the runtime folder',
    (name) => {
      const folder = temporaryFolder();
      mkdirSync(join(folder, name), { recursive: true });
      expect([...endpointPaths('linux', { XDG_RUNTIME_DIR: folder }, uid)]).toContain(
        join(folder, name, 'discord-ipc-3'),
      );
    },
  );

  it('follow the rule of Linux on other systems', () => {
    expect([...endpointPaths('freebsd', { XDG_RUNTIME_DIR: '/r' }, 7)]).toEqual([
      ...endpointPaths('linux', { XDG_RUNTIME_DIR: '/r' }, 7),
    ]);
  });

  it('treat an empty variable as unset and a relative path as absent', () => {
    expect(paths.filter((path) => !path.startsWith('/'))).toEqual([]);
    expect([...endpointPaths('linux', { XDG_RUNTIME_DIR: '' })]).toEqual([...endpointPaths('linux', {})]);
  });

  it('are the named pipes on Windows', () => {
    expect([...endpointPaths('win32', env)]).toEqual(
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `\\\\?\\pipe\\discord-ipc-${n}`),
    );
  });
});

describe('connect', () => {
  async function outcome(paths: readonly string[], connectTimeoutMs = 5000) {
    const client = await connect({ clientId, paths, connectTimeoutMs }).catch((error) => error);
    if ('close' in client) onTestFinished(() => client.close());
    return client;
  }

  it('ignores missing, dead and silent endpoints and uses the first that becomes ready', async () => {
    const folder = temporaryFolder();
    const path = (n: number): string => join(folder, `discord-ipc-${n}`);
    await leaveStaleSocket(path(1));
    writeFileSync(path(2), 'no socket');
    symlinkSync(join(folder, 'nowhere'), path(3));
    await scriptedServer(() => {}, path(4));
    const live = await scriptedServer(wellBehaved, path(5));
    const client = await outcome([0, 1, 2, 3, 4, 5].map(path), 100);
    expect(client.state).toBe('ready');
    expect(live.peers).toHaveLength(1);
  });

  it('lists every attempted path with the reason of its failure', async () => {
    const folder = temporaryFolder();
    const path = (n: number): string => join(folder, `discord-ipc-${n}`);
    const refusing: Script = ({ opcode }, peer) => {
      if (opcode === Opcode.HANDSHAKE) peer.send(Opcode.CLOSE, { code: 1003, message: 'Invalid Version: 7' });
    };
    await leaveStaleSocket(path(2));
    await scriptedServer(() => {}, path(3));
    await scriptedServer(refusing, path(4));
    await scriptedServer((_frame, peer) => peer.socket.end(), path(5));
    await scriptedServer((_frame, peer) => peer.write(frameBytes(1, 'no json')), path(6));
    await scriptedServer(
      (_frame, peer) => peer.payload({ evt: 'ERROR', data: { code: 1000, message: 'no' } }),
      path(7),
    );
    mkdirSync(path(8));
    const error = await outcome([0, 1, 2, 3, 4, 5, 6, 7, 8].map(path), 300);
    expect(error.code).toBe('FOOTBRIDGE_NO_SERVER');
    expect(error.attempts).toEqual([
      { path: path(0), reason: 'missing' },
      { path: path(1), reason: 'missing' },
      { path: path(2), reason: 'refused' },
      { path: path(3), reason: 'silent' },
      { path: path(4), reason: 'rejected', code: 1003, message: 'Invalid Version: 7' },
      { path: path(5), reason: 'rejected', message: 'Server hung up' },
      { path: path(6), reason: 'rejected', message: 'The server broke the protocol: a body is not JSON' },
      { path: path(7), reason: 'rejected', code: 1000, message: 'no' },
      { path: path(8), reason: 'refused' },
    ]);
    expect(error.message.split('\n')).toEqual([
      'No server answers; start the chat client or the bridge. Tried:',
      `  ${folder}/discord-ipc-N: missing`,
      `  ${path(2)}: refused`,
      `  ${path(3)}: silent`,
      `  ${path(4)}: rejected 1003 Invalid Version: 7`,
      `  ${path(5)}: rejected Server hung up`,
      `  ${path(6)}: rejected The server broke the protocol: a body is not JSON`,
      `  ${path(7)}: rejected 1000 no`,
      `  ${path(8)}: refused`,
    ]);
  });

  it.skipIf(process.platform !== 'linux')(
    'retries a server with a full queue until there is room (Linux only: a full queue is EAGAIN)',
    async () => {
      const path = join(temporaryFolder(), 'discord-ipc-0');
      const ready = JSON.stringify({ cmd: 'DISPATCH', evt: 'READY', data: { v: 1, config: {}, user: null } });
      const server = await fullQueue(
        path,
        `(socket) => socket.on('error', () => {}).once('data', () => {
          const body = Buffer.from(${JSON.stringify(ready)});
          const header = Buffer.alloc(8);
          header.writeInt32LE(1);
          header.writeInt32LE(body.length, 4);
          socket.write(Buffer.concat([header, body]));
        })`,
      );
      const client = outcome([path], 30_000);
      await new Promise((resolve) => setTimeout(resolve, 100));
      server.goOn();
      expect((await client).state).toBe('ready');
    },
  );

  it.skipIf(process.platform !== 'linux')(
    'reports a queue that stays full, and tries the next path (Linux only: a full queue is EAGAIN)',
    async () => {
      const path = join(temporaryFolder(), 'discord-ipc-0');
      await fullQueue(path);
      const missing = `${path}0`;
      expect((await outcome([path, missing], 100)).attempts).toEqual([
        { path, reason: 'busy' },
        { path: missing, reason: 'missing' },
      ]);
    },
  );

  it.skipIf(process.platform !== 'linux')(
    'rejects at once on abort while a queue is full (Linux only: a full queue is EAGAIN)',
    async () => {
      const path = join(temporaryFolder(), 'discord-ipc-0');
      await fullQueue(path);
      const stop = new AbortController();
      const connecting = connect({ clientId, paths: [path], connectTimeoutMs: 0, signal: stop.signal });
      setTimeout(() => stop.abort(new Error('enough')), 100);
      await expect(connecting).rejects.toThrow('enough');
    },
  );

  it('prints its error as the message alone, without the list of attempts', async () => {
    const error = await outcome([join(temporaryFolder(), 'discord-ipc-0')]);
    expect(inspect(error)).toMatch(/^ClientError: No server answers; /);
    expect(inspect(error)).not.toContain('attempts');
    expect(error.attempts).toHaveLength(1);
  });

  /** A socket that nobody may connect to, and one in a folder that nobody may enter. */
  async function forbidden(folder: string): Promise<string[]> {
    const path = join(folder, 'discord-ipc-0');
    await scriptedServer(wellBehaved, path);
    chmodSync(path, 0o000);
    const locked = join(folder, 'locked');
    mkdirSync(locked);
    const inside = join(locked, 'discord-ipc-0');
    await scriptedServer(wellBehaved, inside);
    chmodSync(locked, 0o000);
    onTestFinished(() => chmodSync(locked, 0o700));
    return [path, inside];
  }

  it.skipIf(uid === 0)('reports missing permission (not as root)', async () => {
    const paths = await forbidden(temporaryFolder());
    expect((await outcome(paths)).attempts).toEqual(paths.map((path) => ({ path, reason: 'denied' })));
  });

  it.skipIf(uid !== 0)('reports missing permission as another user (needs root)', async () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o755);
    const paths = await forbidden(folder);
    const library = join(folder, 'client.cjs');
    await build({
      entryPoints: [fileURLToPath(new URL('../../src/client/index.ts', import.meta.url))],
      bundle: true,
      platform: 'node',
      outfile: library,
    });
    const program = `require(${JSON.stringify(library)}).connect(${JSON.stringify({ clientId, paths })}).catch(
      ({ attempts }) => console.log(JSON.stringify(attempts)))`;
    const { stdout } = await promisify(execFile)(nodeForOthers(), ['--eval', program], {
      cwd: '/',
      uid: NOBODY,
      gid: NOBODY,
    });
    expect(JSON.parse(stdout)).toEqual(paths.map((path) => ({ path, reason: 'denied' })));
  });

  describe('on a Windows pipe', () => {
    const pipe = '\\\\?\\pipe\\discord-ipc-0';
    const refusedWith = async (code: string, path: string) => {
      const before = process.cwd();
      process.chdir(temporaryFolder());
      const refusing = vi.spyOn(net, 'connect').mockImplementation(() => {
        const socket = new net.Socket();
        process.nextTick(() => socket.destroy(Object.assign(new Error(`connect ${code}`), { code })));
        return socket;
      });
      try {
        // Stands for the pipe that everyone may read; on this system its name is that of a file.
        if (path === pipe) writeFileSync(pipe, '');
        else await listenOn({ path });
        const error = await outcome([path]);
        return error.attempts?.[0];
      } finally {
        refusing.mockRestore();
        process.chdir(before);
      }
    };
    const message =
      'the server runs as administrator or as another user, this program does not; footbridge doctor says which';

    it.each(['EPERM', 'EACCES'])(
      'names the rights of the server for %s, if reading is permitted',
      async (code) => {
        expect(await refusedWith(code, pipe)).toMatchObject({ reason: 'denied', message });
      },
    );

    it.each([
      ['a pipe that may not even be read', 'EPERM', `${pipe}-closed`, 'denied'],
      ['a socket', 'EPERM', './discord-ipc-0', 'denied'],
      ['another failure', 'ENOENT', pipe, 'missing'],
    ])('does not name them for %s', async (_what, code, path, reason) => {
      const attempt = await refusedWith(code, path);
      expect(attempt?.reason).toBe(reason);
      expect(attempt?.message).toBeUndefined();
    });
  });

  it('ignores a READY that arrives after the timeout', async () => {
    const server = await scriptedServer((_frame, peer) => void setTimeout(() => peer.ready(), 60));
    expect((await outcome([server.path], 20)).attempts).toEqual([{ path: server.path, reason: 'silent' }]);
  });
});

describe('FOOTBRIDGE_ENDPOINT', () => {
  /** Connects by the search, with these variables. */
  async function outcome(env: Readonly<Record<string, string>>, paths?: readonly string[]) {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const client = await connect({ clientId, paths }).catch((error) => error);
    if ('close' in client) onTestFinished(() => client.close());
    return client;
  }
  const attemptsOf = async (env: Readonly<Record<string, string>>) => {
    const { attempts, message } = await outcome(env);
    return { attempts, message };
  };

  it('replaces the search, and only the search', async () => {
    const [searched, named, given] = [await scriptedServer(), await scriptedServer(), await scriptedServer()];
    const path = join(searched.folder, 'discord-ipc-0');
    if (searched.path !== path) symlinkSync(searched.path, path);
    const env = { XDG_RUNTIME_DIR: searched.folder, FOOTBRIDGE_ENDPOINT: named.path };
    expect((await outcome(env)).state).toBe('ready');
    expect([searched, named, given].map(({ peers }) => peers.length)).toEqual([0, 1, 0]);
    expect((await outcome(env, [given.path])).state).toBe('ready');
    expect([searched, named, given].map(({ peers }) => peers.length)).toEqual([0, 1, 1]);
  });

  it('is named in the error when nothing answers at its path', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'discord-ipc-0');
    expect(await attemptsOf({ XDG_RUNTIME_DIR: folder, FOOTBRIDGE_ENDPOINT: path })).toEqual({
      attempts: [{ path, reason: 'missing' }],
      message: `No server answers at the path in FOOTBRIDGE_ENDPOINT; start the server, or set another path or none. Tried:\n  ${path}: missing`,
    });
  });

  it('is reported where no server can ever answer at its path', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const [path, fault] of [
      ['discord-ipc-0', 'which is not the absolute path of a socket'],
      [folder, `which is a folder. Set it to the path of the socket in it, such as ${folder}/discord-ipc-0`],
      [file, 'which is not a socket'],
      [`/${'x'.repeat(200)}`, 'Set FOOTBRIDGE_ENDPOINT to a shorter path'],
    ] as const) {
      const { attempts } = await attemptsOf({ FOOTBRIDGE_ENDPOINT: path });
      expect(attempts).toEqual([
        { path, reason: 'failed', message: expect.stringContaining(fault) as string },
      ]);
    }
  });
});

it('the error lists the missing endpoints of all sandboxes of a login session in one line for each kind', () => {
  const missing = ['', 'app/a.A/', 'app/b.B/', '.flatpak/a.A/xdg-run/', 'snap.a/', 'snap.b/'].flatMap(
    (name) =>
      [0, 1].map((index) => ({
        path: `/run/user/7/${name}discord-ipc-${index}`,
        reason: 'missing' as const,
      })),
  );
  expect(noServer(missing).message.split('\n').slice(1)).toEqual([
    '  /run/user/7/discord-ipc-N: missing',
    '  /run/user/7/app/*/discord-ipc-N: missing',
    '  /run/user/7/.flatpak/*/xdg-run/discord-ipc-N: missing',
    '  /run/user/7/snap.*/discord-ipc-N: missing',
  ]);
});

describe.skipIf(uid !== 0)('the socket of another user (needs root)', () => {
  async function foreignServer() {
    const server = await scriptedServer();
    chownSync(server.path, 12_345, 12_345);
    return server;
  }
  const options = { application: clientId, endpointTimeoutMs: 1000, trying() {}, dispatch() {}, ended() {} };

  it.each([
    ['root', 0],
    ['anybody else', 54_321],
  ])('receives nothing from %s', async (_who, owner) => {
    const server = await foreignServer();
    const message = `belongs to user 12345, not to ${owner}`;
    await expect(openFirst(socketTransport({ paths: [server.path] }, owner), options)).rejects.toMatchObject({
      attempts: [{ path: server.path, reason: 'foreign', message }],
    });
    expect(server.peers.flatMap(({ received }) => received)).toEqual([]);
  });

  it('is accepted by every user when it belongs to root', async () => {
    const server = await scriptedServer();
    const { link, ready } = await openFirst(socketTransport({ paths: [server.path] }, 54_321), options);
    expect(ready.v).toBe(1);
    link.end(Object.assign(new Error('done')) as never);
  });

  it('is rejected with the reason when the program names it, unless anyOwner is set', async () => {
    const { path } = await foreignServer();
    const token = () => 'very-secret';
    const refused = connect({ clientId, paths: [path], token });
    await expect(refused).rejects.toThrow(`${path}: foreign belongs to user 12345, not to 0`);
    const client = await connect({ clientId, paths: [path], token, anyOwner: true });
    onTestFinished(() => client.close());
    expect(client.state).toBe('ready');
  });

  it('is rejected behind an own link, and so is a foreign link to an own socket', async () => {
    const foreign = await foreignServer();
    const own = await scriptedServer();
    const [ours, theirs] = [join(own.folder, 'ours'), join(own.folder, 'theirs')];
    symlinkSync(foreign.path, ours);
    symlinkSync(own.path, theirs);
    lchownSync(theirs, 12_345, 12_345);
    // Both as the first path, which is looked at after the connect, and as a later one.
    for (const path of [ours, theirs]) {
      const error = await connect({ clientId, paths: [path, path] }).catch((caught) => caught);
      expect(error.attempts).toMatchObject([{ reason: 'foreign' }, { reason: 'foreign' }]);
    }
    expect(own.peers.flatMap(({ received }) => received)).toEqual([]);
  });
});
