import { describe, expect, it } from 'vitest';
import { Journal } from '../../../../src/emulator/kernel/state/journal.ts';
import { ENTRY_BYTES, Room } from '../../../../src/emulator/kernel/state/room.ts';
import { bytesOf } from '../../../../src/emulator/kernel/state/row-bytes.ts';
import type { IndexOptions } from '../../../../src/emulator/kernel/state/row-index.ts';
import { TakenError } from '../../../../src/emulator/kernel/state/state-error.ts';
import { Table } from '../../../../src/emulator/kernel/state/table.ts';

interface Book {
  readonly shelf: string;
  readonly place: number;
  readonly title: string;
  readonly tags?: readonly string[];
}

const book = (place: number, title = `book ${place}`, more: Partial<Book> = {}): Book => ({
  shelf: 'a',
  place,
  title,
  ...more,
});

/** A table of books by shelf and place, in an open transaction. */
function books(indexes: Readonly<Record<string, IndexOptions>> = {}) {
  const [journal, room] = [new Journal(), new Room()];
  journal.open();
  const options = { name: 'books', key: ['shelf', 'place'], indexes: new Map(Object.entries(indexes)) };
  return { table: new Table<Book>(options, journal, room), journal, room };
}
const places = (rows: Iterable<Book>) => [...rows].map(({ place }) => place);

/** Reason of a refusal, with what it names. */
function taken(refused: () => unknown): unknown {
  try {
    refused();
  } catch (error) {
    if (error instanceof TakenError)
      return {
        message: error.message,
        table: error.table,
        key: error.key,
        field: error.field,
        row: error.row,
      };
    throw error;
  }
  return 'accepted';
}

describe('a table', () => {
  it('has the key fields of a row in their order as its key', () => {
    const { table } = books();
    expect(table.keyOf(book(7))).toBe('a 7');
    table.insert(book(7));
    expect(table.get('a', '7')).toEqual(book(7));
    expect([table.has('a', '7'), table.has('7', 'a'), table.has('a'), table.has()]).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(table.get('b', '7')).toBeUndefined();
    expect(table.rows()).toEqual([book(7)]);
  });

  it('refuses a key twice, and says which', () => {
    const { table } = books();
    table.insert(book(1));
    expect(taken(() => table.insert(book(1, 'other')))).toEqual({
      message: 'books a 1: the key is taken',
      table: 'books',
      key: 'a 1',
      field: undefined,
      row: book(1, 'other'),
    });
    expect(table.rows()).toEqual([book(1)]);
  });

  it.each<[how: string, change: (table: Table<Book>) => unknown, returned: unknown, titles: string[]]>([
    ['put of a known key', (table) => table.put(book(1, 'new')), book(1, 'new'), ['new', 'book 2']],
    ['put of a new key', (table) => table.put(book(3)), book(3), ['book 1', 'book 2', 'book 3']],
    ['putLast of a known key', (table) => table.putLast(book(1, 'new')), book(1, 'new'), ['book 2', 'new']],
    ['putLast of a new key', (table) => table.putLast(book(3)), book(3), ['book 1', 'book 2', 'book 3']],
    ['update', (table) => table.update('a 1', { title: 'new' }), book(1, 'new'), ['new', 'book 2']],
    ['replace', (table) => table.replace(book(1, 'new')), book(1, 'new'), ['new', 'book 2']],
    ['remove', (table) => table.remove('a 1'), true, ['book 2']],
    ['remove of an unknown key', (table) => table.remove('a 3'), false, ['book 1', 'book 2']],
  ])('changes by %s', (_, change, returned, titles) => {
    const { table, journal } = books({ title: {} });
    table.insert(book(1));
    table.insert(book(2));
    const before = table.rows();
    const { length } = journal;
    expect(change(table)).toEqual(returned);
    expect([...table].map(({ title }) => title)).toEqual(titles);
    expect(table.size).toBe(titles.length);
    for (const title of ['book 1', 'book 2', 'book 3', 'new'])
      expect(table.by('title', title).size).toBe(titles.filter((one) => one === title).length);
    journal.takeBack(length);
    expect(table.rows()).toEqual(before);
    expect(table.by('title', 'new').size).toBe(0);
  });

  it.each<[how: string, change: (table: Table<Book>) => unknown, message: string]>([
    ['an update of an unknown row', (table) => table.update('a 9', {}), 'books has no row a 9'],
    ['a replacement of an unknown row', (table) => table.replace(book(9)), 'books has no row a 9'],
    [
      'an update of a key',
      (table) => table.update('a 1', { place: 9 }),
      'the key of a row of books cannot change',
    ],
    [
      'a search in a field without an index',
      (table) => table.by('title', 'x'),
      'books has no index of title',
    ],
  ])('refuses %s', (_, change, message) => {
    const { table } = books();
    table.insert(book(1));
    expect(() => change(table)).toThrow(message);
    expect(table.rows()).toEqual([book(1)]);
  });

  it.each([
    [0, []],
    [2, [3, 4]],
    [4, [1, 2, 3, 4]],
    [9, [1, 2, 3, 4]],
  ])('keeps the last %i of its rows', (count, left) => {
    const { table } = books();
    for (const place of [1, 2, 3, 4]) table.insert(book(place));
    table.keepLast(count);
    expect(places(table)).toEqual(left);
  });

  it('counts its rows and their entries as memory, whatever becomes of them', () => {
    const { table, room, journal } = books({ title: {} });
    const bytes = (...rows: Book[]) => rows.reduce((sum, row) => sum + ENTRY_BYTES + bytesOf(row), 0);
    table.insert(book(1));
    table.insert(book(2));
    expect(room.used).toBe(bytes(book(1), book(2)));
    const { length } = journal;
    table.update('a 1', { title: 'a longer title' });
    expect(room.used).toBe(bytes(book(1, 'a longer title'), book(2)));
    table.remove('a 2');
    expect(room.used).toBe(bytes(book(1, 'a longer title')));
    journal.takeBack(length);
    expect(room.used).toBe(bytes(book(1), book(2)));
  });

  it('has a position for each row, which grows', () => {
    const { table } = books();
    for (const place of [1, 2]) table.insert(book(place));
    const rank = (place: number) => table.positionOf(`a ${place}`)?.rank ?? Number.NaN;
    expect(rank(2)).toBeGreaterThan(rank(1));
    table.putLast(book(1));
    expect(rank(1)).toBeGreaterThan(rank(2));
    expect(table.positionOf('a 2')?.row).toEqual(book(2));
    expect(table.positionOf('a 9')).toBeUndefined();
  });
});

describe('a table that becomes other rows', () => {
  it.each<[what: string, before: number[], after: number[], noted: number]>([
    ['from nothing', [], [3, 1], 2],
    ['to nothing', [1, 2], [], 2],
    ['the same', [1, 2, 3], [1, 2, 3], 0],
    ['with fewer', [1, 2, 3], [1, 3], 1],
    ['with more at the end', [1, 2], [1, 2, 3], 1],
    ['with more in between', [1, 3], [1, 2, 3], 3],
    ['in another order', [1, 2, 3], [3, 1, 2], 4],
  ])('has exactly those, in their order: %s', (_, before, after, noted) => {
    const { table, journal } = books();
    for (const place of before) table.insert(book(place));
    const { length } = journal;
    table.become(after.map((place) => book(place)));
    expect(places(table)).toEqual(after);
    expect(journal.length - length).toBe(noted);
  });

  it('replaces what differs, and takes the object of an equal row without a change', () => {
    const { table, journal, room } = books();
    for (const place of [1, 2, 3]) table.insert(book(place));
    const { used } = room;
    const { length } = journal;
    const wanted = [book(1), book(2, 'new'), table.get('a', '3') as Book];
    table.become(wanted);
    expect(journal.length - length).toBe(1);
    expect(table.rows().map((row, n) => row === wanted[n])).toEqual([true, true, true]);
    expect(room.used).toBe(used + bytesOf(book(2, 'new')) - bytesOf(book(2)));
  });

  it.each([
    ['an empty table', []],
    ['a table with rows', [book(1), book(2)]],
  ])('refuses a key twice in %s', (_, before) => {
    const { table } = books();
    for (const row of before) table.insert(row);
    expect(taken(() => table.become([book(1), book(1, 'other')]))).toMatchObject({
      key: 'a 1',
      table: 'books',
      row: book(1, 'other'),
    });
  });
});

describe('an index', () => {
  const order = (rows: Iterable<Book>) => [...rows].map(({ title }) => title);

  it('has no row of an unknown value, in any order', () => {
    const { table } = books({ title: {} });
    const none = table.by('title', 'nothing');
    expect(none.size).toBe(0);
    const all = [none, none.last(9), none.before('1', 9), none.after('1', 9), none.behind('1')];
    expect(all.flatMap((rows) => [...rows])).toEqual([]);
  });

  it('finds a row by each item of a list, once, and by nothing where there is no value', () => {
    const { table } = books({ tags: {} });
    table.insert(book(1, 'one', { tags: ['red', 'old', 'red'] }));
    table.insert(book(2, 'two', { tags: [] }));
    table.insert(book(3, 'three', { tags: ['old'] }));
    table.insert(book(4, 'four'));
    const found = () => ['red', 'old', 'new', 'undefined', ''].map((tag) => order(table.by('tags', tag)));
    expect(found()).toEqual([['one'], ['one', 'three'], [], [], []]);
    table.update('a 1', { tags: ['new', 'old'] });
    table.update('a 3', { tags: [] });
    table.update('a 4', { tags: ['red'] });
    expect(found()).toEqual([['four'], ['one'], ['one'], [], []]);
    table.remove('a 1');
    expect(found()).toEqual([['four'], [], [], [], []]);
  });

  it('finds a row by a number as text, and by a computed value', () => {
    const { table } = books({
      place: {},
      title: { of: ({ title }: Book) => (title === '' ? null : title.toLowerCase()) },
    });
    table.insert(book(1, 'Elm'));
    table.insert(book(2, ''));
    expect(order(table.by('place', '1'))).toEqual(['Elm']);
    expect(['elm', 'Elm', '', 'null'].map((title) => table.by('title', title).size)).toEqual([1, 0, 0, 0]);
    table.update('a 2', { title: 'ELM' });
    expect(order(table.by('title', 'elm'))).toEqual(['Elm', 'ELM']);
    table.remove('a 1');
    expect(order(table.by('title', 'elm'))).toEqual(['ELM']);
  });

  it('has its rows in the order of insertion, or of their keys as numbers', () => {
    const journal = new Journal();
    journal.open();
    const options = (index: IndexOptions) => ({
      name: 'books',
      key: ['id'],
      indexes: new Map([['of', index]]),
    });
    const rows = ['10', '9', '100', '2'].map((id) => ({ id, of: 'x' }));
    const [inserted, sorted] = [options({}), options({ order: 'key' })].map((each) => {
      const table = new Table<{ id: string; of: string }>(each, journal);
      for (const row of rows) table.insert(row);
      return [...table.by('of', 'x')].map(({ id }) => id);
    });
    expect([inserted, sorted]).toEqual([
      ['10', '9', '100', '2'],
      ['2', '9', '10', '100'],
    ]);
  });

  it('that is unique refuses a second row with a value when it is checked, and no other', () => {
    const { table } = books({ title: { unique: true }, shelf: {}, tags: { unique: true } });
    table.insert(book(1, 'same', { tags: ['x', 'y'] }));
    table.insert(book(2, 'same'));
    table.insert(book(3, 'three', { tags: ['z', 'y'] }));
    table.insert(book(4));
    expect(taken(() => table.checkUnique(book(2, 'same')))).toEqual({
      message: 'books a 2: title is taken',
      table: 'books',
      key: 'a 2',
      field: 'title',
      row: book(2, 'same'),
    });
    expect(taken(() => table.checkUnique(table.get('a', '3') as Book))).toMatchObject({ field: 'tags' });
    expect(taken(() => table.checkUnique(book(4)))).toBe('accepted');
  });
});
