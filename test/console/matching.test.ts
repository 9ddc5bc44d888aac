import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RowReader } from '../../src/console/page/data/row-store.ts';
import { Matching, positionOf } from '../../src/console/page/views/traffic/matching.ts';
import type { Exchange } from '../../src/journal/exchange.ts';

type Row = { -readonly [Key in keyof Exchange]: Exchange[Key] };

/** Rows that are changed as the page's feed changes them. */
class Source {
  readonly rows: Row[] = [];
  #id = 0;
  #reader: RowReader | undefined;

  read(reader: RowReader): () => void {
    this.#reader = reader;
    return () => {
      this.#reader = undefined;
    };
  }

  add(count: number): void {
    const added = Array.from({ length: count }, () => {
      this.#id += 1;
      return { id: this.#id, bytes: this.#id % 3 } as Row;
    });
    this.rows.push(...added);
    this.#reader?.added(added);
  }

  change(index: number): void {
    const row = this.rows[index % Math.max(1, this.rows.length)];
    if (row === undefined) return;
    row.bytes += 1;
    this.#reader?.changed([row]);
  }

  forget(count: number): void {
    this.rows.splice(0, count);
    this.#reader?.removed(this.rows[0]?.id ?? this.#id + 1);
  }
}

const steps = fc.array(
  fc.oneof(
    fc.record({ add: fc.nat(20) }),
    fc.record({ change: fc.nat(500) }),
    fc.record({ forget: fc.nat(15) }),
    fc.record({ test: fc.integer({ min: 2, max: 4 }) }),
  ),
  { maxLength: 40 },
);

it('Matching has after any changes the rows that a test of all rows has', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const source = new Source();
      const matching = new Matching(source, { now: () => 0, later: (run) => run() }, () => {});
      let test = (_row: Exchange): boolean => true;
      for (const step of all) {
        if ('add' in step) source.add(step.add);
        else if ('change' in step) source.change(step.change);
        else if ('forget' in step) source.forget(step.forget);
        else {
          test = ({ bytes }) => bytes % step.test === 0;
          matching.setTest(test);
        }
        expect(matching.rows.map(({ id }) => id)).toEqual(source.rows.filter(test).map(({ id }) => id));
      }
      matching.close();
    }),
  );
});

it('Matching keeps the rows of the test before while a slow test runs, and has what changed meanwhile', () => {
  const source = new Source();
  source.add(600);
  // Each slice tests 250 rows and is then over.
  let [clock, slices, results] = [0, 0, 0];
  let next: (() => void) | undefined;
  const turns = {
    now: () => {
      clock += 1000;
      return clock;
    },
    later: (run: () => void) => {
      slices += 1;
      next = run;
    },
  };
  const matching = new Matching(source, turns, () => {
    results += 1;
  });
  const run = (): void => {
    while (next !== undefined) {
      const now = next;
      next = undefined;
      now();
    }
  };
  matching.setTest(({ id }) => id <= 3);
  run();
  expect([slices, results]).toEqual([2, 1]);
  matching.setTest(({ bytes }) => bytes === 0);
  expect(matching.isRunning).toBe(true);
  expect(matching.rows.map(({ id }) => id)).toEqual([1, 2, 3]);
  source.change(1);
  source.change(5);
  source.change(500);
  source.forget(1);
  source.add(10);
  expect(matching.rows.map(({ id }) => id)).toEqual([2, 3]);
  run();
  expect([matching.isRunning, slices, results]).toEqual([false, 4, 2]);
  expect(matching.rows.map(({ id }) => id)).toEqual(
    source.rows.filter(({ bytes }) => bytes === 0).map(({ id }) => id),
  );
});

it.each([
  [0, 0],
  [3, 0],
  [4, 1],
  [7, 2],
  [9, 3],
])('positionOf finds the first row from id %i on at %i', (id, position) => {
  const rows = [3, 5, 7].map((one) => ({ id: one }) as Exchange);
  expect(positionOf(rows, id)).toBe(position);
});
