import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { holderText } from '../../platform/process/pid-file.ts';
import { autostartManager } from '../../service/autostart.ts';
import { desktopEntry, execWord } from '../../service/desktop-entry.ts';
import type { ServiceManager } from '../../service/manager.ts';
import { receiptPath } from '../../service/receipt.ts';
import { linuxManager } from '../../service/select.ts';
import { uid } from '../helpers/sockets.ts';
import { definition, serviceBench, started } from './fakes/bench.ts';

const waiting = { ...started, start: false };

/** A session in which the bridge is this process: it holds the lock from a start until SIGTERM. */
function bench() {
  const launched: { argv: readonly string[]; env: unknown }[] = [];
  const bridge = { starts: true, ends: true };
  const machine = serviceBench(() => ({ code: 127, stdout: '', stderr: '' }), {}, { uid });
  const context = {
    ...machine.context,
    env: { XDG_RUNTIME_DIR: machine.folder, XDG_CONFIG_HOME: '', LANG: 'C', HOME: '/nowhere' },
  };
  const folder = join(machine.folder, `footbridge-${uid}`);
  const lock = join(folder, 'daemon.lock');
  mkdirSync(folder);
  const kill = process.kill.bind(process);
  const signals: unknown[] = [];
  vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
    if (signal === 0) return kill(pid, signal);
    signals.push([pid, signal]);
    if (bridge.ends) rmSync(lock);
    return true;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const manager = autostartManager(
    context,
    (argv, env) => {
      launched.push({ argv, env });
      if (bridge.starts) writeFileSync(lock, holderText('pid'));
    },
    100,
  );
  const entry = join(machine.folder, '.config', 'autostart', 'footbridge.desktop');
  return {
    ...machine,
    context,
    manager,
    lock,
    launched,
    signals,
    bridge,
    entry,
    what: definition(machine.folder),
  };
}

const running = { kind: 'running', pid: process.pid };

describe('an argument of the Exec key', () => {
  it.each([
    ['/usr/bin/node', '/usr/bin/node'],
    ['/opt/foot bridge', '"/opt/foot bridge"'],
    ['100%', '100%%'],
    ['a"b', '"a\\\\"b"'],
    ['a\\b', '"a\\\\\\\\b"'],
    ['$HOME `id`', '"\\\\$HOME \\\\`id\\\\`"'],
    ['a\nHidden=true', '"a\\nHidden=true"'],
    ['a\tb\rc', '"a\\tb\\rc"'],
    ['', '""'],
  ])('%j is written as %s', (word, written) => {
    expect(execWord(word)).toBe(written);
  });
});

it('the desktop entry starts the command at login, with its variables, and has no icon in menus', () => {
  const argv = ['/a', 'b c'] as const;
  expect(desktopEntry({ argv, env: {} })).toContain('\nExec=/a "b c"\n');
  expect(desktopEntry({ argv, env: { X: '1 2' } }).split('\n')).toEqual([
    '# Written by "footbridge install"; "footbridge uninstall" takes it away.',
    '[Desktop Entry]',
    'Type=Application',
    'Version=1.0',
    'Name=Footbridge',
    'Comment=Local RPC bridge',
    'Exec=env "X=1 2" /a "b c"',
    'Terminal=false',
    'NoDisplay=true',
    '',
  ]);
});

describe('the XDG autostart manager', () => {
  it('installs an entry, starts the bridge with the variables of the definition, and removes both', async () => {
    const { manager, what, entry, launched, signals, context } = bench();
    expect(await manager.install(what, started)).toEqual({
      kind: 'autostart',
      change: 'new',
      files: [entry],
      argv: [...what.argv, '--log-files'],
      running: true,
      notes: ['Nothing starts it again when it ends: this system has no systemd.'],
    });
    expect(readFileSync(entry, 'utf8')).toContain(
      '/footbridge.js" run --service --core upstream --log-files\n',
    );
    expect(statSync(entry).mode & 0o777).toBe(0o644);
    expect(launched).toEqual([{ argv: [...what.argv, '--log-files'], env: { ...context.env, ...what.env } }]);
    expect(await manager.status()).toEqual(running);

    expect(await manager.install(what, started)).toMatchObject({ change: 'unchanged', running: true });
    expect([await manager.start(), launched.length, signals.length]).toEqual([false, 1, 0]);
    await manager.restart();
    expect(signals).toEqual([[process.pid, 'SIGTERM']]);
    expect([launched.length, await manager.status()]).toEqual([2, running]);
    expect([await manager.stop(), await manager.stop()]).toEqual([true, false]);
    expect(await manager.status()).toEqual({ kind: 'stopped' });
    expect(await manager.start()).toBe(true);
    const removed = await manager.uninstall({ force: false });
    expect(removed).toEqual({ change: 'removed', files: [entry], notes: [] });
    expect([existsSync(entry), signals.length]).toEqual([false, 3]);
    expect(() => manager.logs({ lines: 1, follow: false })).toThrow('No service is installed');
  });

  it('notes what only systemd offers', async () => {
    const { manager, what } = bench();
    const { notes } = await manager.install(what, { ...waiting, linger: true, socket: true });
    expect(notes.slice(1)).toEqual([
      'It ends with your session: lingering needs systemd.',
      'The bridge holds the endpoint itself: holding it for the bridge needs systemd.',
    ]);
  });

  it.each([
    ['command', { argv: ['/another'] }],
    ['variables', { env: { XDG_CONFIG_HOME: '/elsewhere' } }],
    ['log folder', { logFolder: '/elsewhere' }],
  ] as const)('restarts the bridge when the %s has changed', async (_what, change) => {
    const { manager, what, launched } = bench();
    await manager.install(what, started);
    expect(await manager.install({ ...what, ...change }, started)).toMatchObject({ change: 'updated' });
    expect(launched).toHaveLength(2);
  });

  it('installs again over its own files when their receipt was lost', async () => {
    const { manager, what, context, launched } = bench();
    await manager.install(what, started);
    rmSync(receiptPath(context.stateFolder));
    await expect(manager.install(what, started)).resolves.toMatchObject({ change: 'new', running: true });
    expect(launched).toHaveLength(2);
  });

  it('plans to start the command only if it is to be started, and starts nothing for a plan', () => {
    const { manager, what, launched, entry } = bench();
    expect(manager.plan(what, started)).toMatchObject({
      files: [{ path: entry }],
      commands: [[...what.argv, '--log-files']],
    });
    expect(manager.plan(what, waiting).commands).toEqual([]);
    expect(launched).toEqual([]);
  });

  it('rejects a start when the started bridge does not run, and names its command', async () => {
    const { manager, what, bridge } = bench();
    bridge.starts = false;
    expect(await manager.install(what, waiting)).toMatchObject({ running: false });
    await expect(manager.start()).rejects.toMatchObject({
      code: 'FOOTBRIDGE_SERVICE',
      message: `The bridge was started and does not run. See why with: ${[...what.argv, '--log-files'].join(' ')}`,
    });
  });

  it('rejects a stop when the bridge does not end', async () => {
    const { manager, what, bridge } = bench();
    await manager.install(what, started);
    bridge.ends = false;
    await expect(manager.stop()).rejects.toMatchObject({
      code: 'FOOTBRIDGE_SERVICE',
      message: `The bridge (pid ${process.pid}) was told to end and still runs.`,
    });
  });

  it('does not end a bridge that it did not install', async () => {
    const { manager, what, context, folder, signals } = bench();
    await manager.install(what, started);
    const stranger = autostartManager({ ...context, stateFolder: join(folder, 'elsewhere') });
    expect([await stranger.stop(), await stranger.status(), signals]).toEqual([
      false,
      { kind: 'absent' },
      [],
    ]);
  });

  it('does not change an entry that the user has edited', async () => {
    const { manager, what, entry } = bench();
    await manager.install(what, waiting);
    writeFileSync(entry, '# mine\n');
    await expect(manager.install(what, waiting)).rejects.toMatchObject({ code: 'FOOTBRIDGE_EDITED' });
    const { notes } = await manager.uninstall({ force: false });
    expect(notes).toEqual([expect.stringContaining(entry)]);
    expect(readFileSync(entry, 'utf8')).toBe('# mine\n');
  });

  it('names its two log files', async () => {
    const { manager, what } = bench();
    await manager.install(what, waiting);
    const logs = (): ReturnType<ServiceManager['logs']> => manager.logs({ lines: 1, follow: false });
    expect(logs()).toEqual({ kind: 'none', reason: `nothing has been logged to ${what.logFolder} yet` });
    mkdirSync(what.logFolder, { recursive: true });
    const paths = ['footbridge.1.log', 'footbridge.log'].map((name) => join(what.logFolder, name));
    for (const path of paths) writeFileSync(path, '');
    expect(logs()).toEqual({ kind: 'files', paths });
  });

  it('is selected without systemd, and remains selected once installed', async () => {
    const { context, manager, what } = bench();
    expect(linuxManager(context, true).kind).toBe('systemd');
    expect(linuxManager(context, false).kind).toBe('autostart');
    await manager.install(what, waiting);
    expect(linuxManager(context, true).kind).toBe('autostart');
  });
});
