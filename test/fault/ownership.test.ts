import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, renameSync, rmSync, statSync, unlinkSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { acquireLock } from '../../platform/native/lock.ts';
import { watchSockets } from '../../src/daemon/self-check.ts';
import { eventually } from '../helpers/eventually.ts';
import {
  daemonCommand,
  endpointsIn,
  faultBridge,
  isLinux,
  place,
  refusedStart,
  startCommand,
} from '../helpers/fault-bridge.ts';
import { type IpcBridge, ipcBridge, os, testTransport } from '../helpers/ipc-bridge.ts';
import { recordingLogger } from '../helpers/memory-bridge.ts';
import { uid } from '../helpers/sockets.ts';

const TAKEN = 75;
const inode = (path: string): bigint => statSync(path, { bigint: true }).ino;

it('a second daemon does not affect the first, its socket or its clients [T06, R03]', async () => {
  const runtime = place();
  const first = await faultBridge({ runtime });
  const app = await first.app();
  const before = inode(first.endpoint);
  expect((await refusedStart(runtime.env)).code).toBe(TAKEN);
  expect(inode(first.endpoint)).toBe(before);
  expect((await app.call('GET_GUILDS')).evt).toBe('ERROR');
  await first.app();
});

it('a daemon that lost its endpoint by force removes nothing when it stops [T08]', async () => {
  const runtime = place();
  const [one, two] = [join(runtime.folder, 'one'), join(runtime.folder, 'two')];
  const first = await faultBridge({ runtime, args: ['--data-dir', one, '--http-port', '0'] });
  const second = await faultBridge({
    runtime,
    args: ['--force', '--data-dir', two, '--http-port', '0', '--consent', 'allow'],
  });
  expect(second.endpoint).toBe(first.endpoint);
  const before = inode(second.endpoint);
  expect((await first.stop()).code).toBe(0);
  expect(inode(second.endpoint)).toBe(before);
  await second.app();
  expect((await second.control.status()).pid).toBe(second.pid);
});

it('the endpoint and the control socket of a daemon are back at once when they are deleted [T09]', async () => {
  const runtime = place();
  const bridge = await faultBridge({ runtime });
  const control = join(runtime.folder, `footbridge-${uid}`, 'control.sock');
  const begun = performance.now();
  for (const path of [bridge.endpoint, control]) {
    unlinkSync(path);
    await eventually(() => expect(existsSync(path)).toBe(true));
  }
  // Far less than the 10 s between two checks.
  expect(performance.now() - begun).toBeLessThan(5000);
  await bridge.app();
  const { code, stderr } = await bridge.stop();
  expect(code).toBe(0);
  expect(stderr).not.toContain('taken, moved or deleted');
});

/** Looks after the bridge's endpoint, on a clock of the test; gives what is logged. */
function watched({ transport, path }: IpcBridge) {
  const { logger, log } = recordingLogger();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(
    watchSockets([{ socket: transport, path, what: 'endpoint', without: 'apps are lost' }], {
      logger,
      watch: () => () => {},
    }),
  );
  return log;
}

describe('a deleted endpoint [T09]', () => {
  afterEach(() => {
    vi.useRealTimers();
  });
  const restored = { level: 'warn', message: 'the endpoint was deleted: it is restored' };

  it('is restored at the next check, each time, and connected apps stay', async () => {
    const bridge = await ipcBridge();
    const first = await bridge.app();
    const log = watched(bridge);
    for (let round = 1; round <= 3; round++) {
      unlinkSync(bridge.path);
      vi.advanceTimersByTime(10_000);
      await eventually(() => expect(bridge.transport.owned()).toBe(true));
      await eventually(() => expect(log).toHaveLength(round));
      expect(log.at(-1)).toMatchObject({ ...restored, path: bridge.path });
      expect(statSync(bridge.path).mode & 0o777).toBe(0o600);
      expect(readdirSync(bridge.folder).sort()).toEqual(['discord-ipc-0', `footbridge-${uid}`]);
      expect(await (await bridge.app()).call('GET_GUILDS')).toMatchObject({ evt: null });
    }
    expect(await first.call('GET_GUILDS')).toMatchObject({ evt: null });
    await bridge.server.close();
    expect(existsSync(bridge.path)).toBe(false);
    expect(readdirSync(join(bridge.folder, `footbridge-${uid}`))).toEqual([]);
  });

  it('is restored with its lock when the lock was deleted, too', async () => {
    const bridge = await ipcBridge();
    const log = watched(bridge);
    for (const name of readdirSync(bridge.folder)) rmSync(join(bridge.folder, name), { recursive: true });
    vi.advanceTimersByTime(10_000);
    await eventually(() => expect(log).toMatchObject([restored]));
    await bridge.app();
    const second = testTransport(bridge.folder);
    onTestFinished(() => second.close());
    await second.listen(() => {});
    expect(second.skipped()).toMatchObject([
      { index: 0, why: expect.stringContaining('another footbridge') },
    ]);
  });

  it('stays deleted while another bridge has its lock, and is restored once the lock is released', async () => {
    const bridge = await ipcBridge();
    const log = watched(bridge);
    unlinkSync(bridge.path);
    const lockPath = join(bridge.folder, `footbridge-${uid}`, '0.lock');
    unlinkSync(lockPath);
    const other = await acquireLock(lockPath, os.native);
    if (other.kind === 'held') throw new Error('the lock is held');
    vi.advanceTimersByTime(10_000);
    await eventually(() => expect(log).toHaveLength(1));
    expect(log[0]?.message).toContain('taken, moved or deleted');
    expect(existsSync(bridge.path)).toBe(false);
    other.release();
    await eventually(() => {
      vi.advanceTimersByTime(10_000);
      expect(log).toMatchObject([{}, restored]);
    });
    await bridge.app();
  });

  it('stays deleted once the bridge stops', async () => {
    const bridge = await ipcBridge();
    unlinkSync(bridge.path);
    const restoring = bridge.transport.restore();
    await bridge.server.close();
    await restoring;
    await bridge.transport.restore();
    expect(readdirSync(bridge.folder)).toEqual([`footbridge-${uid}`]);
  });

  it('is reported, and not restored, in a folder that others can write to', async () => {
    const bridge = await ipcBridge();
    const log = watched(bridge);
    unlinkSync(bridge.path);
    chmodSync(bridge.folder, 0o777);
    vi.advanceTimersByTime(10_000);
    await eventually(() => expect(log).toHaveLength(1));
    expect(log[0]?.reason).toContain('chmod 0700');
    expect(existsSync(bridge.path)).toBe(false);
  });
});

describe('a replaced endpoint path [T09]', () => {
  afterEach(() => {
    vi.useRealTimers();
  });
  it('is detected at the next check, logged once, and left to its new owner', async () => {
    const bridge = await ipcBridge();
    const log = watched(bridge);
    vi.advanceTimersByTime(60_000);
    expect(log).toEqual([]);

    const aside = `${bridge.path}.moved`;
    renameSync(bridge.path, aside);
    const impostor = createServer().listen(bridge.path);
    onTestFinished(() => void impostor.close());
    await once(impostor, 'listening');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(log).toEqual([expect.objectContaining({ level: 'warn', path: bridge.path })]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(log).toHaveLength(1);
    await bridge.server.close();
    expect(statSync(bridge.path).isSocket()).toBe(true);
  });
});

it.skipIf(os.native.kind === 'absent')(
  'a hanging listener with a full queue counts as alive, and is left alone (requires koffi) [T11, R03]',
  async () => {
    const runtime = place();
    const path = join(runtime.folder, 'discord-ipc-0');
    const script = `require('node:net').createServer().listen({ path: ${JSON.stringify(path)}, backlog: 2 }, () => console.log('up'))`;
    const hung = startCommand([process.execPath, '-e', script], runtime.env);
    await hung.said('up');
    hung.kill('SIGSTOP');
    const before = inode(path);
    // Fills the queue: what does not fit is refused with EAGAIN.
    const queued = Array.from({ length: 12 }, () => connect(path).on('error', () => {}));
    onTestFinished(() => {
      for (const socket of queued) socket.destroy();
    });
    const { code, stderr } = await refusedStart(runtime.env, '--index', '0');
    expect(code).toBe(TAKEN);
    expect(stderr).toContain('may hang or be stopped');
    expect(inode(path)).toBe(before);
  },
);

it('the next start after kill -9 serves the same path again [R01]', async () => {
  const runtime = place();
  for (let round = 0; round < 3; round++) {
    const bridge = await faultBridge({ runtime });
    expect(bridge.endpoint).toBe(join(runtime.folder, 'discord-ipc-0'));
    await bridge.app();
    await bridge.kill();
    expect(endpointsIn(runtime.folder)).toEqual(['discord-ipc-0']);
  }
});

describe('a daemon that receives a signal [R05]', () => {
  it.each([0, 40, 80, 120, 160, 200, 240, 300])(
    'leaves no socket when SIGTERM arrives %i ms after the start',
    async (ms) => {
      const runtime = place();
      const running = startCommand(daemonCommand(), runtime.env);
      await new Promise((resolve) => setTimeout(resolve, ms));
      running.kill('SIGTERM');
      const { code, signal } = await running.ended;
      // Before Node has run a line of ours the signal's default ends it.
      expect([0, 'SIGTERM']).toContain(code ?? signal);
      expect(endpointsIn(runtime.folder)).toEqual([]);
    },
  );
  it('stops cleanly or at once when SIGTERM arrives twice', async () => {
    const bridge = await faultBridge();
    const ended = bridge.stop();
    process.kill(bridge.pid, 'SIGTERM');
    expect([0, 128 + 15]).toContain((await ended).code);
  });
  it.skipIf(!isLinux)(
    'drains on SIGHUP as on SIGTERM when it was started by hand without a terminal (Linux only)',
    async () => {
      const runtime = place();
      const running = startCommand(daemonCommand(), runtime.env);
      await running.said('\n');
      running.kill('SIGHUP');
      expect((await running.ended).code).toBe(0);
      expect(endpointsIn(runtime.folder)).toEqual([]);
    },
  );
});
