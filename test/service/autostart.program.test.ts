import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { autostartManager } from '../../service/autostart.ts';
import type { InstallOptions, ServiceDefinition } from '../../service/manager.ts';
import { AppPeer } from '../helpers/app-peer.ts';
import { APP, daemonCommand, isLinux, place } from '../helpers/fault-bridge.ts';
import { rawPeer } from '../helpers/raw-peer.ts';
import { diskFaults, mountSmallDisk } from '../helpers/small-disk.ts';
import { uid } from '../helpers/sockets.ts';

const options: InstallOptions = { start: true, linger: false, socket: false, force: false };

function bench() {
  const { folder, env } = place();
  const context = {
    env,
    home: join(folder, 'home'),
    uid,
    user: 'someone',
    stateFolder: join(folder, 'data', 'footbridge'),
    run: () => Promise.reject(new Error('there is no manager to run')),
  };
  const definition: ServiceDefinition = {
    argv: daemonCommand('--service', '--consent', 'allow', '--ws-port', 'off'),
    env: {},
    core: 'emulator',
    flags: {},
    version: '1.2.3',
    native: true,
    logFolder: join(folder, 'state'),
  };
  const manager = autostartManager(context);
  onTestFinished(async () => void (await manager.stop()));
  return {
    folder,
    context,
    manager,
    definition,
    entry: join(folder, 'config', 'autostart', 'footbridge.desktop'),
  };
}

describe.skipIf(!isLinux)('the XDG autostart manager (Linux only)', () => {
  it('installs an entry, runs a bridge that serves apps, and removes both', async () => {
    const { context, manager, definition, entry, folder } = bench();
    const installed = await manager.install(definition, { ...options, linger: true, socket: true });
    expect(installed).toMatchObject({ kind: 'autostart', change: 'new', files: [entry], running: true });
    // What is said to be started is what the entry starts.
    expect(installed.argv).toEqual([...definition.argv, '--log-files']);
    // What it cannot do is said, and does not keep it from doing the rest.
    expect(installed.notes).toHaveLength(3);
    expect(readFileSync(entry, 'utf8')).toContain('dist/footbridge.js run --json');
    const status = await manager.status();
    expect(status).toEqual({ kind: 'running', pid: expect.any(Number) });
    await expect.poll(async () => existsSync(join(folder, 'discord-ipc-0')), { timeout: 10_000 }).toBe(true);
    await new AppPeer(await rawPeer(join(folder, 'discord-ipc-0'))).handshake(APP);

    expect(await manager.install(definition, options)).toMatchObject({ change: 'unchanged' });
    expect(await manager.status()).toEqual(status);
    expect(await manager.start()).toBe(false);
    // A bridge that nobody installed from here is not this manager's to end.
    const stranger = autostartManager({ ...context, stateFolder: join(folder, 'elsewhere') });
    expect(await stranger.stop()).toBe(false);
    expect(await manager.status()).toEqual(status);
    await manager.restart();
    expect(await manager.status()).toEqual({ kind: 'running', pid: expect.any(Number) });
    expect(await manager.status()).not.toEqual(status);
    expect([await manager.stop(), await manager.stop()]).toEqual([true, false]);
    expect(await manager.status()).toEqual({ kind: 'stopped' });
    expect(await manager.start()).toBe(true);

    expect(await manager.uninstall({ force: false })).toEqual({
      change: 'removed',
      files: [entry],
      notes: [],
    });
    expect(await manager.status()).toEqual({ kind: 'absent' });
    expect(existsSync(entry)).toBe(false);
    expect(await manager.uninstall({ force: false })).toMatchObject({ change: 'unchanged' });
  });
});

it.for(diskFaults)(
  'a receipt on $name leaves the installed files as before',
  async ({ begin, reason }, context) => {
    const { context: where, manager, definition, entry } = bench();
    mkdirSync(where.stateFolder, { recursive: true });
    mountSmallDisk(where.stateFolder, context);
    const receipt = join(where.stateFolder, 'service.json');
    const text = `${receipt} cannot be written: ${reason}. Make room on its disk, or make its folder writable, and run "footbridge install" again.`;
    const quiet = { ...options, start: false };
    const end = begin(where.stateFolder);
    await expect(manager.install(definition, quiet)).rejects.toThrow(text);
    expect([existsSync(entry), existsSync(receipt)]).toEqual([false, false]);
    end();
    await manager.install(definition, quiet);
    const installed = [entry, receipt].map((path) => readFileSync(path, 'utf8'));
    const endAgain = begin(where.stateFolder);
    await expect(manager.install({ ...definition, argv: ['/another'] }, quiet)).rejects.toThrow(text);
    expect([entry, receipt].map((path) => readFileSync(path, 'utf8'))).toEqual(installed);
    endAgain();
    expect(await manager.install(definition, quiet)).toMatchObject({ change: 'unchanged' });
  },
);
