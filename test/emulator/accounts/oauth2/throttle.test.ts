import { expect, it } from 'vitest';
import { PromptThrottle } from '../../../../src/emulator/accounts/oauth2/throttle.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';

it('PromptThrottle allows three prompts in any minute', () => {
  const clock = new ManualClock();
  const throttle = new PromptThrottle(clock, 3);
  for (let i = 0; i < 3; i += 1) {
    expect(throttle.wait(['a', 'b'])).toBe(0);
    throttle.prompted(['a', 'b']);
    clock.advance(10_000);
  }
  expect(throttle.wait(['a'])).toBe(30_000);
  expect(throttle.wait(['c', 'b'])).toBe(30_000);
  expect(throttle.wait(['c'])).toBe(0);
  clock.advance(29_999);
  expect(throttle.wait(['a'])).toBe(1);
  clock.advance(1);
  expect(throttle.wait(['a'])).toBe(0);
});

it('PromptThrottle pauses after a denial, twice as long each time, up to ten minutes', () => {
  const clock = new ManualClock();
  const throttle = new PromptThrottle(clock, 3);
  const pauses: number[] = [];
  for (let i = 0; i < 8; i += 1) {
    throttle.denied(['a']);
    pauses.push(throttle.wait(['a']));
    clock.advance(throttle.wait(['a']));
    expect(throttle.wait(['a'])).toBe(0);
  }
  expect(pauses).toEqual([15, 30, 60, 120, 240, 480, 600, 600].map((seconds) => seconds * 1000));
});

it('PromptThrottle restarts its pauses after an approval', () => {
  const clock = new ManualClock();
  const throttle = new PromptThrottle(clock, 3);
  throttle.denied(['a']);
  throttle.denied(['a']);
  throttle.allowed(['a']);
  expect(throttle.wait(['a'])).toBe(0);
  throttle.denied(['a']);
  expect(throttle.wait(['a'])).toBe(15_000);
});

it.each([-86_400_000, 86_400_000])('PromptThrottle is not affected by a clock that is set by %i ms', (ms) => {
  const clock = new ManualClock();
  const throttle = new PromptThrottle(clock, 3);
  for (let i = 0; i < 3; i += 1) throttle.prompted(['a']);
  throttle.denied(['b']);
  clock.jump(ms);
  expect([throttle.wait(['a']), throttle.wait(['b'])]).toEqual([60_000, 15_000]);
});

it('PromptThrottle drops the denials of a key without prompts for more than twenty minutes', () => {
  for (const [more, pause] of [
    [0, 30_000],
    [1, 15_000],
  ] as const) {
    const clock = new ManualClock();
    const throttle = new PromptThrottle(clock, 3);
    throttle.denied(['a']);
    clock.advance(15_000 + 20 * 60_000 + more);
    throttle.prompted(['b']);
    throttle.denied(['a']);
    expect(throttle.wait(['a'])).toBe(pause);
  }
});

it('PromptThrottle remembers the denials of a key with a later prompt', () => {
  const clock = new ManualClock();
  const throttle = new PromptThrottle(clock, 3);
  throttle.denied(['a']);
  clock.advance(15_000 + 10 * 60_000);
  throttle.prompted(['a']);
  clock.advance(15 * 60_000);
  throttle.prompted(['b']);
  throttle.denied(['a']);
  expect(throttle.wait(['a'])).toBe(30_000);
});
