import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type AnswerDeadline, CircuitBreaker } from '../../src/session/circuit-breaker.ts';

const core: AnswerDeadline = { ms: 1000, waitsFor: 'core' };
const hang = (): Promise<never> => new Promise(() => {});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('CircuitBreaker lets any number of calls of other commands wait while one command is broken', async () => {
  const breaker = new CircuitBreaker();
  const first = Promise.resolve(breaker.run('A', core, hang)).catch(() => 'late');
  await vi.advanceTimersByTimeAsync(500);
  expect(breaker.run('B', core, () => 'answer')).toBe('answer');
  await vi.advanceTimersByTimeAsync(501);
  expect(await first).toBe('late');
  const calls = vi.fn(async () => 'answer');
  const answers = Promise.all(['B', 'B', 'C', 'C'].map(async (cmd) => breaker.run(cmd, core, calls)));
  expect(calls).toHaveBeenCalledTimes(4);
  expect(await answers).toEqual(['answer', 'answer', 'answer', 'answer']);
  expect(() => breaker.run('A', core, calls)).toThrow(/A at the moment/);
});
