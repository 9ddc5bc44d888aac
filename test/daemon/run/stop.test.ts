import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type BridgeRun, bridgeRun, runPlace, startRun } from '../../helpers/bridge-run.ts';
import { isLinux } from '../../helpers/fault-bridge.ts';

const isWindows = process.platform === 'win32';
const authorize = { client_id: '300000000000000001', scopes: ['identify'] };

/** What a bridge has left of its sockets and locks. */
const left = ({ place }: BridgeRun): string[] => [
  ...readdirSync(place.folder).filter((name) => name.startsWith('discord-ipc')),
  ...readdirSync(join(place.folder, `footbridge-${process.getuid?.()}`)),
];

describe('a run', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGXCPU'])(
    'ends with exit code 0 at %s, after it has sent its apps away',
    async (signal) => {
      const run = await bridgeRun();
      expect(left(run)).toContain('discord-ipc-0');
      const app = await run.app();
      run.process.emit(signal);
      expect(await app.closed()).toMatchObject({ code: 1000 });
      expect(await run.process.ended).toBe('exit 0');
      expect(await run.result).toBe(0);
      expect(left(run)).toEqual([]);
      expect(run.log('stopping')).toEqual([{ level: 'info', reason: signal, msg: 'stopping' }]);
      expect(run.process.ends).toEqual(['exit 0']);
    },
  );

  it('frees its sockets and locks although its core cannot stop, and says why not', async () => {
    const place = runPlace();
    const core = place.file(
      'core.mjs',
      `export const createCore = () => ({
        name: 'stuck',
        start: () => ({}),
        open() {},
        stop() { throw new RangeError('not now'); },
      });`,
    );
    const run = await bridgeRun({ place, flags: { core } });
    await run.stop();
    await run.result;
    expect(run.log().filter(({ level }) => level === 'error')).toEqual([
      { level: 'error', reason: 'not now', msg: 'the core did not stop' },
    ]);
    expect(left(run)).toEqual([]);
  });

  it('ends at once at a second signal, with the code of that signal', async () => {
    const run = await bridgeRun();
    const app = await run.app();
    app.request('AUTHORIZE', authorize);
    await expect.poll(() => run.control.call('requests.list')).toHaveLength(1);
    run.process.emit('SIGTERM');
    run.process.emit('SIGINT');
    expect(await run.process.ended).toBe('exit 130');
    expect(run.log('stopping')).toHaveLength(1);
  });

  it('lets a request in flight be answered while it stops', async () => {
    const run = await bridgeRun();
    const app = await run.app();
    const answer = app.call('AUTHORIZE', authorize);
    await expect.poll(() => run.control.call('requests.list')).toHaveLength(1);
    const [{ id }] = (await run.control.call('requests.list')) as [{ readonly id: string }];
    const stopped = run.stop();
    // The socket is gone, and who is connected is still served.
    await expect.poll(() => existsSync(join(run.place.folder, 'discord-ipc-0'))).toBe(false);
    await run.control.call('requests.deny', { id });
    expect(await answer).toMatchObject({ evt: 'ERROR', data: { code: 5000 } });
    expect(await app.closed()).toMatchObject({ code: 1000 });
    expect(await stopped).toBe('exit 0');
  });

  it('gives requests in flight their time, and no more', async () => {
    const run = await bridgeRun({ env: { FOOTBRIDGE_LIMITS_DRAIN_MS: '0' } });
    const app = await run.app();
    app.request('AUTHORIZE', authorize);
    await expect.poll(() => run.control.call('requests.list')).toHaveLength(1);
    expect(await run.stop()).toBe('exit 0');
  });

  it.each(['SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGVTALRM', 'SIGPROF', 'SIGIO', 'SIGPWR', 'SIGSTKFLT'])(
    'ignores %s',
    async (signal) => {
      const run = await bridgeRun({ env: { FOOTBRIDGE_LOG_LEVEL: 'debug' } });
      run.process.emit(signal);
      expect(run.log('signal ignored')).toEqual([{ level: 'debug', reason: signal, msg: 'signal ignored' }]);
      expect(run.process.ends).toEqual([]);
      await run.app();
    },
  );

  it('hides its memory and makes private files', async () => {
    const run = await bridgeRun();
    expect(run.process.masks).toEqual([0o077]);
    if (run.natively.length > 0) expect(run.natively).toEqual(['limitCoreDumps', 'setNotDumpable']);
  });

  it.each([
    ['uncaughtException', new TypeError('x is not a function'), /^TypeError: x is not a function at /],
    ['unhandledRejection', 'canary', /^a string was thrown$/],
  ])('ends with exit code 70 at an %s, and gives its socket up', async (event, error, reason) => {
    const place = runPlace();
    const further = join(place.folder, 'box', 'discord-ipc-0');
    const run = await bridgeRun({
      place,
      toml: isLinux ? `[[endpoints]]\nname = "box"\npath = "${further}"\n` : '',
    });
    expect(existsSync(further)).toBe(isLinux);
    run.process.emit(event, error);
    run.process.emit(event, error);
    expect(run.process.ends).toEqual(['exit 70', 'exit 70']);
    expect(run.log('defect: the bridge ends')).toEqual([
      { level: 'error', reason: expect.stringMatching(reason), msg: 'defect: the bridge ends' },
    ]);
    expect([further, join(place.folder, 'discord-ipc-0')].map((path) => existsSync(path))).toEqual([
      false,
      false,
    ]);
    run.process.emit('SIGTERM');
  });

  it.skipIf(isWindows)('ends at a signal while its configuration hangs (not on Windows)', async () => {
    const place = runPlace();
    const fifo = join(place.folders.config, 'footbridge.toml');
    execFileSync('mkfifo', [fifo]);
    const run = await startRun({ place });
    run.process.busy = ['FSReqCallback'];
    run.process.emit('SIGTERM');
    // The read has had its time, and no native calls are loaded yet: the signal itself ends the process.
    expect(await run.process.ended).toMatch(/^(?:natively 0|SIGTERM to 4321)$/);
    expect(await run.result).toBe(0);
    // The thread that waits for a writer gets one.
    execFileSync('sh', ['-c', `: > '${fifo}'`]);
  });

  it('ends with exit code 0 where its configuration is read in the end', async () => {
    const run = await startRun();
    run.process.emit('SIGTERM');
    expect(await run.result).toBe(0);
    expect(run.process.ends).toEqual([]);
    expect(run.stdout()).toBe('');
  });

  it('removes its listeners of signals when the process exits, so that a signal can end an exit that hangs', async () => {
    const run = await bridgeRun();
    await run.stop();
    run.process.emit('exit');
    const signals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGXCPU'];
    expect(signals.map((signal) => run.process.listenerCount(signal))).toEqual([0, 0, 0, 0, 0]);
  });
});
