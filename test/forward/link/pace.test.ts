import { expect, it } from 'vitest';
import { Pace } from '../../../src/forward/link/pace.ts';

/** Sends as much as the window allows and has it confirmed after `ms`, `times` times; returns the window. */
function roundTrips(pace: Pace, clock: { now: number }, ms: number, times: number): number {
  for (let time = 0; time < times; time += 1) {
    pace.sent(pace.room);
    pace.limited();
    clock.now += ms;
    pace.acked(pace.inFlight);
  }
  return pace.window;
}

it('the window grows while confirmations come soon', () => {
  const clock = { now: 0 };
  const pace = new Pace(() => clock.now);
  const first = pace.window;
  expect(roundTrips(pace, clock, 40, 60)).toBeGreaterThan(first * 10);
});

it('the window shrinks to its minimum once bytes wait on their way', () => {
  const clock = { now: 0 };
  const pace = new Pace(() => clock.now);
  roundTrips(pace, clock, 1, 60);
  expect(roundTrips(pace, clock, 30, 60)).toBe(32 * 1024);
});

it('the window is kept where nothing waits for it', () => {
  const clock = { now: 0 };
  const pace = new Pace(() => clock.now);
  const first = pace.window;
  for (let time = 0; time < 100; time += 1) {
    pace.sent(700);
    clock.now += 1;
    pace.acked(700);
  }
  expect(pace.window).toBe(first);
});

it('more than was sent cannot be confirmed', () => {
  const pace = new Pace(() => 0);
  pace.sent(100);
  expect(pace.acked(101)).toBe(false);
  expect(pace.acked(100)).toBe(true);
});
