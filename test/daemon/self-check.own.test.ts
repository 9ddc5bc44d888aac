import { afterEach, expect, it, vi } from 'vitest';
import { watchSockets } from '../../src/daemon/self-check.ts';
import { recordingLogger } from '../helpers/memory-bridge.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('the socket check runs every 10 s, logs a change once, and stops', () => {
  vi.useFakeTimers();
  const { logger, log } = recordingLogger();
  let owned = true;
  const socket = {
    owned: () => owned,
    deleted: () => false,
    restore: () => Promise.reject(new Error('never')),
  };
  const stop = watchSockets(
    [{ socket, path: '/run/discord-ipc-0', what: 'endpoint', without: 'gone' }],
    logger,
  );
  vi.advanceTimersByTime(9_999);
  owned = false;
  expect(log).toEqual([]);
  vi.advanceTimersByTime(30_000);
  owned = true;
  vi.advanceTimersByTime(30_000);
  expect(log.map(({ level }) => level)).toEqual(['warn', 'info']);
  stop();
  expect(vi.getTimerCount()).toBe(0);
});

it('the socket check logs once that a deleted socket cannot be restored, and tries again', async () => {
  vi.useFakeTimers();
  const { logger, log } = recordingLogger();
  let tries = 0;
  let owned = true;
  const socket = {
    owned: () => owned,
    deleted: () => !owned,
    restore: async () => {
      tries += 1;
      if (tries < 3) throw new Error('full');
      owned = true;
    },
  };
  const stop = watchSockets(
    [{ socket, path: '/run/discord-ipc-0', what: 'endpoint', without: 'gone' }],
    logger,
  );
  owned = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tries).toBe(3);
  expect(log).toMatchObject([
    { level: 'warn', message: 'the endpoint was taken, moved or deleted: gone', reason: 'full' },
    { level: 'warn', message: 'the endpoint was deleted: it is restored' },
  ]);
  stop();
});
