import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LocalError } from '../../../src/base/local-error.ts';
import { type DetectedGame, Detector } from '../../../src/daemon/presence/detect.ts';
import { Detectables } from '../../../src/presence/detectables.ts';
import { silentLogger } from '../../../src/server/options.ts';
import { CloseError } from '../../../src/wire/close-error.ts';
import { CloseCode } from '../../../src/wire/codes.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const listOf = (...ids: readonly string[]) =>
  new Detectables(ids.map((id) => ({ id, name: `Game ${id}`, executables: [{ name: `game${id}` }] })));

/** A machine with processes, and a detector that looks at it. */
function machine() {
  const processes = new Map<number, { path: string; start: number }>();
  const shown: string[] = [];
  const warnings: unknown[] = [];
  let reads = 0;
  let refusal: Error | undefined;
  const detector = new Detector({
    processes: {
      pids: () => [...processes.keys()].reverse(),
      factsOf(pid) {
        reads += 1;
        const one = processes.get(pid);
        return one && { paths: [one.path], arguments: '' };
      },
      startOf(pid) {
        const one = processes.get(pid);
        return one && { mark: String(one.start), at: one.start };
      },
    },
    logger: { ...silentLogger, warn: (fields, message) => void warnings.push([message, fields]) },
    show({ application: { id }, pid, startedAt }: DetectedGame) {
      if (refusal !== undefined) return Promise.reject(refusal);
      const text = `${id} of ${pid} since ${startedAt}`;
      shown.push(text);
      return Promise.resolve({ close: () => void shown.splice(shown.indexOf(text), 1) });
    },
  });
  return {
    detector,
    processes,
    shown,
    warnings,
    refuse: (error: Error | undefined) => {
      refusal = error;
    },
    pass: (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms),
    /** Number of processes that were read since the last call. */
    reads: (): number => {
      const before = reads;
      reads = 0;
      return before;
    },
  };
}

describe('a detected game', () => {
  it('is shown while it runs', async () => {
    const { detector, processes, shown, pass } = machine();
    processes.set(10, { path: '/bin/sh', start: 1 });
    processes.set(20, { path: '/opt/game1', start: 5 });
    detector.apply(listOf('1', '2'));
    await pass(0);
    expect(shown).toEqual(['1 of 20 since 5']);
    processes.set(30, { path: '/opt/game2', start: 7 });
    await pass(1000);
    expect(shown).toEqual(['1 of 20 since 5', '2 of 30 since 7']);
    processes.delete(20);
    await pass(1000);
    expect(shown).toEqual(['2 of 30 since 7']);
    expect([detector.nameOf('1'), detector.nameOf('2')]).toEqual([undefined, 'Game 2']);
    detector.close();
    expect(shown).toEqual([]);
    await pass(60_000);
    expect(shown).toEqual([]);
  });

  it('of several processes is shown once, with the oldest, and with the next when that ends', async () => {
    const { detector, processes, shown, pass } = machine();
    processes.set(20, { path: '/opt/game1', start: 5 });
    processes.set(10, { path: '/opt/game1', start: 6 });
    detector.apply(listOf('1'));
    await pass(0);
    expect(shown).toEqual(['1 of 20 since 5']);
    processes.set(5, { path: '/opt/game1', start: 2 });
    await pass(1000);
    expect(shown).toEqual(['1 of 20 since 5']);
    processes.delete(20);
    await pass(1000);
    expect(shown).toEqual(['1 of 5 since 2']);
  });

  it('is found where a launcher becomes the game after its start', async () => {
    const { detector, processes, shown, pass, reads } = machine();
    detector.apply(listOf('1'));
    await pass(1000);
    processes.set(20, { path: '/bin/sh', start: 5 });
    await pass(3000);
    expect(shown).toEqual([]);
    processes.set(20, { path: '/opt/game1', start: 5 });
    await pass(1000);
    expect(shown).toEqual(['1 of 20 since 5']);
    await pass(20_000);
    reads();
    await pass(20_000);
    expect(reads()).toBe(0);
  });

  it('is gone when another process has its pid', async () => {
    const { detector, processes, shown, pass } = machine();
    processes.set(20, { path: '/opt/game1', start: 5 });
    detector.apply(listOf('1'));
    await pass(0);
    processes.set(20, { path: '/bin/sh', start: 9 });
    await pass(1000);
    expect(shown).toEqual([]);
  });

  it('of an application that the core does not know is reported once', async () => {
    const { detector, processes, shown, warnings, refuse, pass } = machine();
    processes.set(20, { path: '/opt/game1', start: 5 });
    const cause = new CloseError(CloseCode.INVALID_CLIENT_ID, 'Invalid Client ID');
    refuse(new LocalError('FOOTBRIDGE_PRESENCE', 'The presence of 1 is not shown.', { cause }));
    detector.apply(listOf('1'));
    await pass(60_000);
    expect(warnings).toEqual([
      ['a detected game is not shown', { reason: 'The presence of 1 is not shown.' }],
    ]);
    refuse(undefined);
    await pass(60_000);
    expect(shown).toEqual([]);
    detector.apply(listOf('1'));
    await pass(0);
    expect(shown).toEqual(['1 of 20 since 5']);
  });

  it('that the core refuses for now is tried again, and reported once', async () => {
    const { detector, processes, shown, warnings, refuse, pass } = machine();
    processes.set(20, { path: '/opt/game1', start: 5 });
    refuse(new LocalError('FOOTBRIDGE_PRESENCE', 'no client'));
    detector.apply(listOf('1'));
    await pass(20_000);
    expect(warnings).toHaveLength(1);
    refuse(undefined);
    await pass(6000);
    expect(shown).toEqual(['1 of 20 since 5']);
  });

  it('stays shown with another list that has it, and ends with one that has not', async () => {
    const { detector, processes, shown, pass } = machine();
    processes.set(20, { path: '/opt/game1', start: 5 });
    detector.apply(listOf('1'));
    await pass(0);
    const [first] = shown;
    detector.apply(listOf('2', '1'));
    expect(shown).toEqual([first]);
    detector.apply(listOf('2'));
    expect(shown).toEqual([]);
  });
});

it('a check reads few of many processes, and each of them once', async () => {
  const { detector, processes, shown, pass, reads } = machine();
  for (let pid = 1; pid <= 400; pid += 1) processes.set(pid, { path: `/bin/p${pid}`, start: pid });
  processes.set(1, { path: '/opt/game1', start: 1 });
  detector.apply(listOf('1'));
  expect(reads()).toBe(64);
  await pass(60_000);
  expect(reads()).toBe(400 - 64);
  expect(shown).toEqual(['1 of 1 since 1']);
});
