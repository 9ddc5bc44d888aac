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

const KIB = 1024;

/** One measured round trip of `ms`. */
function trip(pace: Pace, clock: { now: number }, ms: number, limited = true): number {
  pace.sent(16 * KIB);
  if (limited) pace.limited();
  clock.now += ms;
  pace.acked(16 * KIB);
  return pace.window;
}

function bench() {
  const clock = { now: 0 };
  return { clock, pace: new Pace(() => clock.now) };
}

it('the window begins at 64 KiB, and room and flight follow what is sent and confirmed', () => {
  const { pace } = bench();
  pace.sent(70 * KIB);
  expect([pace.window, pace.inFlight, pace.room]).toEqual([64 * KIB, 70 * KIB, -6 * KIB]);
  expect(pace.acked(20 * KIB)).toBe(true);
  expect([pace.inFlight, pace.room]).toEqual([50 * KIB, 14 * KIB]);
  expect([pace.acked(50 * KIB + 1), pace.inFlight]).toEqual([false, 50 * KIB]);
});

it('the window grows by an eighth for each round trip in which something waited, up to 4 MiB', () => {
  const { pace, clock } = bench();
  expect(trip(pace, clock, 10, false)).toBe(64 * KIB);
  expect(trip(pace, clock, 10)).toBe(72 * KIB);
  for (let n = 0; n < 60; n++) trip(pace, clock, 10);
  expect(pace.window).toBe(4 * KIB * KIB);
});

it('the window shrinks by a quarter for a round trip of more than half over the shortest and 1 ms, down to 32 KiB', () => {
  const { pace, clock } = bench();
  trip(pace, clock, 10, false);
  expect(trip(pace, clock, 16, false)).toBe(64 * KIB);
  expect(trip(pace, clock, 16.1, false)).toBe(48 * KIB);
  expect(trip(pace, clock, 100)).toBe(36 * KIB);
  expect(trip(pace, clock, 100)).toBe(32 * KIB);
});

it('the shortest round trip is measured afresh after ten seconds', () => {
  const { pace, clock } = bench();
  trip(pace, clock, 10, false);
  clock.now += 10_000 - 100;
  expect(trip(pace, clock, 100, false)).toBe(48 * KIB);
  expect(trip(pace, clock, 100)).toBe(54 * KIB);
  // A shorter one counts from when it was measured.
  trip(pace, clock, 10, false);
  clock.now += 10_000 - 50;
  expect(trip(pace, clock, 20, false)).toBe(40.5 * KIB);
});

it('a round trip is measured from 16 KiB on their way, and until all of these are confirmed', () => {
  const { pace, clock } = bench();
  pace.sent(16 * KIB - 1);
  pace.limited();
  pace.acked(16 * KIB - 1);
  expect(pace.window).toBe(64 * KIB);
  pace.sent(16 * KIB);
  pace.limited();
  pace.sent(16 * KIB);
  pace.acked(16 * KIB - 1);
  expect(pace.window).toBe(64 * KIB);
  clock.now += 5;
  pace.acked(1);
  expect(pace.window).toBe(72 * KIB);
  // Nothing is measured for what was sent meanwhile.
  pace.acked(16 * KIB);
  expect(pace.window).toBe(72 * KIB);
});
