import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DelayQueue } from '../../src/faults/delay-queue.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

function arrange() {
  const lag = new DelayQueue();
  const begun = performance.now();
  // In tens of ms: a timer for 0 ms takes one.
  const ran: string[] = [];
  const noting = (name: string) => (): void =>
    void ran.push(`${Math.floor((performance.now() - begun) / 10) * 10}: ${name}`);
  return { lag, ran, noting };
}

describe('a delay queue', () => {
  it('runs a task at once when no other task precedes it', () => {
    const { lag, ran, noting } = arrange();
    lag.push(noting('a'));
    expect([ran, lag.size, vi.getTimerCount()]).toEqual([['0: a'], 0, 0]);
  });
  it('runs tasks in order, each when it is due and every earlier task has run', () => {
    const { lag, ran, noting } = arrange();
    lag.push(noting('a'), { delayMs: 100 });
    lag.push(noting('b'));
    lag.push(noting('c'), { delayMs: 250 });
    expect(lag.size).toBe(3);
    vi.advanceTimersByTime(1000);
    expect([ran, lag.size, vi.getTimerCount()]).toEqual([['100: a', '100: b', '250: c'], 0, 0]);
  });
  it('leaves the gap of a task after the previous task, whenever that was pushed', () => {
    const { lag, ran, noting } = arrange();
    lag.push(noting('a'), { gapMs: 50 });
    lag.push(noting('b'), { gapMs: 50 });
    vi.advanceTimersByTime(30);
    lag.push(noting('c'), { gapMs: 50 });
    vi.advanceTimersByTime(1000);
    lag.push(noting('d'), { gapMs: 50 });
    expect(ran).toEqual(['0: a', '50: b', '100: c', '1030: d']);
  });
  it('accepts a task that is pushed by a running task', () => {
    const { lag, ran, noting } = arrange();
    lag.push(() => lag.push(noting('b'), { delayMs: 50 }), { delayMs: 100 });
    vi.advanceTimersByTime(1000);
    expect([ran, vi.getTimerCount()]).toEqual([['150: b'], 0]);
  });
  it('drops its waiting tasks when it is cleared, and accepts new ones', () => {
    const { lag, ran, noting } = arrange();
    lag.push(noting('a'), { delayMs: 10 });
    lag.push(noting('b'), { delayMs: 20 });
    lag.clear();
    expect([lag.size, vi.getTimerCount()]).toEqual([0, 0]);
    lag.push(noting('c'), { delayMs: 50 });
    vi.advanceTimersByTime(1000);
    expect(ran).toEqual(['50: c']);
  });
});
