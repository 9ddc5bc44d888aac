import { describe, expect, it } from 'vitest';
import type { Native } from '../../platform/native/native.ts';
import { ignoreStraySignals, leave, untilStopped } from '../../src/daemon/signals.ts';
import { FakeProcess } from '../helpers/bridge-run.ts';

const absent = { kind: 'absent', reason: 'no koffi' } as const;
const loaded = (process: FakeProcess): Native =>
  ({ kind: 'loaded', endProcess: (code: number) => process.end(`natively ${code}`) }) as unknown as Native;

describe('the end of a process', () => {
  it('is an exit where no file operation is in progress', async () => {
    const process = new FakeProcess();
    process.busy = ['TCPServerWrap'];
    await leave(3, 'SIGTERM', loaded(process), process.own);
    expect(process.ends).toEqual(['exit 3']);
  });

  it('waits a little for a file operation in progress', async () => {
    const process = new FakeProcess();
    let asked = 0;
    process.getActiveResourcesInfo = () => {
      asked += 1;
      return asked < 4 ? ['FSReqCallback'] : [];
    };
    await leave(0, 'SIGTERM', loaded(process), process.own);
    expect(process.ends).toEqual(['exit 0']);
    expect(asked).toBeLessThan(10);
  });

  it('is a native call where a file operation hangs', async () => {
    const process = new FakeProcess();
    let asked = 0;
    process.getActiveResourcesInfo = () => {
      asked += 1;
      return ['FSReqPromise'];
    };
    process.on('SIGTERM', () => {});
    await leave(7, 'SIGTERM', loaded(process), process.own);
    expect(process.ends).toEqual(['natively 7']);
    expect(process.listenerCount('SIGTERM')).toBe(1);
    // Every 5 ms for 100 ms, and at the end.
    expect(asked).toBe(22);
  });

  it('is the signal itself where there are no native calls', async () => {
    const process = new FakeProcess();
    process.busy = ['FSReqPromise'];
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGUSR2']) process.on(signal, () => {});
    await leave(7, 'SIGINT', absent, process.own);
    expect(process.ends).toEqual([`SIGINT to ${process.pid}`]);
    // With a listener, a signal would not end the process.
    expect(['SIGTERM', 'SIGINT', 'SIGUSR2'].map((signal) => process.listenerCount(signal))).toEqual([
      0, 0, 1,
    ]);
  });
});

describe('the stop signals', () => {
  it('replace the listeners that the process had while it loaded', async () => {
    const process = new FakeProcess();
    process.on('SIGTERM', () => process.exit(0));
    const stopped = untilStopped(undefined, process.own);
    process.emit('SIGTERM');
    expect(await stopped).toEqual({ signal: 'SIGTERM' });
    expect(process.ends).toEqual([]);
  });

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
    ['SIGQUIT', 131],
  ])('end the process at the second of them, %s, with its code', async (signal, code) => {
    const process = new FakeProcess();
    const stopped = untilStopped(undefined, process.own);
    process.emit('SIGTERM');
    process.emit(signal);
    expect(await process.ended).toBe(`exit ${code}`);
    expect(await stopped).toEqual({ signal: 'SIGTERM' });
  });

  it('do not include SIGHUP where it has a meaning of its own', async () => {
    const process = new FakeProcess();
    let hangUps = 0;
    const stopped = untilStopped(() => {
      hangUps += 1;
    }, process.own);
    process.emit('SIGHUP');
    process.emit('SIGHUP');
    process.emit('SIGINT');
    expect(await stopped).toEqual({ signal: 'SIGINT' });
    expect([hangUps, process.ends]).toEqual([2, []]);
  });
});

describe('stray signals', () => {
  it.each([
    [[], {}, true],
    [['--inspect'], { NODE_OPTIONS: '--no-warnings' }, true],
    [['--prof'], {}, false],
    [['--cpu-prof'], {}, false],
    [[], { NODE_OPTIONS: '--cpu-prof --no-warnings' }, false],
  ])("leave SIGPROF to Node's profiler (%j, %j)", (flags, env, isTaken) => {
    const process = new FakeProcess();
    process.execArgv.push(...flags);
    Object.assign(process.env, env);
    ignoreStraySignals(undefined, process.own);
    expect(process.emit('SIGPROF')).toBe(isTaken);
    expect(process.emit('SIGUSR1')).toBe(true);
  });
});
