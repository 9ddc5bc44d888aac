import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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

  it('looks at its memory every ten seconds from then on, also without native calls', () => {
    const cpu = vi.spyOn(process, 'cpuUsage');
    releaseWhenIdle({ kind: 'absent', reason: 'no koffi' });
    vi.advanceTimersByTime(250);
    const looks = cpu.mock.calls.length;
    vi.advanceTimersByTime(9999);
    expect(cpu.mock.calls.length).toBe(looks);
    vi.advanceTimersByTime(1);
    expect(cpu.mock.calls.length).toBeGreaterThan(looks);
    cpu.mockRestore();
  });
});
