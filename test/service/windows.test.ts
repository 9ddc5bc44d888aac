import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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

function bench(changes: Partial<WindowsState> = {}) {
  const launched: (readonly string[])[] = [];
  const running = { pid: undefined as number | undefined };
  const machine = serviceBench<WindowsState>(
    windowsProgram,
    { ...fresh, ...changes },
    { bridgePid: () => Promise.resolve(running.pid) },
  );
  const manager = () =>
    windowsManager(machine.context, { sleep: async () => {}, launch: (argv) => launched.push(argv) });
  return { ...machine, manager, launched, running, what: definition(machine.folder) };
}

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
    const { manager, state, what } = bench();
    await manager().install(what, started);
    expect([await manager().stop(), await manager().stop()]).toEqual([true, false]);
    expect(await manager().status()).toEqual({ kind: 'stopped' });
    expect([await manager().start(), await manager().start()]).toEqual([true, false]);
    await manager().restart();
    expect((await manager().uninstall({ force: false })).change).toBe('removed');
    expect((await manager().uninstall({ force: false })).change).toBe('unchanged');
    expect(state().tasks).toEqual({});
    await expect(manager().start()).rejects.toMatchObject({ code: 'FOOTBRIDGE_NOT_INSTALLED' });
  });

  it('reports an exit code of the bridge', async () => {
    const { manager, what } = bench({ crash: 78 });
    expect((await manager().install(what, started)).running).toBe(false);
    expect(await manager().status()).toEqual({ kind: 'failed', reason: 'exit code 78' });
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
    expect(existsSync(context.stateFolder)).toBe(false);
    expect(state().calls).toEqual([]);
  });
});

describe('the manager where a policy denies the Task Scheduler', () => {
  it('uses the Run key, notes that, and removes the key again', async () => {
    const { manager, state, what, launched, running, context } = bench({ denied: true });
    const installed = await manager().install(what, started);
    expect(installed).toMatchObject({ kind: 'run-key', change: 'new', files: [] });
    expect(installed.notes[0]).toMatch(
      /^The Task Scheduler refused \(.*schtasks \/Create.*Run key is used instead/,
    );
    const argv = ['C:\\Windows\\System32\\conhost.exe', '--headless', ...what.argv, '--log-files'];
    expect(splitCommandLine(state().values['Footbridge'] ?? '')).toEqual(argv);
    expect(launched).toEqual([argv]);
    expect(existsSync(join(context.stateFolder, 'logon-task.xml'))).toBe(false);

    expect(manager().kind).toBe('run-key');
    expect(await manager().status()).toMatchObject({ kind: 'stopped' });
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
    expect(manager().logs({ lines: 1, follow: false }).kind).toBe('none');
    expect((await manager().uninstall({ force: false })).change).toBe('removed');
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
    expect(installed.notes.at(-1)).toMatch(/runs as administrator.*footbridge restart in a usual terminal/);
    expect(state().values).toHaveProperty('Footbridge');
    const refused = { code: 'FOOTBRIDGE_SERVICE', message: expect.stringContaining('as administrator') };
    await expect(manager().start()).rejects.toMatchObject(refused);
    running.pid = 2 ** 22 + 7;
    await expect(manager().restart()).rejects.toMatchObject(refused);
    expect((await manager().install(definition(folder, 'emulator'), started)).change).toBe('updated');
    expect([launched, state().killed]).toEqual([[], []]);
    change({ level: 8192 });
    running.pid = undefined;
    await manager().start();
    expect(launched).toHaveLength(1);
  });

  it('rejects a command line that is too long for Explorer', async () => {
    const { manager, what } = bench({ denied: true });
    const long = { ...what, argv: ['C:\\'.padEnd(250, 'x')] } as const;
    await expect(manager().install(long, started)).rejects.toMatchObject({
      code: 'FOOTBRIDGE_SERVICE',
      message: expect.stringContaining('at most 260'),
    });
  });
});

it.each([
  ['"PC","\\t","N/D","En ejecución","x","d","267009","a"', { kind: 'running' }],
  ['"PC","\\t","N/D","Listo","x","d","0","a"', { kind: 'stopped' }],
  ['"PC","\\t","N/D","Listo","x","d","267011","a"', { kind: 'stopped' }],
  [
    '"PC","\\t","N/D","Listo","a ""b"", c","d","-1073741819","a"',
    { kind: 'failed', reason: 'result 0xc0000005' },
  ],
  ['"PC"', { kind: 'unknown', reason: expect.any(String) }],
])('the Task Scheduler manager reads the status from %s', (row, status) => {
  expect(statusFrom(row)).toEqual(status);
});
