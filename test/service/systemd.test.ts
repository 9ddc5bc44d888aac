import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { InstallOptions, ServiceDefinition } from '../../service/manager.ts';
import { type Receipt, readReceipt, receiptPath, writeReceipt } from '../../service/receipt.ts';
import { systemdManager } from '../../service/systemd.ts';
import { temporaryFolder, uid } from '../helpers/sockets.ts';
import { FakeSystemd } from './fake-systemd.ts';

const definition: ServiceDefinition = {
  argv: ['/usr/bin/node', '/opt/footbridge/dist/footbridge.js', 'run', '--service', '--core', 'upstream'],
  env: {},
  core: 'upstream',
  flags: {},
  version: '1.2.3',
  native: true,
  logFolder: '/var/nowhere',
};
const options: InstallOptions = { start: true, linger: false, socket: false, force: false };

/** What changes when a file is written; reading it changes the rest. */
function written(path: string) {
  const { ino, size, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
  return { ino, size, mtimeNs, ctimeNs };
}

function bench() {
  const home = temporaryFolder();
  const runtime = join(home, 'run');
  mkdirSync(runtime, { mode: 0o700 });
  const folder = join(home, '.config', 'systemd', 'user');
  const systemd = new FakeSystemd(folder);
  const context = {
    env: { XDG_RUNTIME_DIR: runtime } as Record<string, string>,
    home,
    uid,
    user: 'someone',
    stateFolder: join(home, 'state'),
    run: systemd.run,
  };
  const service = join(folder, 'footbridge.service');
  const socket = join(folder, 'footbridge.socket');
  return { context, manager: systemdManager(context), systemd, service, socket };
}

describe('systemd install', () => {
  it('writes the unit, enables and starts it, and changes nothing the second time', async () => {
    const { manager, systemd, service, context } = bench();
    expect(await manager.install(definition, options)).toEqual({
      kind: 'systemd',
      change: 'new',
      files: [service],
      running: true,
      argv: definition.argv,
      notes: [],
    });
    expect(readFileSync(service, 'utf8')).toContain('--core upstream\n');
    expect(systemd.unit('footbridge.service')).toMatchObject({ enabled: true, active: 'active' });
    expect(readReceipt(context.stateFolder)).toMatchObject({
      kind: 'systemd',
      version: '1.2.3',
      core: 'upstream',
      marks: [],
    });
    const before = written(service);
    systemd.changes();

    expect(await manager.install(definition, options)).toMatchObject({ change: 'unchanged', running: true });
    expect(written(service)).toEqual(before);
    expect(systemd.changes().filter((call) => /stop|reload/.test(call))).toEqual([]);
  });

  it('accepts a receipt without options, as does every other command', async () => {
    const { manager, systemd, service, context } = bench();
    await manager.install(definition, options);
    const older = (): void => {
      const { flags, ...receipt } = JSON.parse(
        readFileSync(receiptPath(context.stateFolder), 'utf8'),
      ) as Receipt;
      expect(flags).toEqual({});
      writeReceipt(context.stateFolder, receipt);
    };
    older();
    await manager.stop();
    expect(await manager.status()).toMatchObject({ kind: 'stopped' });
    await manager.start();
    expect(await manager.status()).toMatchObject({ kind: 'running' });
    expect(await manager.install(definition, options)).toMatchObject({ change: 'unchanged', running: true });
    expect(readReceipt(context.stateFolder)).toMatchObject({ flags: {} });
    older();
    expect(await manager.uninstall({ force: false })).toMatchObject({ files: [service] });
    expect(existsSync(service)).toBe(false);
    expect(systemd.unit('footbridge.service')).toMatchObject({ enabled: false, active: 'inactive' });
  });

  it('restarts the service when the definition has changed', async () => {
    const { manager, systemd } = bench();
    await manager.install(definition, options);
    systemd.changes();
    const argv = [...definition.argv, '--fallback', 'emulator'] as unknown as ServiceDefinition['argv'];
    expect(await manager.install({ ...definition, argv }, options)).toMatchObject({ change: 'updated' });
    expect(systemd.changes().filter((call) => /stop|start|reload/.test(call))).toEqual([
      'systemctl daemon-reload',
      'systemctl stop footbridge.service',
      'systemctl start footbridge.service',
    ]);
  });

  it('leaves the start to the next login with start: false', async () => {
    const { manager, systemd } = bench();
    expect(await manager.install(definition, { ...options, start: false })).toMatchObject({ running: false });
    expect(systemd.unit('footbridge.service')).toMatchObject({ enabled: true, active: 'inactive' });
  });

  it('runs exactly the commands of the plan, in order', async () => {
    const { manager, systemd, service, socket } = bench();
    const all = { ...options, linger: true, socket: true };
    const { files, commands } = manager.plan(definition, all);
    expect(files.map(({ path }) => existsSync(path))).toEqual([false, false]);
    expect(systemd.calls).toEqual([]);
    await manager.install(definition, all);
    for (const { path, content } of files) expect(readFileSync(path, 'utf8')).toBe(content);
    const words = commands.map((command) => command.filter((word) => word !== '--user').join(' '));
    const [reload, enable, linger] = words;
    const changes = systemd.changes().filter((call) => !/reset-failed|stop/.test(call));
    expect(changes).toEqual([
      reload,
      enable,
      linger,
      'systemctl start footbridge.socket',
      'systemctl start footbridge.service',
    ]);
    expect(commands).toEqual([
      ['systemctl', '--user', 'daemon-reload'],
      ['systemctl', '--user', 'enable', 'footbridge.service', 'footbridge.socket'],
      ['loginctl', 'enable-linger'],
      ['systemctl', '--user', 'start', 'footbridge.socket', 'footbridge.service'],
    ]);
    expect(manager.plan(definition, { ...options, start: false }).commands).toEqual([
      ['systemctl', '--user', 'daemon-reload'],
      ['systemctl', '--user', 'enable', 'footbridge.service'],
    ]);
    expect(files.map(({ path, mode }) => [path, mode, lstatSync(path).mode & 0o777])).toEqual(
      [service, socket].map((path) => [path, 0o644, 0o644]),
    );
  });

  it('does not change a unit that the user has edited, unless forced', async () => {
    const { manager, systemd, service } = bench();
    await manager.install(definition, options);
    writeFileSync(service, '# mine\n');
    systemd.changes();
    await expect(manager.install(definition, options)).rejects.toMatchObject({ code: 'FOOTBRIDGE_EDITED' });
    expect(systemd.changes()).toEqual([]);
    expect(readFileSync(service, 'utf8')).toBe('# mine\n');
    expect(await manager.install(definition, { ...options, force: true })).toMatchObject({
      change: 'updated',
    });
  });

  it('adds the socket before the service that uses it, and removes the socket again', async () => {
    const { manager, systemd, socket } = bench();
    await manager.install(definition, options);
    expect(await manager.install(definition, { ...options, socket: true })).toMatchObject({
      change: 'updated',
    });
    expect(systemd.unit('footbridge.socket')).toMatchObject({ enabled: true, active: 'active' });
    expect(systemd.unit('footbridge.service').active).toBe('active');
    systemd.changes();
    await manager.install(definition, options);
    expect(existsSync(socket)).toBe(false);
    expect(systemd.changes()).toEqual([
      'systemctl disable --now footbridge.socket',
      'systemctl daemon-reload',
      'systemctl enable footbridge.service',
      'systemctl stop footbridge.service',
      'systemctl reset-failed footbridge.service',
      'systemctl start footbridge.service',
    ]);
    expect(systemd.unit('footbridge.socket')).toMatchObject({ enabled: false, active: 'inactive' });
  });

  it('enables lingering only if it was off, and uninstall disables only that', async () => {
    const { manager, systemd, context } = bench();
    await manager.install(definition, { ...options, linger: true });
    expect(systemd.lingering).toBe(true);
    expect(systemd.calls).toContain('loginctl show-user someone --property=Linger --value');
    // Again, without the wish: it stays as it is, and stays ours.
    await manager.install(definition, options);
    expect(readReceipt(context.stateFolder)?.marks).toEqual(['linger']);
    await manager.uninstall({ force: false });
    expect(systemd.lingering).toBe(false);
    expect(systemd.calls).toContain('loginctl disable-linger');

    systemd.lingering = true;
    await manager.install(definition, { ...options, linger: true });
    await manager.uninstall({ force: false });
    expect(systemd.lingering).toBe(true);
  });

  it('notes the command that enables lingering when the user may not enable it', async () => {
    const { manager, systemd } = bench();
    systemd.lingerRefused = true;
    const { notes, running } = await manager.install(definition, { ...options, linger: true });
    expect(running).toBe(true);
    expect(notes).toEqual([
      'It ends when you log out: Could not enable linger: Access denied. Ask an administrator for: loginctl enable-linger someone',
    ]);
  });

  it.each([
    ['exit-code', '64', 'exit code 64, the command line is wrong'],
    ['exit-code', '75', 'exit code 75, the endpoint, port or data folder is taken'],
    ['exit-code', '78', 'exit code 78, a setting, file or folder is wrong'],
    ['exit-code', '1', 'exit code 1'],
    ['start-limit-hit', '1', 'it ended more than 10 times within 60 seconds'],
    ['watchdog', '6', 'it hung and was ended'],
    ['signal', '9', 'it was ended by signal 9'],
    ['core-dump', '11', 'it was ended by signal 11'],
    ['timeout', '15', 'it was not ready, or did not end, in time'],
    ['oom-kill', '9', 'the system was out of memory'],
    ['new-in-900', '1', 'systemd says "new-in-900"'],
  ])('reports the reason when the service does not start: %s, status %s', async (result, status, reason) => {
    const { manager, systemd } = bench();
    systemd.failure = { result, status };
    await expect(manager.install(definition, options)).rejects.toMatchObject({
      code: 'FOOTBRIDGE_SERVICE',
      message: `The service is installed and does not start: ${reason}. Its log says more: footbridge logs`,
    });
    expect(await manager.status()).toEqual({ kind: 'failed', reason });
    // What is half there can be taken away.
    expect(await manager.uninstall({ force: false })).toMatchObject({ change: 'removed' });
  });

  it.each([
    ['\nJob failed.\nSee the log.\n', 'Job failed'],
    [' \n', 'no reason given'],
    [`${'x'.repeat(301)}`, 'x'.repeat(300)],
  ])(
    'reports what systemctl printed while systemd waits for the next attempt: %j',
    async (stderr, reason) => {
      const { context, systemd } = bench();
      const run: typeof systemd.run = async (command) => {
        if (command.includes('start')) {
          systemd.unit('footbridge.service').active = 'activating';
          return { code: 1, stdout: '', stderr };
        }
        return systemd.run(command);
      };
      await expect(systemdManager({ ...context, run }).install(definition, options)).rejects.toThrow(
        `The service is installed and does not start: ${reason}. Its`,
      );
    },
  );

  it('names the command that failed', async () => {
    const { context, systemd } = bench();
    const run: typeof systemd.run = async (command) =>
      command.includes('daemon-reload')
        ? { code: 4, stdout: '', stderr: 'No.\r\nMore\n' }
        : systemd.run(command);
    await expect(systemdManager({ ...context, run }).install(definition, options)).rejects.toMatchObject({
      code: 'FOOTBRIDGE_SERVICE',
      message: '"systemctl --user daemon-reload" failed with 4: No.',
    });
  });
});

describe('systemd uninstall', () => {
  it('removes everything that install wrote, and changes nothing the second time', async () => {
    const { manager, systemd, service, socket, context } = bench();
    await manager.install(definition, { ...options, socket: true });
    systemd.changes();
    expect(await manager.uninstall({ force: false })).toEqual({
      change: 'removed',
      files: [service, socket],
      notes: [],
    });
    expect(systemd.changes()).toEqual([
      'systemctl disable --now footbridge.service footbridge.socket',
      'systemctl daemon-reload',
      'systemctl reset-failed footbridge.service',
    ]);
    expect(systemd.unit('footbridge.service')).toMatchObject({
      enabled: false,
      active: 'inactive',
      loaded: false,
    });
    expect(readReceipt(context.stateFolder)).toBeUndefined();
    systemd.changes();
    expect(await manager.uninstall({ force: false })).toEqual({ change: 'unchanged', files: [], notes: [] });
    expect(systemd.changes()).toEqual([]);
  });

  it('leaves an edited unit, with a note', async () => {
    const { manager, service } = bench();
    await manager.install(definition, options);
    writeFileSync(service, '# mine\n');
    expect(await manager.uninstall({ force: false })).toMatchObject({
      files: [],
      notes: [expect.stringContaining(service)],
    });
    expect(existsSync(service)).toBe(true);
  });

  it('removes the files and the links without a manager, and notes that the bridge must be ended by hand', async () => {
    const { manager, systemd, service, socket } = bench();
    await manager.install(definition, { ...options, socket: true });
    const folder = join(service, '..');
    const links = ['default.target.wants/footbridge.service', 'sockets.target.wants/footbridge.socket'];
    for (const link of links) {
      mkdirSync(join(folder, link, '..'));
      symlinkSync(service, join(folder, link));
    }
    systemd.unreachable = 'Failed to connect to bus: No medium found';
    expect(await manager.uninstall({ force: false })).toEqual({
      change: 'removed',
      files: [service, socket],
      notes: ['The user manager does not answer: a bridge that still runs has to be ended by hand.'],
    });
    const gone = [service, socket, ...links.map((link) => join(folder, link))];
    expect(gone.filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined)).toEqual([]);
  });

  it('without a manager leaves a file that is no link of systemd', async () => {
    const { manager, systemd, service } = bench();
    await manager.install(definition, options);
    const own = join(service, '..', 'default.target.wants', 'footbridge.service');
    mkdirSync(join(own, '..'));
    writeFileSync(own, 'mine');
    systemd.unreachable = 'no';
    await manager.uninstall({ force: false });
    expect(readFileSync(own, 'utf8')).toBe('mine');
  });
});

describe('systemd start, stop and restart', () => {
  it('succeed when called twice', async () => {
    const { manager, systemd } = bench();
    await manager.install(definition, { ...options, socket: true, start: false });
    systemd.changes();
    expect([await manager.start(), await manager.start()]).toEqual([true, false]);
    const [reset, start] = ['reset-failed footbridge.service footbridge.socket', 'start footbridge.service'];
    const changes = (): string[] => systemd.changes().map((call) => call.replace('systemctl ', ''));
    expect(changes()).toEqual([
      ...[reset, 'stop footbridge.service', 'start footbridge.socket', start],
      ...[reset, start],
    ]);
    await manager.restart();
    expect(changes()).toEqual(['stop footbridge.service', reset, start]);
    expect(await manager.status()).toEqual({ kind: 'running', pid: 4711, restarts: 0 });
    expect([await manager.stop(), await manager.stop()]).toEqual([true, false]);
    const stop = ['stop footbridge.service footbridge.socket', reset];
    expect(changes()).toEqual([...stop, ...stop]);
    await manager.restart();
    expect((await manager.status()).kind).toBe('running');
  });

  it('report that nothing is installed, except stop', async () => {
    const { manager } = bench();
    const wrong = {
      code: 'FOOTBRIDGE_NOT_INSTALLED',
      message: expect.stringContaining('footbridge install'),
    };
    await expect(manager.start()).rejects.toMatchObject(wrong);
    await expect(manager.restart()).rejects.toMatchObject(wrong);
    expect(await manager.stop()).toBe(false);
    expect(await manager.status()).toEqual({ kind: 'absent' });
  });

  it('work with a unit that a package installed', async () => {
    const { manager, systemd } = bench();
    systemd.unit('footbridge.service').loaded = true;
    expect(await manager.status()).toEqual({ kind: 'stopped' });
    systemd.changes();
    expect(await manager.start()).toBe(true);
    expect(systemd.changes()).toEqual([
      'systemctl reset-failed footbridge.service',
      'systemctl start footbridge.service',
    ]);
    systemd.unit('footbridge.service').active = 'activating';
    expect(await manager.stop()).toBe(true);
  });
});

describe('systemd status', () => {
  it('distinguishes running, starting, stopped and waiting for the first app', async () => {
    const { manager, systemd } = bench();
    await manager.install(definition, { ...options, socket: true });
    systemd.restarts = 3;
    expect(await manager.status()).toEqual({ kind: 'running', pid: 4711, restarts: 3 });
    systemd.unit('footbridge.service').active = 'reloading';
    expect(await manager.status()).toMatchObject({ kind: 'running' });
    systemd.unit('footbridge.service').active = 'activating';
    expect(await manager.status()).toEqual({ kind: 'starting' });
    systemd.unit('footbridge.service').active = 'inactive';
    expect(await manager.status()).toEqual({
      kind: 'stopped',
      reason: 'it starts when the first app connects',
    });
    systemd.unit('footbridge.socket').active = 'inactive';
    expect(await manager.status()).toEqual({ kind: 'stopped' });
  });
});

describe('systemd without a user manager', () => {
  const reason = 'Failed to connect to bus: No medium found';

  it.each([
    [
      {},
      `XDG_RUNTIME_DIR is not set, as after "su" or "sudo". Log in as someone, or try: export XDG_RUNTIME_DIR=/run/user/${uid}`,
    ],
    [
      { XDG_RUNTIME_DIR: '/nowhere' },
      'No user manager runs: usual in containers, in WSL without systemd, and over ssh for a user who never logs in (then: loginctl enable-linger someone)',
    ],
    ['private', 'It runs and does not answer. Try: systemctl --user daemon-reexec'],
  ] as const)('reports the missing part and the alternative: %o', async (session, advice) => {
    const { context, systemd, service } = bench();
    systemd.unreachable = reason;
    const env = session === 'private' ? context.env : session;
    if (session === 'private')
      mkdirSync(join(context.env['XDG_RUNTIME_DIR'] ?? '', 'systemd', 'private'), { recursive: true });
    const manager = systemdManager({ ...context, env });
    await expect(manager.install(definition, options)).rejects.toMatchObject({
      code: 'FOOTBRIDGE_NO_MANAGER',
      message:
        `The user's systemd does not answer (Failed to connect to bus: No medium found). ${advice}. ` +
        '"footbridge install --print" shows what would be installed; "footbridge run" works without it.',
    });
    expect(existsSync(service)).toBe(false);
    expect(await manager.status()).toEqual({ kind: 'absent' });
    expect(manager.plan(definition, options).files).toHaveLength(1);
  });

  it('reports an installed service as unknown', async () => {
    const { manager, systemd } = bench();
    await manager.install(definition, options);
    systemd.unreachable = reason;
    expect(await manager.status()).toEqual({
      kind: 'unknown',
      reason: expect.stringContaining('No medium found'),
    });
  });

  it('names systemctl when it does not exist', async () => {
    const { context } = bench();
    const run = (): Promise<never> => Promise.reject(Object.assign(new Error('spawn'), { code: 'ENOENT' }));
    await expect(systemdManager({ ...context, run }).install(definition, options)).rejects.toThrow(
      'systemctl: ENOENT',
    );
  });
});

it.each([
  [true, '--follow'],
  [false, '--no-pager'],
])('systemd logs come from the journal (follow: %s)', (follow, flag) => {
  const { manager } = bench();
  expect(manager.logs({ lines: 7, follow })).toEqual({
    kind: 'command',
    argv: ['journalctl', '--user', '--unit', 'footbridge.service', '--lines', '7', flag],
    hint: expect.stringContaining('systemd-journal'),
  });
});

it('systemd units lie in the configuration folder of the user, if its path is absolute', () => {
  const { context, service } = bench();
  const pathWith = (folder: string): string | undefined => {
    const env = { ...context.env, XDG_CONFIG_HOME: folder };
    return systemdManager({ ...context, env }).plan(definition, options).files[0]?.path;
  };
  expect(['/conf', 'conf', ''].map(pathWith)).toEqual([
    '/conf/systemd/user/footbridge.service',
    service,
    service,
  ]);
});
