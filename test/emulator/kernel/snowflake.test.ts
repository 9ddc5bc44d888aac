import { expect, it } from 'vitest';
import { Snowflakes, timeOf } from '../../../src/emulator/kernel/snowflake.ts';

it('snowflakes contain their time and are never reused, even when an id is free again', () => {
  const ids = new Snowflakes();
  const now = 1_900_000_000_123;
  const taken = new Set([new Snowflakes().next(now)]);
  for (let i = 0; i < 3; i++) {
    const id = ids.next(now, (other) => taken.has(other));
    expect(taken.has(id)).toBe(false);
    expect(timeOf(id)).toBe(now);
    taken.add(id);
  }
  const last = ids.next(now);
  expect([...taken]).not.toContain(last);
  expect(ids.next(now)).not.toBe(last);
  expect(timeOf(ids.next(-1))).toBe(1_420_070_400_000);
});

it('snowflakes are generated without retries while the clock does not advance, however many there are', () => {
  const ids = new Snowflakes();
  let asked = 0;
  const given = new Set<string>();
  for (let i = 0; i < 1000; i++) {
    given.add(
      ids.next(0, (id) => {
        asked += 1;
        return given.has(id);
      }),
    );
  }
  expect(given.size).toBe(1000);
  expect(asked).toBe(1000);
});

it('snowflakes are unique after the clock is set back, and ascend within the same moment', () => {
  const ids = new Snowflakes();
  const given: string[] = [];
  for (let round = 0; round < 1000; round += 1) {
    for (const time of [1_900_000_000_123, 1_900_000_000_124]) given.push(ids.next(time), ids.next(time));
  }
  expect(new Set(given).size).toBe(given.length);
  const first = given.filter((id) => timeOf(id) === 1_900_000_000_123).map(BigInt);
  expect(first).toHaveLength(2000);
  expect(first).toEqual([...first].sort((a, b) => (a < b ? -1 : 1)));
});
