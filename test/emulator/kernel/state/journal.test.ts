import { describe, expect, it } from 'vitest';
import { Journal, type Journaled, type RowPosition } from '../../../../src/emulator/kernel/state/journal.ts';

/** A table of so many rows that writes down what is put back. */
function table(name: string, size: number) {
  const restored: unknown[] = [];
  const of: Journaled = {
    name,
    size,
    putBack: (key, before) => void restored.push([name, key, before?.row]),
  };
  return { of, restored };
}
const at = (row: string): RowPosition => ({ row, rank: 0 });

describe('a journal', () => {
  it('takes changes between its opening and its closing', () => {
    const journal = new Journal();
    const { of } = table('towns', 1);
    expect([journal.isOpen, journal.length]).toEqual([false, 0]);
    expect(() => journal.note(of, 'a', undefined)).toThrow('towns can only be changed in a transaction');
    journal.open();
    journal.note(of, 'a', undefined);
    expect([journal.isOpen, journal.length]).toEqual([true, 1]);
    journal.close();
    expect([journal.isOpen, journal.length]).toEqual([false, 0]);
    expect(() => journal.note(of, 'a', undefined)).toThrow(/only be changed/);
  });

  it('undoes the last changes first, down to a length', () => {
    const journal = new Journal();
    const { of, restored } = table('towns', 1);
    journal.takeBack(0);
    journal.open();
    for (const key of ['a', 'b', 'c']) journal.note(of, key, at(`old ${key}`));
    journal.note(of, 'a', undefined);
    journal.takeBack(4);
    expect(restored).toEqual([]);
    journal.takeBack(2);
    expect(restored).toEqual([
      ['towns', 'a', undefined],
      ['towns', 'c', 'old c'],
    ]);
    expect(journal.length).toBe(2);
    journal.takeBack(0);
    expect(restored.slice(2)).toEqual([
      ['towns', 'b', 'old b'],
      ['towns', 'a', 'old a'],
    ]);
  });

  it('has the first earlier value of each key, by table', () => {
    const journal = new Journal();
    const [towns, people, empty] = [table('towns', 2).of, table('people', 1).of, table('letters', 0).of];
    journal.open();
    journal.note(towns, 'a', at('first'));
    journal.note(people, 'a', undefined);
    journal.note(towns, 'b', undefined);
    journal.note(towns, 'a', at('second'));
    journal.note(towns, 'b', at('third'));
    journal.note(empty, 'a', undefined);
    expect(journal.touched()).toEqual(
      new Map<Journaled, unknown>([
        [
          towns,
          new Map([
            ['a', at('first')],
            ['b', undefined],
          ]),
        ],
        [people, new Map([['a', undefined]])],
        [empty, 'was-empty'],
      ]),
    );
  });

  it('remembers that a table was empty, although it has rows by the second change', () => {
    const journal = new Journal();
    const letters = { name: 'letters', size: 0, putBack() {} };
    journal.open();
    journal.note(letters, 'a', undefined);
    letters.size = 1;
    journal.note(letters, 'b', undefined);
    expect(journal.touched()).toEqual(new Map([[letters, 'was-empty']]));
    journal.close();
    journal.open();
    expect(journal.touched()).toEqual(new Map());
    journal.note(letters, 'b', at('x'));
    expect(journal.touched()).toEqual(new Map([[letters, new Map([['b', at('x')]])]]));
  });
});
