import { expect, it, onTestFinished, vi } from 'vitest';
import { LogDestination } from '../../../src/daemon/log/destination.ts';
import type { WriteResult } from '../../../src/daemon/log/sink.ts';

it('a destination tries a full sink after 20 ms, and each time twice as late, up to a second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let tries = 0;
  let isFull = true;
  const write = (bytes: Uint8Array): WriteResult => {
    tries += 1;
    return isFull ? { kind: 'blocked' } : { kind: 'written', bytes: bytes.byteLength };
  };
  const log = new LogDestination({ write, close() {} });
  log.write('one\n');
  for (const [at, ms] of [20, 40, 80, 160, 320, 640, 1000, 1000].entries()) {
    // No line that comes meanwhile is tried.
    log.write('more\n');
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(tries).toBe(at + 1);
    await vi.advanceTimersByTimeAsync(1);
    expect(tries).toBe(at + 2);
  }
  isFull = false;
  await vi.advanceTimersByTimeAsync(1000);
  expect(tries).toBe(9 + 9);
  isFull = true;
  log.write('again\n');
  await vi.advanceTimersByTimeAsync(20);
  expect(tries).toBe(20);
  log.close();
  expect(vi.getTimerCount()).toBe(0);
});
