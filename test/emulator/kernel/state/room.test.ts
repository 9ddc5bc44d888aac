import { expect, it } from 'vitest';
import { EventQueue } from '../../../../src/emulator/kernel/state/event-queue.ts';
import { defineRecord, type SchemaParts } from '../../../../src/emulator/kernel/state/record.ts';
import { NoRoomError, Room } from '../../../../src/emulator/kernel/state/room.ts';
import { bytesOf } from '../../../../src/emulator/kernel/state/row-bytes.ts';
import { State } from '../../../../src/emulator/kernel/state/state.ts';
import { justListening } from '../../../helpers/just-listening.ts';
import { townState } from './towns.ts';

const KIB = 1024;
const named = (id: string, letters: number) => ({ id, name: id.repeat(letters), inn: false });

it('a transaction without enough room changes nothing, and a removal makes room', () => {
  const room = new Room({ soft: 8 * KIB, hard: 10 * KIB, whole: 100 * KIB });
  const { state } = townState([], room);
  state.transaction(({ towns }) => towns.insert(named('2', 6 * KIB)));
  const before = [state.snapshot(), room.used];
  const add = () => state.transaction(({ towns }) => void towns.insert(named('3', 6 * KIB)));
  expect(add).toThrow(NoRoomError);
  expect(() => state.transaction(({ towns }) => towns.update('1', { name: 'b'.repeat(6 * KIB) }))).toThrow(
    /has memory for/,
  );
  expect([state.snapshot(), room.used]).toEqual(before);
  state.transaction(({ towns }) => towns.update('2', { name: 'short' }));
  add();
  state.transaction(({ towns }) => towns.remove('3'));
  state.transaction(({ towns }) => towns.remove('2'));
  const { used } = room;
  expect(used).toBeLessThan(2 * KIB);
  add();
  state.transaction(({ towns }) => towns.remove('3'));
  expect(room.used).toBe(used);
});

it('changes by the state itself or by a listener are not refused for lack of room', () => {
  const room = new Room({ soft: 2 * KIB, hard: 3 * KIB, whole: 100 * KIB });
  const { state, failures } = townState([], room);
  state.always(() => state.transaction(({ towns }) => towns.insert(named('2', 6 * KIB))));
  state.subscribe(({ events }) => {
    if (events.some(({ kind, table }) => table === 'towns' && kind === 'removed')) {
      state.transaction(({ towns }) => towns.insert(named('4', 10 * KIB)));
    }
  }, justListening);
  expect(() => state.transaction(({ towns }) => towns.insert(named('3', 10)))).toThrow(NoRoomError);
  expect(() => room.need()).toThrow(NoRoomError);
  state.transaction(({ towns }) => towns.remove('2'));
  expect([...state.tables.towns].map(({ id }) => id)).toEqual(['1', '4']);
  expect(failures).toEqual([]);
});

it('borrowed room is returned when rows need it', () => {
  const room = new Room({ soft: 8 * KIB, hard: 10 * KIB, whole: 100 * KIB });
  const { state } = townState([], room);
  let asked = 0;
  room.onShort(() => {
    asked += 1;
    room.giveBack(5 * KIB);
  });
  expect([room.borrow(20 * KIB), room.borrow(5 * KIB)]).toEqual([false, true]);
  state.transaction(({ towns }) => towns.insert(named('2', KIB)));
  expect(asked).toBe(0);
  state.transaction(({ towns }) => towns.insert(named('3', 3 * KIB)));
  expect(asked).toBe(1);
  expect(room.free).toBeLessThan(4 * KIB);
});

it('the size of a value grows with its content, and doubles for text beyond Latin-1', () => {
  expect(bytesOf('a'.repeat(1000))).toBeLessThan(1100);
  expect(bytesOf('€'.repeat(1000))).toBeGreaterThan(2000);
  expect(bytesOf({ a: ['b'.repeat(100), { c: 1 }] })).toBeGreaterThan(bytesOf({ a: ['b'.repeat(100)] }));
  expect(bytesOf(null)).toBeLessThan(16);
});

it('a stored snapshot counts only while it differs from the state, and a shared row counts once', () => {
  const room = new Room({ soft: 20 * KIB, hard: 20 * KIB, whole: 22 * KIB });
  const { state } = townState([], room);
  state.transaction(({ towns }) => towns.insert(named('2', 6 * KIB)));
  const home = state.snapshot();
  state.retain(home);
  expect(room.aside).toBe(0);
  const { used } = room;
  state.transaction(({ towns }) => towns.update('2', { name: 'b'.repeat(6 * KIB) }));
  expect([room.used, room.aside]).toEqual([used, bytesOf(named('2', 6 * KIB))]);
  const add = (id: string) => () => state.transaction(({ towns }) => void towns.insert(named(id, 6 * KIB)));
  add('3')();
  expect(add('4')).toThrow(/has memory for/);
  // Another row that is equal: the one that is kept takes its place.
  state.transaction(({ towns }) => towns.update('2', { ...named('2', 6 * KIB) }));
  expect(room.aside).toBeGreaterThan(0);
  state.restore(home);
  expect([room.used, room.aside]).toEqual([used, 0]);
  expect(state.tables.towns.get('2')).toBe(home.towns.find(({ id }) => id === '2'));
});

/** A state of things, and of notes of what was done to them. */
function notedState(room: Room) {
  const schema = ({ table, text }: SchemaParts) => table({ id: text(9), text: text(9) });
  const kinds = {
    things: defineRecord({ name: 'things', noun: 'thing', key: ['id'], schema }),
    notes: defineRecord({ name: 'notes', noun: 'note', key: ['id'], note: true, schema }),
  };
  const state = new State({ kinds, room, eventQueue: new EventQueue() });
  state.restore({ things: [], notes: [{ id: 'old', text: 'x' }] });
  return state;
}
const row = (id: string, bytes: number) => ({ id, text: 'x'.repeat(bytes) });

it('a removal adds little beyond the limit, and loses its note above the ceiling', () => {
  const room = new Room({ soft: 100 * KIB, hard: 100 * KIB, whole: 160 * KIB });
  const state = notedState(room);
  state.transaction(({ things }) => {
    things.insert(row('large', 65 * KIB));
    for (let n = 0; n < 20; n += 1) things.insert(row(`${n}`, KIB));
  });
  /** Replaces a thing by others; beside it stands a note of so many bytes. */
  const replace = (id: string, add: number, note: number) =>
    state.clearing(() =>
      state.transaction(({ things, notes }) => {
        things.remove(id);
        if (add > 0) things.insert(row(`${id}+`, add));
        notes.insert(row(id, note));
      }),
    );
  const { used } = room;
  expect(used).toBeLessThan(100 * KIB);
  expect(() => replace('0', 40 * KIB, 10)).toThrow(NoRoomError);
  expect([room.used, state.tables.notes.has('0')]).toEqual([used, false]);
  // Without the note it fits.
  replace('0', 0, 40 * KIB);
  expect([state.tables.things.has('0'), state.tables.notes.has('0')]).toEqual([false, false]);
  for (let n = 1; n < 10; n += 1) replace(`${n}`, 0, 6 * KIB);
  expect(room.used).toBeGreaterThan(110 * KIB);
  expect(room.used).toBeLessThan(120 * KIB + 8 * KIB);
  for (let n = 10; n < 20; n += 1) replace(`${n}`, 0, 6 * KIB);
  expect(room.used).toBeLessThan(120 * KIB);
  expect([...state.tables.things].map(({ id }) => id)).toEqual(['large']);
  // An old note that goes is nothing that somebody takes away.
  Object.assign(room, { limits: { soft: 1, hard: 1, whole: 1000 * KIB } });
  const add = () =>
    state.clearing(() =>
      state.transaction(({ things, notes }) => {
        notes.remove('old');
        things.insert(row('more', 100));
      }),
    );
  expect(add).toThrow(NoRoomError);
});

it('the holder of removed rows must release them when room runs out', () => {
  const room = new Room({ soft: 90 * KIB, hard: 90 * KIB, whole: 110 * KIB });
  const { state } = townState([], room);
  const asked: string[] = [];
  const begin = (name: string) => {
    const holding = room.hold(() => {
      asked.push(name);
      room.release(holding);
    });
    holding.share(room.used);
  };
  const fill = (ids: readonly string[]) =>
    state.transaction(({ towns }) => {
      for (const { id } of [...towns]) if (id !== '1') towns.remove(id);
      for (const id of ids) towns.insert(named(id, 20 * KIB));
    });
  fill(['2', '3']);
  begin('first');
  fill(['4', '5']);
  expect(asked).toEqual([]);
  begin('second');
  fill(['6', '7', '8']);
  expect(asked).toEqual(['first']);
  expect(room.available).toBeGreaterThan(30 * KIB);
});
