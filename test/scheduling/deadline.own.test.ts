import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startDeadline } from '../../src/scheduling/deadline.ts';
import { settled } from '../helpers/app-peer.ts';

describe('startDeadline', () => {
  // The turns of the event loop that follow the timer stay real.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('calls back once, after its time has passed', async () => {
    const onLate = vi.fn();
    startDeadline(100, onLate);
    vi.advanceTimersByTime(99);
    await settled();
    expect(onLate).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onLate).not.toHaveBeenCalled();
    await settled();
    expect(onLate).toHaveBeenCalledOnce();
  });
  it('never calls back after cancel()', async () => {
    const onLate = vi.fn();
    startDeadline(100, onLate).cancel();
    vi.advanceTimersByTime(1000);
    await settled();
    expect(onLate).not.toHaveBeenCalled();
  });
  it('gives the whole time again after restart(), before and after it has called back, and not after cancel()', async () => {
    const onLate = vi.fn();
    const deadline = startDeadline(100, onLate);
    const pass = async (ms: number): Promise<void> => {
      vi.advanceTimersByTime(ms);
      await settled();
    };
    await pass(60);
    deadline.restart();
    await pass(99);
    expect(onLate).not.toHaveBeenCalled();
    await pass(1);
    expect(onLate).toHaveBeenCalledOnce();
    deadline.restart();
    await pass(100);
    expect(onLate).toHaveBeenCalledTimes(2);
    deadline.restart();
    vi.advanceTimersByTime(100);
    // The timer has fired, but the peer's bytes arrive in the next turn.
    setImmediate(() => deadline.restart());
    await settled();
    expect(onLate).toHaveBeenCalledTimes(2);
    deadline.cancel();
    deadline.restart();
    await pass(1000);
    expect(onLate).toHaveBeenCalledTimes(2);
  });
  it('can still be cancelled by data that waited in the socket when the timer fired', async () => {
    const onLate = vi.fn();
    const deadline = startDeadline(100, onLate);
    vi.advanceTimersByTime(100);
    setImmediate(() => deadline.cancel());
    await settled();
    expect(onLate).not.toHaveBeenCalled();
  });
});
