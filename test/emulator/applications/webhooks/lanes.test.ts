import { expect, it } from 'vitest';
import { Lanes } from '../../../../src/emulator/applications/webhooks/lanes.ts';

it('an application that never answers occupies half of the lanes, and another continues beside it', async () => {
  const lanes = new Lanes(1_000);
  const out: (() => void)[] = [];
  const silent = () => new Promise<void>((resolve) => out.push(resolve));
  const all = Array.from({ length: 200 }, () => lanes.run('silent', silent));
  await new Promise((resolve) => setImmediate(resolve));
  expect(out.length).toBe(32);
  expect(
    await Promise.all(Array.from({ length: 200 }, (_, index) => lanes.run('quick', async () => index))),
  ).toEqual(Array.from({ length: 200 }, (_, index) => index));
  expect(out.length).toBe(32);
  for (let ended = 0; ended < 200; ended += 1) {
    await expect.poll(() => out.length, { interval: 1 }).toBeGreaterThan(ended);
    out[ended]?.();
  }
  await Promise.all(all);
});

it('a failed task frees its lane, and only the newest waiting tasks remain', async () => {
  const lanes = new Lanes(2);
  const done: number[] = [];
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const held = Array.from({ length: 32 }, () =>
    lanes.run('a', () => gate.then(() => Promise.reject(new Error('x')))),
  );
  const queued = Array.from({ length: 5 }, (_, index) => lanes.run('a', async () => done.push(index)));
  // A dropped task ends at once: whoever waits for all of them must not wait for ever.
  expect(await Promise.all(queued.slice(0, 3))).toEqual([undefined, undefined, undefined]);
  await new Promise((resolve) => setImmediate(resolve));
  open();
  expect((await Promise.allSettled(held)).every(({ status }) => status === 'rejected')).toBe(true);
  await expect.poll(() => done).toEqual([3, 4]);
});
