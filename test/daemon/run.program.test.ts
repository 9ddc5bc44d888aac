import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Client, type ClientError, connect } from '../../src/client/index.ts';
import { READING_MS } from '../../src/emulator/accounts/consent/reading-time.ts';
import {
  atTerminal,
  footbridge,
  type Place,
  startDaemonProcess,
  startFootbridge,
  temporaryPlace,
} from '../cli/spawn.ts';
import { silentFifo } from '../helpers/fifo.ts';

const isLinux = process.platform === 'linux';
const privateFolder = (place: Place): string => join(place.folder, `footbridge-${process.getuid?.()}`);

const identify = { client_id: '300000000000000001', scopes: ['identify'] };

async function connectedApp(place: Place): Promise<Client> {
  const paths = [join(place.folder, 'discord-ipc-0')];
  const client = await connect({ clientId: identify.client_id, paths, reconnect: false });
  onTestFinished(() => client.close());
  return client;
}

/** Another program that answers at an endpoint, PING included. */
async function foreignOwner(path: string): Promise<void> {
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      const pong = Buffer.from(chunk);
      pong.writeInt32LE(4, 0);
      socket.write(pong);
    });
  });
  onTestFinished(() => void server.close());
  server.listen(path);
  await once(server, 'listening');
}

describe('footbridge run --json', () => {
  it('prints one line once every endpoint listens, and leaves no files behind', async () => {
    const place = temporaryPlace();
    const { ready, child, ended } = await startDaemonProcess(place, '--log-level', 'info');
    const endpoint = join(place.folder, 'discord-ipc-0');
    const control = join(privateFolder(place), 'control.sock');
    expect(ready).toEqual({
      ready: true,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      pid: child.pid,
      endpoints: expect.arrayContaining([{ kind: 'ipc', path: endpoint }]),
      api: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api$/),
      control,
      user: { id: expect.stringMatching(/^\d+$/) },
      guilds: expect.arrayContaining([expect.stringMatching(/^\d+$/)]),
      channels: {
        text: expect.arrayContaining([expect.stringMatching(/^\d+$/)]),
        voice: expect.arrayContaining([expect.stringMatching(/^\d+$/)]),
      },
    });
    expect(statSync(endpoint).mode & 0o777).toBe(0o600);
    expect(statSync(control).mode & 0o777).toBe(0o600);
    expect(statSync(privateFolder(place)).mode & 0o777).toBe(0o700);
    expect(readdirSync(place.folder).filter((name) => name.startsWith('discord-ipc-'))).toEqual([
      'discord-ipc-0',
    ]);

    child.kill('SIGTERM');
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    // Everything else is on stderr, one JSON object a line.
    for (const line of stderr.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg');
    expect(existsSync(endpoint)).toBe(false);
    expect(readdirSync(privateFolder(place))).toEqual([]);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'exits 0 at %s, also while an app is connected',
    async (signal) => {
      const place = temporaryPlace();
      const { child, ended } = await startDaemonProcess(place);
      const client = await connectedApp(place);
      const lost = new Promise<ClientError>((resolve) => client.on('disconnected', resolve));
      child.kill(signal);
      expect((await ended).code).toBe(0);
      expect((await lost).reason).toMatchObject({ code: 1000 });
    },
  );

  it('logs refused requests with --log-level debug, on lines without control characters', async () => {
    const place = temporaryPlace();
    const { child, ended } = await startDaemonProcess(place, '--log-level', 'debug');
    const client = await connectedApp(place);
    const steering = 'N\u001b[31m\u009b2J\u202eX';
    await expect(client.requestRaw(steering)).rejects.toMatchObject({ code: 4002 });
    await expect(client.request('GET_GUILDS')).rejects.toMatchObject({ code: 4006 });
    child.kill('SIGTERM');
    const { stderr } = await ended;
    expect(stderr.split('\n').filter((line) => /[\p{Cc}\p{Cf}]/u.test(line))).toEqual([]);
    const lines = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const of = (msg: string) => lines.filter((line) => line['msg'] === msg);
    expect(of('request refused')).toEqual([
      expect.objectContaining({ level: 'debug', cmd: steering, code: 4002 }),
      expect.objectContaining({ level: 'debug', cmd: 'GET_GUILDS', code: 4006 }),
    ]);
    expect(of('session is sent away')).toEqual([expect.objectContaining({ level: 'debug', code: 1000 })]);
  });

  it('exits although a request waits for the user', async () => {
    const made = temporaryPlace();
    // It waits for its answer so long.
    const place = { ...made, env: { ...made.env, FOOTBRIDGE_LIMITS_DRAIN_MS: '100' } };
    const { child, ended } = await startDaemonProcess(place, '--consent', 'ask');
    const client = await connectedApp(place);
    const answer = client.request('AUTHORIZE', identify).catch((error: unknown) => error);
    await expect
      .poll(async () => JSON.parse((await footbridge(place, 'requests', '--json')).stdout) as unknown, {
        timeout: 20_000,
      })
      .toHaveLength(1);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    expect(await answer).toBeDefined();
  });

  it('exits at once at a second signal', async () => {
    const place = temporaryPlace();
    const { child, ended } = await startDaemonProcess(place, '--consent', 'ask');
    const client = await connectedApp(place);
    void client.request('AUTHORIZE', identify);
    await expect
      .poll(async () => JSON.parse((await footbridge(place, 'requests', '--json')).stdout) as unknown, {
        timeout: 20_000,
      })
      .toHaveLength(1);
    child.kill('SIGINT');
    child.kill('SIGTERM');
    // Either it was asked twice in time, or the first had already ended it.
    expect([128 + 15, 128 + 2, 0]).toContain((await ended).code);
    expect(existsSync(join(place.folder, 'discord-ipc-0'))).toBe(false);
  });

  it.skipIf(!isLinux)('exits at a signal while a file hangs (needs /proc)', async () => {
    const place = temporaryPlace();
    const fifo = join(place.folder, 'config.toml');
    silentFifo(fifo);
    const { child, ended } = startFootbridge(place, ['run', '--json', '--config', fifo]);
    const catchesTerm = (): boolean => {
      const [, caught = '0'] =
        /^SigCgt:\s+(\w+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
      return (BigInt(`0x${caught}`) & (1n << 14n)) !== 0n;
    };
    await expect.poll(catchesTerm, { timeout: 20_000 }).toBe(true);
    child.kill('SIGTERM');
    // Node catches it too, and before it has run a line of ours ends by the signal itself.
    const { code, signal } = await ended;
    expect([0, 'SIGTERM']).toContain(code ?? signal);
  });

  it.skipIf(!isLinux)('exits at a signal while the fixture hangs (Linux only)', async () => {
    const place = temporaryPlace();
    const fifo = join(place.folder, 'world.toml');
    silentFifo(fifo);
    const { child, ended } = startFootbridge(place, ['run', '--json', '--fixture', fifo]);
    // It holds its lock, and waits for the fixture.
    await expect
      .poll(() => existsSync(join(privateFolder(place), 'daemon.lock')), { timeout: 20_000 })
      .toBe(true);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });

  it.skipIf(!isLinux)('refuses a FIFO in its data folder (Linux only)', async () => {
    const place = temporaryPlace();
    mkdirSync(join(place.folder, 'kept'));
    execFileSync('mkfifo', [join(place.folder, 'kept', 'origins.json')]);
    const { code, stderr } = await footbridge(place, 'run', '--data-dir', join(place.folder, 'kept'));
    expect(code).toBe(78);
    expect(stderr).toContain('origins.json');
    expect(stderr).toContain('it is no regular file');
  });

  it('opens no inspector at SIGUSR1', async () => {
    const place = temporaryPlace();
    const { child, ended } = await startDaemonProcess(place);
    child.kill('SIGUSR1');
    expect((await footbridge(place, 'status', '--json')).code).toBe(0);
    child.kill('SIGTERM');
    const { code, stderr } = await ended;
    expect(code).toBe(0);
    expect(stderr).not.toContain('Debugger');
  });

  it.skipIf(!isLinux)('hides its memory and allows no core file (needs /proc)', async () => {
    const place = temporaryPlace();
    const { ready } = await startDaemonProcess(place);
    expect(readFileSync(`/proc/${ready.pid}/limits`, 'utf8')).toMatch(/Max core file size +0 +0/);
    expect(readFileSync(`/proc/${ready.pid}/status`, 'utf8')).toMatch(/^Umask:\s+0077$/m);
  });
});

describe('footbridge run beside another program', () => {
  it('uses the next free index, and names the owner of the first', async () => {
    const place = temporaryPlace();
    await foreignOwner(join(place.folder, 'discord-ipc-0'));
    const { ready, child, ended } = await startDaemonProcess(place);
    expect(ready['endpoints']).toContainEqual({ kind: 'ipc', path: join(place.folder, 'discord-ipc-1') });
    child.kill('SIGTERM');
    const { stderr } = await ended;
    const line = stderr.split('\n').find((text) => text.includes('index 0 is taken')) ?? '{}';
    const { reason } = JSON.parse(line) as { reason: string };
    expect(reason).toContain(join(place.folder, 'discord-ipc-0'));
    if (isLinux) expect(reason).toContain(`pid ${process.pid}`);
  });

  it('exits 75 when its configured index is taken', async () => {
    const place = temporaryPlace();
    await foreignOwner(join(place.folder, 'discord-ipc-0'));
    const { code, stderr, stdout } = await footbridge(place, 'run', '--json', '--index', '0');
    expect(code).toBe(75);
    expect(stdout).toBe('');
    expect(stderr).toContain('discord-ipc-0');
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('exits 75 when another Footbridge serves the folder', async () => {
    const place = temporaryPlace();
    const { ready } = await startDaemonProcess(place);
    const { code, stderr } = await footbridge(place, 'run', '--json');
    expect(code).toBe(75);
    expect(stderr).toContain(`Another Footbridge (pid ${ready.pid})`);
    expect((await footbridge(place, 'status')).code).toBe(0);
  });

  it('starts again after SIGKILL', async () => {
    const place = temporaryPlace();
    const first = await startDaemonProcess(place);
    first.child.kill('SIGKILL');
    await first.ended;
    expect((await footbridge(place, 'status')).code).toBe(4);
    const second = await startDaemonProcess(place);
    expect(second.ready['endpoints']).toContainEqual({
      kind: 'ipc',
      path: join(place.folder, 'discord-ipc-0'),
    });
  });

  it('exits 75 when another bridge uses the data folder', async () => {
    const [one, two] = [temporaryPlace(), temporaryPlace()];
    const { ready } = await startDaemonProcess(one, '--data-dir', join(one.folder, 'data'));
    const { code, stderr } = await footbridge(two, 'run', '--json', '--data-dir', join(one.folder, 'data'));
    expect(code).toBe(75);
    expect(stderr).toContain(`Another Footbridge (pid ${ready.pid}) keeps its grants in`);
    expect(readdirSync(privateFolder(two))).toEqual([]);
  });
});

describe('footbridge run with an invalid setting', () => {
  it.each([
    [['--index', '11'], 64, '--index: 11 is not "auto" or'],
    [['--consent', 'maybe'], 64, '--consent: "maybe" is not one of ask, allow, deny'],
    [
      ['--core', 'nope'],
      64,
      '--core: "nope" is not a client core (emulator, upstream, attach) or the path of',
    ],
    [['--fallback', 'upstream'], 64, '--fallback: "upstream" is not a client core (emulator, attach) or'],
    [
      ['--fixture', '/nowhere.toml'],
      78,
      '/nowhere.toml: cannot be read: there is no such file or folder (ENOENT)',
    ],
    [
      ['--config', '/nowhere.toml'],
      78,
      '/nowhere.toml: cannot be read: there is no such file or folder (ENOENT)',
    ],
    ...(isLinux
      ? [[['--data-dir', '/proc/self/fd'], 78, 'The data folder /proc/self/fd cannot be used: '] as const]
      : []),
  ] as const)('refuses %j with exit code %i', async (args, exitCode, message) => {
    const { code, stderr, stdout } = await footbridge(temporaryPlace(), 'run', '--json', ...args);
    expect(code).toBe(exitCode);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
  });

  it('names file and key of an unknown core, and exits 78', async () => {
    const place = temporaryPlace();
    const path = join(place.folder, 'footbridge.toml');
    writeFileSync(path, 'core = "nope"\n');
    const fromFile = await footbridge(place, 'run', '--json', '--config', path);
    expect(fromFile).toMatchObject({
      code: 78,
      stderr: expect.stringContaining(`${path}: core: "nope" is not`),
    });
    const elsewhere = { ...place, env: { ...place.env, FOOTBRIDGE_FALLBACK: 'nope' } };
    const fromEnvironment = await footbridge(elsewhere, 'run', '--json');
    expect(fromEnvironment).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('FOOTBRIDGE_FALLBACK: "nope" is not a client core'),
    });
  });

  it('names file, key and reason of an invalid fixture', async () => {
    const place = temporaryPlace();
    const path = join(place.folder, 'world.toml');
    writeFileSync(path, 'me = "7"\nstrct = true\n[[users]]\nid = "7"\nusername = "seven"\n');
    const { code, stderr } = await footbridge(place, 'run', '--json', '--fixture', path);
    expect(code).toBe(78);
    expect(stderr).toContain(`${path}: strct: `);
  });

  it('names the variable of a relative endpoint folder', async () => {
    const place = temporaryPlace();
    const relative = { ...place, env: { ...place.env, XDG_RUNTIME_DIR: 'run' } };
    const { code, stderr } = await footbridge(relative, 'run', '--json');
    expect(code).toBe(78);
    expect(stderr).toContain('XDG_RUNTIME_DIR');
  });

  it('exits 75 when the port is taken', async () => {
    const place = temporaryPlace();
    const server = createServer();
    onTestFinished(() => void server.close());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const { code, stderr } = await footbridge(place, 'run', '--json', '--http-port', String(port));
    expect(code).toBe(75);
    expect(stderr).toContain(`Port ${port} of 127.0.0.1`);
    expect(readdirSync(privateFolder(place))).toEqual([]);
    const web = await footbridge(place, 'run', '--json', '--ws-port', String(port));
    expect(web.code).toBe(75);
    expect(web.stderr).toContain(`Port ${port} of 127.0.0.1`);
    expect(readdirSync(privateFolder(place))).toEqual([]);
  });
});

describe('footbridge run without --json', () => {
  it('prints its endpoints, an example command and each waiting request', async () => {
    const place = temporaryPlace();
    const running = startFootbridge(place, ['run', '--http-port', '0']);
    const said = await running.stdoutWith('Ctrl-C');
    expect(said).toContain(join(place.folder, 'discord-ipc-0'));
    expect(said).toContain('http://127.0.0.1:');
    expect(said).toContain('footbridge call SET_ACTIVITY');
    const asking = startFootbridge(place, ['call', 'AUTHORIZE', `@${authorizeFile(place)}`]);
    const [, id] = /footbridge approve (\w+)/.exec(await running.stdoutWith('footbridge approve')) ?? [];
    expect((await footbridge(place, 'approve', id ?? '')).code).toBe(0);
    const answer = await asking.ended;
    expect(answer.code).toBe(0);
    expect(JSON.parse(answer.stdout)).toHaveProperty('code');
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
  });

  it('requests consent at its own terminal', async () => {
    const place = temporaryPlace();
    const terminal = atTerminal(place, ['run', '--http-port', '0']);
    await terminal.stdoutWith('Ctrl-C');
    const asking = startFootbridge(place, ['call', 'AUTHORIZE', `@${authorizeFile(place)}`]);
    await terminal.stdoutWith('Allow it?');
    // Read first, then type: what comes faster is not taken for an answer.
    await new Promise((resolve) => setTimeout(resolve, READING_MS + 200));
    terminal.child.stdin?.write('y\n');
    const answer = await asking.ended;
    expect(JSON.parse(answer.stdout)).toHaveProperty('code');
    await terminal.stdoutWith('Allowed.');
    terminal.child.stdin?.write('\u0003');
    expect((await terminal.ended).code).toBe(0);
  });
});

function authorizeFile(place: Place): string {
  const path = join(place.folder, 'authorize.json');
  writeFileSync(path, JSON.stringify({ client_id: '300000000000000001', scopes: ['identify', 'rpc'] }));
  return path;
}

describe('footbridge run with a log that cannot be written', () => {
  it.skipIf(!isLinux)('serves and exits 0 with a full disk (needs /dev/full)', async () => {
    const place = temporaryPlace();
    const fd = openSync('/dev/full', 'w');
    onTestFinished(() => closeSync(fd));
    const running = startFootbridge(place, ['run', '--json', '--http-port', '0', '--log-level', 'debug'], {
      stdio: ['pipe', 'pipe', fd],
    });
    await running.stdoutWith('\n');
    expect((await footbridge(place, 'call', 'SET_ACTIVITY', '{"pid":1}')).code).toBe(0);
    running.child.kill('SIGTERM');
    expect((await running.ended).code).toBe(0);
  });

  it('serves and exits 0 after the readers of both streams disconnected', async () => {
    const place = temporaryPlace();
    const { child, ended } = await startDaemonProcess(place, '--log-level', 'debug');
    child.stdout?.destroy();
    child.stderr?.destroy();
    expect((await footbridge(place, 'call', 'SET_ACTIVITY', '{"pid":1}')).code).toBe(0);
    expect((await footbridge(place, 'status')).code).toBe(0);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
  });
});

it('footbridge run describes the fault of an endpoint folder that others can write to', async () => {
  const place = temporaryPlace();
  const folder = join(place.folder, 'open');
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  const open = { ...place, env: { ...place.env, XDG_RUNTIME_DIR: folder } };
  const { code, stderr } = await footbridge(open, 'run', '--json');
  expect(code).toBe(78);
  expect(stderr).toContain('chmod 0700');
});
