import { afterEach, expect, it, vi } from 'vitest';
import { watchEndpoint } from '../../../src/cli/daemon/self-check.ts';
import { recordingLogger } from '../../helpers/memory-bridge.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('looks each 10 s, says a change once, and ends', () => {
  vi.useFakeTimers();
  const { logger, log } = recordingLogger();
  let owned = true;
  const stop = watchEndpoint({ owned: () => owned }, '/run/discord-ipc-0', logger);
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
