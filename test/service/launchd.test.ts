import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { launchdManager, statusFrom } from '../../service/launchd.ts';
import { launchAgent } from '../../service/launchd-plist.ts';
import { parsePlist } from '../helpers/plist.ts';
import { definition, ended, serviceBench, started } from './fakes/bench.ts';
import { type LaunchdState, launchctl } from './fakes/launchctl.ts';

const fresh: LaunchdState = {
  session: true,
  loaded: false,
  disabled: true,
  running: false,
  pid: 700,
  runs: 0,
  exit: null,
  eio: 0,
  slow: 0,
  lingers: 0,
  lame: false,
};

function bench(changes: Partial<LaunchdState> = {}) {
  const slept: number[] = [];
  const machine = serviceBench<LaunchdState>(launchctl, { ...fresh, ...changes });
  const manager = launchdManager(machine.context, { sleep: async (ms) => slept.push(ms) });
  const path = join(machine.folder, 'Library/LaunchAgents/footbridge.plist');
  return { ...machine, manager, slept, path, what: definition(machine.folder) };
}

describe('the LaunchAgent', () => {
  it('is a property list with every argument unchanged', () => {
    const { argv, env } = definition('/x');
    expect(parsePlist(launchAgent({ argv, env }))).toEqual({
      Label: 'footbridge',
      ProgramArguments: argv,
      EnvironmentVariables: env,
      RunAtLoad: true,
      KeepAlive: { SuccessfulExit: false },
      ThrottleInterval: 30,
      ExitTimeOut: 10,
      ProcessType: 'Background',
      LimitLoadToSessionType: 'Aqua',
      Umask: 0o077,
      HardResourceLimits: { Core: 0 },
      SoftResourceLimits: { Core: 0 },
      StandardOutPath: '/dev/null',
      StandardErrorPath: '/dev/null',
    });
    const lines = launchAgent({ argv: ['a'], env: {} }).split('\n');
    expect(lines.slice(3, 12)).toEqual([
      '<dict>',
      '  <key>Label</key>',
      '  <string>footbridge</string>',
      '  <key>ProgramArguments</key>',
      '  <array>',
      '    <string>a</string>',
      '  </array>',
      '  <key>RunAtLoad</key>',
      '  <true/>',
    ]);
    expect(lines.slice(-3)).toEqual(['</dict>', '</plist>', '']);
  });

  it('rejects text that XML cannot hold', () => {
    for (const word of ['a\u0000b', 'a\nb', 'a\ud800b']) {
      expect(() => launchAgent({ argv: [word], env: {} })).toThrow('no service file can hold');
    }
    expect(parsePlist(launchAgent({ argv: ['/é/😀'], env: {} }))).toHaveProperty('ProgramArguments', [
      '/é/😀',
    ]);
  });

  it.each([
    ['no document type', '<dict/>', 'the document type'],
    ['an open dict', launchAgent({ argv: ['x'], env: {} }).replace('</dict>\n</plist>', '</plist>'), 'dict'],
  ])('is rejected by the parser of these tests when it has %s', (_, text, problem) => {
    expect(() => parsePlist(text)).toThrow(problem);
  });
});

describe('launchd install', () => {
  it('writes the file, enables and loads it, and reports that it runs', async () => {
    const { manager, state, path, what } = bench();
    expect(await manager.status()).toEqual({ kind: 'absent' });
    const installed = await manager.install(what, started);
    expect(installed).toEqual({
      kind: 'launchd',
      change: 'new',
      files: [path],
      argv: [...what.argv, '--log-files'],
      running: true,
      notes: [],
    });
    expect(statSync(path).mode & 0o777).toBe(0o644);
    expect(parsePlist(readFileSync(path, 'utf8'))).toMatchObject({
      ProgramArguments: [...what.argv, '--log-files'],
    });
    expect(await manager.status()).toEqual({ kind: 'running', pid: 701, restarts: 0 });
    expect(state().disabled).toBe(false);
  });

  it('changes nothing the second time, and loads the file again when it has changed', async () => {
    const { manager, state, what, folder } = bench();
    await manager.install(what, started);
    expect((await manager.install(what, started)).change).toBe('unchanged');
    expect(state()).toMatchObject({ pid: 701 });
    const updated = await manager.install(definition(folder, 'emulator'), started);
    expect(updated).toMatchObject({ change: 'updated', running: true });
    expect(state()).toMatchObject({ pid: 702, loaded: true });
  });

  it('waits until launchd has unloaded the old agent, and retries after exit code 5', async () => {
    const { manager, slept, folder, what } = bench({ slow: 4, eio: 2 });
    await manager.install(what, started);
    expect(slept).toEqual([200, 400]);
    const updated = await manager.install(definition(folder, 'emulator'), started);
    expect(updated.running).toBe(true);
    expect(slept.slice(2)).toEqual([100, 100, 100, 100]);
  });

  it('fails with the reason after five retries', async () => {
    const { manager, slept, what } = bench({ eio: 100 });
    await expect(manager.install(what, started)).rejects.toMatchObject({
      code: 'FOOTBRIDGE_SERVICE',
      message: expect.stringMatching(/^"launchctl bootstrap" failed with 5: Bootstrap failed: 5/),
    });
    expect(slept).toEqual([200, 400, 800, 1600, 3200]);
    expect((await manager.uninstall({ force: false })).change).toBe('removed');
  });

  it('kickstarts an agent that is loaded and does not run', async () => {
    const { manager, what, state } = bench({ lame: true });
    expect((await manager.install(what, started)).running).toBe(true);
    expect(state().calls).toContain('launchctl kickstart gui/501/footbridge');
  });

  it('waits for the next login with --no-start', async () => {
    const { manager, what, state } = bench();
    expect(await manager.install(what, { ...started, start: false })).toMatchObject({ running: false });
    expect(state().calls.some((call) => call.startsWith('launchctl bootstrap'))).toBe(false);
    expect(await manager.status()).toMatchObject({ kind: 'stopped' });
    expect(await manager.start()).toBe(true);
    expect(await manager.start()).toBe(false);
  });

  it('notes that macOS has no lingering and no socket activation', async () => {
    const { manager, what } = bench();
    const { notes } = await manager.install(what, { ...started, linger: true, socket: true });
    expect(notes).toEqual([
      'launchd ends it when you log out; there is no lingering here.',
      'launchd holds no endpoint for it; it listens itself.',
    ]);
  });

  it('fails without a graphical session, and writes nothing', async () => {
    const { manager, what, path } = bench({ session: false });
    await expect(manager.install(what, started)).rejects.toMatchObject({
      code: 'FOOTBRIDGE_NO_MANAGER',
      message:
        'launchd has no session gui/501: the user is not logged in at the screen (over ssh, for instance). ' +
        'Log in there; "footbridge install --print" shows what would be installed.',
    });
    expect(existsSync(path)).toBe(false);
  });

  it('does not change a file that another program wrote or the user edited, unless forced', async () => {
    const { manager, what, path } = bench();
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, 'mine');
    await expect(manager.install(what, started)).rejects.toMatchObject({ code: 'FOOTBRIDGE_EDITED' });
    expect(readFileSync(path, 'utf8')).toBe('mine');
    expect((await manager.install(what, { ...started, force: true })).running).toBe(true);
  });

  it('prints the commands it would run, and changes nothing', () => {
    const { manager, what, path, state } = bench();
    const plan = manager.plan(what, started);
    expect(plan.files.map((file) => file.path)).toEqual([path]);
    expect(plan.commands).toEqual([
      ['launchctl', 'enable', 'gui/501/footbridge'],
      ['launchctl', 'bootstrap', 'gui/501', path],
    ]);
    expect(manager.plan(what, { ...started, start: false }).commands).toEqual([
      ['launchctl', 'enable', 'gui/501/footbridge'],
    ]);
    expect(existsSync(path)).toBe(false);
    expect(state().calls).toEqual([]);
  });

  it('fails at once when launchd rejects the agent for another reason than exit code 5', async () => {
    const { context, slept, what } = bench();
    const run: typeof context.run = async (command) =>
      command[1] === 'bootstrap' ? ended(119, 'Service is disabled.') : context.run(command);
    const manager = launchdManager({ ...context, run }, { sleep: async (ms) => slept.push(ms) });
    await expect(manager.install(what, started)).rejects.toThrow(
      '"launchctl bootstrap" failed with 119: Service is disabled.',
    );
    expect(slept).toEqual([]);
  });

  it('accepts a failed bootstrap of an agent that is loaded nevertheless', async () => {
    const { context, slept, what } = bench();
    const run: typeof context.run = async (command) => {
      const ran = await context.run(command);
      return command[1] === 'bootstrap' ? { ...ran, code: 37 } : ran;
    };
    const manager = launchdManager({ ...context, run }, { sleep: async (ms) => slept.push(ms) });
    expect(await manager.install(what, started)).toMatchObject({ running: true });
    expect(slept).toEqual([]);
  });

  it('fails when the agent cannot be enabled', async () => {
    const { context, what } = bench();
    const run: typeof context.run = async (command) =>
      command[1] === 'enable' ? ended(1, 'No.') : context.run(command);
    await expect(launchdManager({ ...context, run }).install(what, started)).rejects.toThrow(
      '"launchctl enable" failed with 1: No.',
    );
  });
});

describe('the launchd manager after an install', () => {
  it('stops, starts, restarts and uninstalls, each twice', async () => {
    const { manager, what, path, state } = bench();
    await manager.install(what, started);
    expect([await manager.stop(), await manager.stop()]).toEqual([true, false]);
    expect(await manager.status()).toEqual({
      kind: 'stopped',
      reason: 'it is not loaded until the next login or start',
    });
    expect([await manager.start(), await manager.start()]).toEqual([true, false]);
    await manager.restart();
    expect(await manager.status()).toMatchObject({ kind: 'running', pid: 703 });
    expect(await manager.uninstall({ force: false })).toEqual({
      change: 'removed',
      files: [path],
      notes: [],
    });
    expect(await manager.uninstall({ force: false })).toMatchObject({ change: 'unchanged' });
    expect(state()).toMatchObject({ loaded: false, running: false });
    expect(existsSync(path)).toBe(false);
    await expect(manager.start()).rejects.toMatchObject({ code: 'FOOTBRIDGE_NOT_INSTALLED' });
    await expect(manager.restart()).rejects.toMatchObject({ code: 'FOOTBRIDGE_NOT_INSTALLED' });
  });

  it('leaves an edited file and an agent that the session cannot stop, with a note for each', async () => {
    const { manager, what, path, change } = bench();
    await manager.install(what, started);
    writeFileSync(path, 'edited');
    change({ session: false });
    expect((await manager.status()).kind).toBe('unknown');
    const { notes } = await manager.uninstall({ force: false });
    expect(notes).toEqual([
      'launchd does not answer for your session: a bridge that still runs has to be ended by hand.',
      `${path} was edited and stays where it is; launchd reads it at the next login.`,
    ]);
    expect(readFileSync(path, 'utf8')).toBe('edited');
  });

  it('fails to stop when launchd does not unload the agent within five seconds', async () => {
    const { manager, what, slept, change } = bench();
    await manager.install(what, started);
    change({ slow: 51 });
    await expect(manager.stop()).rejects.toThrow('"launchctl bootout" failed with 0: no reason given.');
    expect(slept).toEqual(Array.from({ length: 50 }, () => 100));
  });

  it('names the log files', async () => {
    const { manager, what } = bench();
    expect(manager.logs({ lines: 1, follow: false })).toEqual({
      kind: 'none',
      reason: 'no service is installed',
    });
    await manager.install(what, started);
    expect(manager.logs({ lines: 1, follow: false }).kind).toBe('none');
    mkdirSync(what.logFolder);
    for (const name of ['footbridge.log', 'footbridge.1.log']) writeFileSync(join(what.logFolder, name), '');
    expect(manager.logs({ lines: 1, follow: false })).toEqual({
      kind: 'files',
      paths: [join(what.logFolder, 'footbridge.1.log'), join(what.logFolder, 'footbridge.log')],
    });
  });
});

it.each([
  ['\tstate = running\n\tpid = 12\n\truns = 3\n', { kind: 'running', pid: 12, restarts: 2 }],
  ['\tstate = running\n', { kind: 'running', restarts: 0 }],
  ['\tstate = running \r\n\truns = 0\n\tpid = 0\n', { kind: 'running', restarts: 0 }],
  ['\tpid = 12\n\truns = many\n', { kind: 'running', pid: 12 }],
  ['\tstate = spawn scheduled\n\tlast exit code = (never exited)\n', { kind: 'starting' }],
  ['\tstate = spawn scheduled\n', { kind: 'starting' }],
  [
    '\tstate = spawn scheduled\n\tlast exit code = 78: EX_CONFIG\n',
    { kind: 'failed', reason: 'exit code 78; launchd tries again' },
  ],
  ['\tstate = not running\n\tlast exit code = 0\n', { kind: 'stopped' }],
  [
    '\tstate = not running\n\tlast exit code = 1\n',
    { kind: 'failed', reason: 'exit code 1; launchd tries again' },
  ],
  ['\t\tstate = running\n\t\tpid = 4\n', { kind: 'stopped' }],
])('the launchd manager reads the status from %j', (text, status) => {
  expect(statusFrom(text)).toEqual(status);
});
