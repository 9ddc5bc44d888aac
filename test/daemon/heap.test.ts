import { expect, it } from 'vitest';
import { Releasing } from '../../src/daemon/heap.ts';

/** A process whose memory and work a test decides; releasing brings it down to what it needs. */
function setUp() {
  const process = { resident: 80, needs: 60, spentMs: 0, released: 0 };
  const releasing = new Releasing({
    resident: () => process.resident,
    processorMs: () => process.spentMs,
    release: () => {
      process.released += 1;
      process.resident = process.needs;
      process.spentMs += 40;
    },
  });
  const look = (spentMs: number): number => {
    process.spentMs += spentMs;
    releasing.check();
    return process.released;
  };
  return { process, look };
}

it('the daemon releases memory after the start, and once it is idle after a load', () => {
  const { process, look } = setUp();
  expect([process.released, process.resident]).toEqual([1, 60]);
  process.resident = 325;
  // Ten seconds of work, and the end of it.
  expect([look(9000), look(500), process.resident]).toEqual([1, 1, 325]);
  expect([look(5), process.resident]).toEqual([2, 60]);
});

it('the daemon releases no memory while it is idle or needs all of it', () => {
  const { process, look } = setUp();
  for (let i = 0; i < 100; i++) expect(look(1)).toBe(1);
  process.resident = 66;
  for (let i = 0; i < 100; i++) expect(look(1)).toBe(1);
  // What is needed is not collected again and again.
  process.needs = 120;
  process.resident = 200;
  expect([look(1), look(1), look(1)]).toEqual([2, 3, 4]);
  for (let i = 0; i < 100; i++) expect(look(1)).toBe(4);
  // Less than that is the new measure.
  process.resident = 60;
  look(1);
  Object.assign(process, { resident: 80, needs: 60 });
  expect(look(1)).toBe(5);
});

it('the daemon releases memory after the start only, where the system does not report it', () => {
  let released = 0;
  const releasing = new Releasing({
    resident: () => null,
    processorMs: () => 0,
    release: () => {
      released += 1;
    },
  });
  for (let i = 0; i < 10; i++) releasing.check();
  expect(released).toBe(1);
});

it('the daemon also releases memory that the collection frees later, once it is idle', () => {
  const { process, look } = setUp();
  Object.assign(process, { resident: 325, needs: 100 });
  expect([look(1), process.resident]).toEqual([2, 100]);
  process.needs = 60;
  expect([look(9000), process.resident]).toEqual([2, 100]);
  expect([look(1), process.resident]).toEqual([3, 60]);
});

it.each([
  [199, 69, 2],
  [200, 69, 1],
  [199, 68, 1],
])(
  'the daemon that worked %d ms and has %d MB, once 60 MB, has released memory %d times',
  (ms, resident, count) => {
    const { process, look } = setUp();
    process.resident = resident;
    expect(look(ms)).toBe(count);
  },
);
