import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ServiceContext, ServiceStatus } from '../../service/manager.ts';
import { readReceipt } from '../../service/receipt.ts';
import { statusFrom } from '../../service/task-scheduler.ts';
import { taskXml } from '../../service/task-xml.ts';
import { windowsManager } from '../../service/windows.ts';
import { commandLine } from '../../service/windows-command-line.ts';
import { splitCommandLine } from '../helpers/command-line.ts';
import { parseXml, type XmlElement } from '../helpers/xml.ts';
import { definition, serviceBench, started } from './fakes/bench.ts';
import { type WindowsState, windowsProgram } from './fakes/windows.ts';
import { describeTaskSchema } from './task-schema.ts';

const fresh: WindowsState = { denied: false, lame: false, tasks: {}, values: {}, killed: [] };
const TASK = 'Footbridge (some body)';

function bench(changes: Partial<WindowsState> = {}, more: Partial<ServiceContext> = {}) {
  const launched: (readonly string[])[] = [];
  const slept: number[] = [];
  const running = { pid: undefined as number | undefined };
  const machine = serviceBench<WindowsState>(
    windowsProgram,
    { ...fresh, ...changes },
    { bridgePid: () => Promise.resolve(running.pid), ...more },
  );
  const manager = () =>
    windowsManager(machine.context, {
      sleep: async (ms) => slept.push(ms),
      launch: (argv) => launched.push(argv),
    });
  return { ...machine, manager, launched, slept, running, what: definition(machine.folder) };
}

/** Verbs of the calls that change something. */
const changesIn = (calls: readonly string[]): string[] =>
  calls.map((call) => call.split(' ')[1] ?? '').filter((verb) => !/^(?:\/Query|query|\/groups)$/i.test(verb));

const decoded = (bytes: Uint8Array): string => new TextDecoder('utf-16le').decode(bytes);
const child = (element: XmlElement | undefined, ...path: string[]): XmlElement | undefined =>
  path.reduce((one, name) => one?.children.find((inner) => inner.name === name), element);

describe('a Windows command line', () => {
  it.each([
    [['a', 'b c', ''], 'a "b c" ""'],
    [['C:\\dir\\', 'C:\\my dir\\'], 'C:\\dir\\ "C:\\my dir\\\\"'],
    [['say "hi"'], '"say \\"hi\\""'],
    [['a\\"b'], '"a\\\\\\"b"'],
  ])('of %j is %s', (words, line) => {
    expect(commandLine(words)).toBe(line);
  });
  it('splits again into the same arguments', () => {
    const word = fc.string({ unit: fc.constantFrom('\\', '"', ' ', '\t', 'a', 'é', '%', '^', '&') });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), (words) => {
        expect(splitCommandLine(commandLine(words))).toEqual(words);
      }),
    );
  });
});

describe('the logon task', () => {
  const task = { userId: 'PC\\o"k', argv: ['C:\\a & b\\node.exe', 'x y'], description: '<é>' } as const;

  it('is UTF-16 with a byte order mark and has every setting that Windows needs', () => {
    const bytes = taskXml(task);
    expect([...bytes.subarray(0, 4)]).toEqual([0xff, 0xfe, 0x3c, 0]);
    const { root } = parseXml(decoded(bytes));
    expect(root.attributes['xmlns']).toBe('http://schemas.microsoft.com/windows/2004/02/mit/task');
    expect(child(root, 'Triggers', 'LogonTrigger', 'UserId')?.text).toBe(task.userId);
    expect(child(root, 'Principals', 'Principal', 'UserId')?.text).toBe(task.userId);
    expect(child(root, 'Principals', 'Principal', 'LogonType')?.text).toBe('InteractiveToken');
    expect(child(root, 'Principals', 'Principal', 'RunLevel')?.text).toBe('LeastPrivilege');
    expect(child(root, 'Settings', 'ExecutionTimeLimit')?.text).toBe('PT0S');
    expect(child(root, 'Settings', 'DisallowStartIfOnBatteries')?.text).toBe('false');
    expect(child(root, 'Settings', 'StopIfGoingOnBatteries')?.text).toBe('false');
    expect(child(root, 'Settings', 'MultipleInstancesPolicy')?.text).toBe('IgnoreNew');
    expect(child(root, 'Settings', 'RestartOnFailure', 'Interval')?.text).toBe('PT1M');
    expect(child(root, 'Actions', 'Exec', 'Command')?.text).toBe(task.argv[0]);
    expect(child(root, 'Actions', 'Exec', 'Arguments')?.text).toBe('"x y"');
    expect(child(root, 'RegistrationInfo', 'Description')?.text).toBe('<é>');
  });
  it('rejects text that XML cannot hold', () => {
    expect(() => taskXml({ ...task, userId: 'a\u0001' })).toThrow('no service file can hold');
  });
});

describeTaskSchema();

describe('the Task Scheduler manager', () => {
  it('registers the task for this user, starts it, and reports that', async () => {
    const { manager, state, what, context } = bench();
    expect(await manager().status()).toEqual({ kind: 'absent' });
    const path = join(context.stateFolder, 'logon-task.xml');
    expect(await manager().install(what, started)).toEqual({
      kind: 'task-scheduler',
      change: 'new',
      files: [path],
      running: true,
      argv: [...what.argv, '--log-files'],
      notes: [],
    });
    expect(state().tasks[TASK]).toMatchObject({ running: true });
    expect(await manager().status()).toEqual({ kind: 'running' });
    const { root } = parseXml(decoded(readFileSync(path)));
    expect(child(root, 'Triggers', 'LogonTrigger', 'UserId')?.text).toBe('PC\\some body');
    expect(child(root, 'Actions', 'Exec', 'Command')?.text).toBe('C:\\Windows\\System32\\conhost.exe');
    expect(splitCommandLine(child(root, 'Actions', 'Exec', 'Arguments')?.text ?? '')).toEqual([
      '--headless',
      ...what.argv,
      '--log-files',
    ]);
  });

  it('changes nothing at a second install, and registers a task again that was changed or lost', async () => {
    const { manager, state, what, folder, change } = bench();
    await manager().install(what, started);
    const created = () => state().calls.filter((call) => call.includes('/Create')).length;
    expect((await manager().install(what, started)).change).toBe('unchanged');
    expect(created()).toBe(1);
    expect(await manager().install(definition(folder, 'emulator'), started)).toMatchObject({
      change: 'updated',
      running: true,
    });
    expect(state().calls.filter((call) => call.includes('/End'))).toHaveLength(1);
    change({ tasks: {} });
    expect((await manager().install(definition(folder, 'emulator'), started)).change).toBe('updated');
    expect(created()).toBe(3);
  });

  it('stops, starts, restarts and uninstalls, each twice', async () => {
    const { manager, state, what, slept } = bench();
    await manager().install(what, started);
    expect([await manager().stop(), await manager().stop()]).toEqual([true, false]);
    expect(await manager().status()).toEqual({ kind: 'stopped' });
    expect([await manager().start(), await manager().start()]).toEqual([true, false]);
    await manager().restart();
    expect((await manager().uninstall({ force: false })).change).toBe('removed');
    const start = ['/Create', '/Run'];
    expect(changesIn(state().calls)).toEqual([...start, '/End', '/Run', '/End', '/Run', '/End', '/Delete']);
    expect(state().calls.at(-1)).toBe(`schtasks.exe /Delete /TN ${TASK} /F`);
    expect(slept).toEqual([]);
    expect((await manager().uninstall({ force: false })).change).toBe('unchanged');
    expect(state().tasks).toEqual({});
    await expect(manager().start()).rejects.toMatchObject({ code: 'FOOTBRIDGE_NOT_INSTALLED' });
  });

  it('reports an exit code of the bridge', async () => {
    const { manager, what } = bench({ crash: 78 });
    expect((await manager().install(what, started)).running).toBe(false);
    expect(await manager().status()).toEqual({ kind: 'failed', reason: 'exit code 78' });
  });

  it.each([
    ['start', '/Run', { running: false, last: 0 }],
    ['stop', '/End', { running: true, last: 267_009 }],
  ] as const)(
    'waits two seconds at most after a %s for the scheduler to report it',
    async (verb, call, stale) => {
      const { manager, what, slept, change } = bench();
      await manager().install(what, started);
      if (verb === 'start') await manager().stop();
      change({ delayed: { verb: call, looks: 3, stale } });
      await manager()[verb]();
      expect(slept).toEqual([100, 100, 100]);
      await manager()[verb === 'start' ? 'stop' : 'start']();
      change({ delayed: { verb: call, looks: 1000, stale } });
      slept.length = 0;
      await manager()[verb]();
      expect(slept).toHaveLength(20);
    },
  );

  it('leaves a running task running when the new definition is not to be started', async () => {
    const { manager, what, state, folder } = bench();
    await manager().install(what, started);
    const other = definition(folder, 'emulator');
    expect(await manager().install(other, { ...started, start: false })).toMatchObject({ change: 'updated' });
    expect(changesIn(state().calls)).toEqual(['/Create', '/Run', '/Create']);
  });

  it('uninstalls without a task that somebody else has removed', async () => {
    const { manager, what, state, change } = bench();
    await manager().install(what, started);
    change({ tasks: {} });
    expect((await manager().uninstall({ force: false })).change).toBe('removed');
    expect(changesIn(state().calls)).toEqual(['/Create', '/Run']);
  });

  it('keeps the installation when the task cannot be replaced', async () => {
    const { manager, what, folder, change, context } = bench();
    await manager().install(what, started);
    const receipt = readReceipt(context.stateFolder);
    change({ denied: true });
    await expect(manager().install(definition(folder, 'emulator'), started)).rejects.toThrow(
      '"schtasks /Create" failed with 1: ERROR: Acceso denegado.',
    );
    expect(readReceipt(context.stateFolder)).toMatchObject({ marks: receipt?.marks });
    expect(await manager().status()).toMatchObject({ kind: 'stopped' });
  });

  it('reports the status as unknown when schtasks cannot be started', async () => {
    const { manager, what, context } = bench();
    await manager().install(what, started);
    const run = () => Promise.reject(Object.assign(new Error('spawn'), { code: 'ENOENT' }));
    expect(await windowsManager({ ...context, run }).status()).toEqual({
      kind: 'unknown',
      reason: '"schtasks /Query" failed with no exit code: schtasks.exe: ENOENT.',
    });
  });

  it('notes that Windows has no lingering and holds no pipe', async () => {
    const { manager, what } = bench();
    expect((await manager().install(what, { ...started, linger: true, socket: true })).notes).toEqual([
      'Windows ends it when you log off; there is no lingering here.',
      'Windows holds no pipe for it; it listens itself.',
    ]);
  });

  it('names the user without a domain, finds Windows at its default place, and names a task without forbidden signs', () => {
    const { manager, what } = bench({}, { env: {}, user: 'a\\b/c:d*e?f"g<h>i|j' });
    const { files, commands } = manager().plan(what, started);
    expect(commands[1]).toEqual(['schtasks.exe', '/Run', '/TN', 'Footbridge (a_b_c_d_e_f_g_h_i_j)']);
    const { root } = parseXml(decoded(files[0]?.content as Uint8Array));
    expect(child(root, 'Triggers', 'LogonTrigger', 'UserId')?.text).toBe('a\\b/c:d*e?f"g<h>i|j');
    expect(child(root, 'Actions', 'Exec', 'Command')?.text).toBe('C:\\Windows\\System32\\conhost.exe');
    expect(child(root, 'RegistrationInfo', 'Description')?.text).toBe(
      'Footbridge, the local RPC bridge. "footbridge uninstall" takes it away.',
    );
    expect(files[0]?.mode).toBe(0o600);
  });

  it('names the log files', async () => {
    const { manager, what } = bench();
    await manager().install(what, started);
    expect(manager().logs({ lines: 1, follow: false })).toEqual({
      kind: 'none',
      reason: `nothing has been logged to ${what.logFolder} yet`,
    });
  });

  it('does not change an edited file', async () => {
    const { manager, what, context } = bench();
    await manager().install(what, started);
    const path = join(context.stateFolder, 'logon-task.xml');
    writeFileSync(path, 'mine');
    await expect(manager().install(what, started)).rejects.toMatchObject({ code: 'FOOTBRIDGE_EDITED' });
    const { notes } = await manager().uninstall({ force: false });
    expect(notes).toEqual([`${path} was edited and stays where it is: take it away yourself.`]);
  });

  it('reports a registered task that does not start, without the Run key as a fallback', async () => {
    const { manager, what, state } = bench({ lame: true });
    await expect(manager().install(what, started)).rejects.toMatchObject({
      code: 'FOOTBRIDGE_SERVICE',
      message: expect.stringContaining('schtasks /Run'),
    });
    expect(state().values).toEqual({});
    expect((await manager().uninstall({ force: false })).change).toBe('removed');
  });

  it('prints the commands it would run, and changes nothing', () => {
    const { manager, what, state, context } = bench();
    const { files, commands } = manager().plan(what, started);
    const path = join(context.stateFolder, 'logon-task.xml');
    expect(files.map((file) => file.path)).toEqual([path]);
    expect(commands).toEqual([
      ['schtasks.exe', '/Create', '/TN', TASK, '/XML', path, '/F'],
      ['schtasks.exe', '/Run', '/TN', TASK],
    ]);
    expect(manager().plan(what, { ...started, start: false }).commands).toHaveLength(1);
    expect(existsSync(context.stateFolder)).toBe(false);
    expect(state().calls).toEqual([]);
  });
});

describe('the manager where a policy denies the Task Scheduler', () => {
  it('uses the Run key, notes that, and removes the key again', async () => {
    const { manager, state, what, launched, running, context, slept } = bench({ denied: true });
    const first = manager();
    const installed = await first.install(what, started);
    expect(installed).toMatchObject({ kind: 'run-key', change: 'new', files: [], running: true });
    expect(installed.notes).toEqual([
      'The Task Scheduler refused ("schtasks /Create" failed with 1: ERROR: Acceso denegado.) The Run key is used instead.',
      'It is started when you log on and is not started again when it ends: nobody watches a Run key.',
    ]);
    // An object from before the switch serves the new method, too.
    expect(await first.status()).toMatchObject({ kind: 'stopped' });
    expect(state().calls).toContain(
      `reg.exe add HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run /v Footbridge /t REG_SZ /d ${state().values['Footbridge']} /f`,
    );
    const argv = ['C:\\Windows\\System32\\conhost.exe', '--headless', ...what.argv, '--log-files'];
    expect(splitCommandLine(state().values['Footbridge'] ?? '')).toEqual(argv);
    expect(launched).toEqual([argv]);
    expect(existsSync(join(context.stateFolder, 'logon-task.xml'))).toBe(false);

    expect(manager().kind).toBe('run-key');
    expect(await manager().status()).toEqual({
      kind: 'stopped',
      reason: 'nobody starts it again before the next logon',
    });
    running.pid = 2 ** 22 + 7;
    expect(await manager().status()).toEqual({ kind: 'running', pid: running.pid });
    expect(await manager().start()).toBe(false);
    expect((await manager().install(what, started)).change).toBe('unchanged');
    expect(await manager().stop()).toBe(true);
    expect(state().killed).toEqual([running.pid]);
    running.pid = undefined;
    expect(await manager().stop()).toBe(false);
    expect(await manager().start()).toBe(true);
    await manager().restart();
    expect(launched).toHaveLength(3);
    expect(manager().logs({ lines: 1, follow: false })).toEqual({
      kind: 'none',
      reason: `nothing has been logged to ${what.logFolder} yet`,
    });
    expect((await manager().uninstall({ force: false })).change).toBe('removed');
    expect(state().values).toEqual({});
    expect(slept).toEqual([]);
  });

  it('waits three seconds at most for a bridge that was ended', async () => {
    const { manager, what, running, slept, state } = bench({ denied: true });
    await manager().install(what, started);
    running.pid = process.pid;
    expect(await manager().stop()).toBe(true);
    expect(slept).toEqual(Array.from({ length: 30 }, () => 100));
    expect(state().calls).toContain(`taskkill.exe /PID ${process.pid} /F`);
  });

  it('reports a value that somebody else has removed, sets it again, and uninstalls without it', async () => {
    const { manager, what, change, state } = bench({ denied: true });
    await manager().install(what, started);
    change({ values: {} });
    expect(await manager().status()).toEqual({
      kind: 'unknown',
      reason: 'the value Footbridge is gone from the Run key',
    });
    expect((await manager().install(what, { ...started, start: false })).change).toBe('updated');
    const elsewhere = { ...what, logFolder: '/elsewhere' };
    expect((await manager().install(elsewhere, { ...started, start: false })).change).toBe('updated');
    change({ values: {} });
    expect((await manager().uninstall({ force: false })).change).toBe('removed');
    expect(changesIn(state().calls)).toEqual(['/Create', 'add', 'add', 'add']);
  });

  it('knows no running bridge without a way to ask for it', async () => {
    const { context, manager, what } = bench({ denied: true });
    await manager().install(what, { ...started, start: false });
    const { bridgePid: _, ...blind } = context;
    expect(await windowsManager(blind).status()).toMatchObject({ kind: 'stopped' });
  });

  it('plans to set the value, and to start the command only if it is to be started', async () => {
    const { manager, what, context } = bench({ denied: true }, { env: { SystemRoot: 'D:\\Win' } });
    await manager().install(what, { ...started, start: false });
    const argv = ['D:\\Win\\System32\\conhost.exe', '--headless', ...what.argv, '--log-files'];
    const add = expect.arrayContaining(['reg.exe', 'add', 'Footbridge', commandLine(argv)]);
    expect(manager().plan(what, started)).toEqual({ kind: 'run-key', files: [], commands: [add, argv] });
    expect(manager().plan(what, { ...started, start: false }).commands).toEqual([add]);
    expect(readReceipt(context.stateFolder)?.marks).toEqual([what.logFolder, ...argv]);
  });

  it.each([
    ['a file was edited', 'FOOTBRIDGE_EDITED'],
    ['an error is none of ours', undefined],
  ])('does not use the Run key when %s', async (_what, code) => {
    const { manager, what, context, state } = bench();
    const path = join(context.stateFolder, 'logon-task.xml');
    mkdirSync(context.stateFolder);
    if (code !== undefined) writeFileSync(path, 'mine');
    const bad = code === undefined ? { ...what, argv: undefined as never } : what;
    await expect(manager().install(bad, started)).rejects.toMatchObject(code === undefined ? {} : { code });
    expect(state().values).toEqual({});
  });

  it('starts the new bridge when the definition has changed', async () => {
    const { manager, what, folder, launched, running, state } = bench({ denied: true });
    await manager().install(what, started);
    running.pid = 2 ** 22 + 7;
    const updated = await manager().install(definition(folder, 'emulator'), { ...started, start: false });
    expect(updated).toMatchObject({ change: 'updated', running: true });
    expect(state().values['Footbridge']).toContain('emulator');
    expect(launched).toHaveLength(1);
  });

  it('does not start the bridge from a program that runs as administrator, whose rights it would inherit', async () => {
    const { manager, what, launched, running, state, change, folder } = bench({
      denied: true,
      level: 12_288,
    });
    const installed = await manager().install(what, started);
    expect(installed).toMatchObject({ kind: 'run-key', change: 'new', running: false });
    const elevated =
      'This program runs as administrator, and the service never does: apps that run as usual could not connect to it.';
    expect(installed.notes.at(-1)).toBe(
      `${elevated} It starts when you log on; to start it now, run footbridge restart in a usual terminal.`,
    );
    expect(state().values).toHaveProperty('Footbridge');
    const refused = {
      code: 'FOOTBRIDGE_SERVICE',
      message: `${elevated} Run this command in a terminal that was opened without "Run as administrator".`,
    };
    await expect(manager().start()).rejects.toMatchObject(refused);
    running.pid = 2 ** 22 + 7;
    await expect(manager().restart()).rejects.toMatchObject(refused);
    expect((await manager().install(definition(folder, 'emulator'), started)).change).toBe('updated');
    expect([launched, state().killed]).toEqual([[], []]);
    change({ level: 12_287 });
    running.pid = undefined;
    await manager().start();
    expect(launched).toHaveLength(1);
  });

  it('rejects a command line that is too long for Explorer', async () => {
    const { manager, what, context } = bench({ denied: true });
    const fixed = commandLine([
      'C:\\Windows\\System32\\conhost.exe',
      '--headless',
      'C:\\',
      '--log-files',
    ]).length;
    const ofLength = (length: number) => ({ ...what, argv: [`C:\\${'x'.repeat(length - fixed)}`] }) as const;
    await expect(manager().install(ofLength(261), started)).rejects.toMatchObject({
      code: 'FOOTBRIDGE_SERVICE',
      message:
        'The command line for the Run key has 261 characters and Windows reads at most 260. ' +
        'Install Footbridge in a folder with a shorter name.',
    });
    expect(readReceipt(context.stateFolder)?.marks).toEqual([]);
    expect((await manager().install(ofLength(260), started)).kind).toBe('run-key');
  });
});

const row = (last: string): string => `"PC","\\t","N/D","Listo","a ""b"", c","d","${last}","a"`;

it.each<[row: string, status: ServiceStatus]>([
  [row('267009'), { kind: 'running' }],
  [`${row('267009')}\r\n${row('0')}`, { kind: 'running' }],
  [row('0'), { kind: 'stopped' }],
  [row('267011'), { kind: 'stopped' }],
  [row('267014'), { kind: 'stopped' }],
  [row('255'), { kind: 'failed', reason: 'exit code 255' }],
  [row('256'), { kind: 'failed', reason: 'result 0x100' }],
  [row('-1073741819'), { kind: 'failed', reason: 'result 0xc0000005' }],
  ...['"PC"', '', row('a1'), row('1a'), row('')].map((text): [string, ServiceStatus] => [
    text,
    { kind: 'unknown', reason: 'schtasks does not tell the last result' },
  ]),
])('the Task Scheduler manager reads the status from %s', (text, status) => {
  expect(statusFrom(text)).toEqual(status);
});
