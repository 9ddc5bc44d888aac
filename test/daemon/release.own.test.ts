import { constants, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Native } from '../../platform/native/native.ts';
import { collector } from '../../src/daemon/collect.ts';
import { releaseWhenIdle } from '../../src/daemon/heap.ts';

/** A reference to an object that nothing else leads to. */
function weakly(): WeakRef<object> {
  return new WeakRef(new Array<number>(1000).fill(1));
}

describe('the collector', () => {
  it('frees what nothing leads to', async () => {
    const collect = collector();
    const reference = weakly();
    for (let round = 0; round < 5 && reference.deref() !== undefined; round += 1) {
      // The reference keeps its object for the rest of the turn in which it was looked at.
      await nextTurn();
      collect('all');
    }
    expect(reference.deref()).toBeUndefined();
  });

  it.each([
    ['young', 'MINOR'],
    ['all', 'MAJOR'],
  ] as const)('collects of %s objects what V8 calls a %s collection', async (generation, kind) => {
    const kinds: unknown[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { detail } = entry as unknown as {
          readonly detail: { readonly kind: number; readonly flags: number };
        };
        // V8 collects by itself as well.
        if ((detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0) kinds.push(detail.kind);
      }
    });
    observer.observe({ entryTypes: ['gc'] });
    onTestFinished(() => observer.disconnect());
    collector()(generation);
    await vi.waitFor(() => expect(kinds).not.toEqual([]));
    expect(new Set(kinds)).toEqual(new Set([constants[`NODE_PERFORMANCE_GC_${kind}`]]));
  });

  it('leaves no function for collections behind', () => {
    const before = Object.hasOwn(globalThis, 'gc');
    collector();
    expect(Object.hasOwn(globalThis, 'gc')).toBe(before);
  });
});

describe('a started bridge', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('returns its memory to the system a quarter of a second later', () => {
    let released = 0;
    const native = {
      kind: 'loaded',
      releaseFreed: () => {
        released += 1;
        return true;
      },
    } as unknown as Native;
    releaseWhenIdle(native);
    vi.advanceTimersByTime(249);
    expect(released).toBe(0);
    vi.advanceTimersByTime(1);
    expect(released).toBe(1);
  });

  it('returns it again once it is idle after a load, and looks every ten seconds', () => {
    let [released, megabytes] = [0, 100];
    const native = {
      kind: 'loaded',
      releaseFreed: () => {
        released += 1;
        return true;
      },
    } as unknown as Native;
    const cpu = vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system: 0 });
    releaseWhenIdle(native, () => megabytes);
    vi.advanceTimersByTime(250);
    expect(released).toBe(1);
    megabytes = 200;
    vi.advanceTimersByTime(9999);
    expect(released).toBe(1);
    vi.advanceTimersByTime(1);
    expect(released).toBe(2);
    // A process that works is left alone: a quarter of a second, half of it in the system.
    megabytes = 400;
    cpu.mockReturnValue({ user: 125_000, system: 125_000 });
    vi.advanceTimersByTime(10_000);
    expect(released).toBe(2);
    vi.advanceTimersByTime(10_000);
    expect(released).toBe(3);
    cpu.mockRestore();
  });

  it('runs without native calls as well', () => {
    releaseWhenIdle({ kind: 'absent', reason: 'no koffi' }, () => 1);
    vi.advanceTimersByTime(60_000);
  });
});
