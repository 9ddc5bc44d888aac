import { describe, expect, it } from 'vitest';
import { EventQueue } from '../../../../src/emulator/kernel/state/event-queue.ts';
import { defineRecord, type SchemaParts } from '../../../../src/emulator/kernel/state/record.ts';
import { NoRoomError, Room } from '../../../../src/emulator/kernel/state/room.ts';
import { bytesOf } from '../../../../src/emulator/kernel/state/row-bytes.ts';
import { State, type StateOptions } from '../../../../src/emulator/kernel/state/state.ts';
import { justListening } from '../../../helpers/just-listening.ts';

const schema = ({ table, text }: SchemaParts) => table({ id: text(9), text: text(9) });

/** Houses, each with a door of the same key; guests, who are not saved; the log; and the owner. */
const kinds = {
  houses: defineRecord({
    name: 'houses',
    noun: 'house',
    key: ['id'],
    creates: { kind: 'doors', row: ({ id }: { readonly id: string }) => ({ id, text: `door of ${id}` }) },
    schema,
  }),
  doors: defineRecord({
    name: 'doors',
    noun: 'door',
    key: ['id'],
    references: { id: { to: 'houses', onRemoval: 'remove' } },
    schema,
  }),
  guests: defineRecord({ name: 'guests', noun: 'guest', key: ['id'], transient: true, schema }),
  log: defineRecord({ name: 'log', noun: 'entry', key: ['id'], note: true, schema }),
  owner: defineRecord({ name: 'owner', noun: 'owner', singleton: true, schema }),
};
type Kinds = typeof kinds;

const row = (id: string, text = '') => ({ id, text });
const start = { houses: [row('1')], doors: [row('1', 'first door')], log: [], owner: row('o') };

function village(options: Partial<StateOptions<Kinds>> = {}) {
  const state = new State({ kinds, eventQueue: new EventQueue(), ...options });
  state.restore(start);
  return state;
}

describe('a row that exists with every row of a kind', () => {
  it('is created with it, unless the transaction creates it', () => {
    const state = village();
    state.transaction(({ houses, doors }) => {
      houses.insert(row('2'));
      houses.insert(row('3'));
      doors.insert(row('3', 'blue door'));
    });
    expect([...state.tables.doors]).toEqual([
      row('1', 'first door'),
      row('3', 'blue door'),
      row('2', 'door of 2'),
    ]);
  });

  it('is created again when it is removed alone, and goes with its row', () => {
    const state = village();
    state.transaction(({ doors }) => doors.remove('1'));
    expect([...state.tables.doors]).toEqual([row('1', 'door of 1')]);
    state.transaction(({ houses }) => houses.remove('1'));
    expect([...state.tables.doors]).toEqual([]);
  });
});

describe('a state', () => {
  it('is saved and restored without the rows that last only as long as a connection', () => {
    const state = village();
    state.transaction(({ guests, log }) => [guests.insert(row('g')), log.insert(row('l'))]);
    expect(state.snapshot()).toEqual({ ...start, log: [row('l')] });
    state.restore(start);
    expect([...state.tables.guests]).toEqual([row('g')]);
    expect(state.snapshot()).toEqual(start);
    // Only what was saved is counted beside what is in force.
    const room = new Room();
    const counted = village({ room });
    counted.retain({ ...start, houses: [row('1'), row('9', 'x')] });
    expect(room.aside).toBe(bytesOf(row('1')) + bytesOf(row('9', 'x')));
    counted.retain(counted.snapshot());
    expect(room.aside).toBe(0);
  });

  it('gives a transaction the result of its change, and numbers only those that change something', () => {
    const committed: string[] = [];
    const state = village({ committed: () => void committed.push('committed') });
    const numbers: number[] = [];
    state.subscribe(({ number }) => {
      committed.push('emitted');
      numbers.push(number);
    }, justListening);
    expect(state.transaction(({ log }) => log.insert(row('a')).id)).toBe('a');
    expect(state.transaction(() => 'nothing')).toBe('nothing');
    expect(state.transaction(() => state.transaction(({ log }) => log.insert(row('b')).id))).toBe('b');
    expect(numbers).toEqual([2, 3]);
    expect(committed).toEqual(['committed', 'committed', 'emitted', 'committed', 'emitted']);
  });

  it('applies its rules until none changes anything, and refuses rules that never end', () => {
    const counting = village({
      rules: [
        ({ owner }, _, restoring) => {
          if (!restoring && owner.value.text.length < 50) owner.update({ text: `${owner.value.text}x` });
        },
      ],
    });
    expect(counting.tables.owner.value.text).toBe('');
    counting.transaction(({ log }) => log.insert(row('a')));
    expect(counting.tables.owner.value.text).toBe('x'.repeat(50));
    const endless = village({
      rules: [
        ({ owner }, _, restoring) => {
          if (!restoring) owner.update({ text: `${owner.value.text}x` });
        },
      ],
    });
    expect(() => endless.transaction(({ log }) => log.insert(row('a')))).toThrow(
      'the rules of the state contradict each other',
    );
    expect(endless.snapshot()).toEqual(start);
  });

  it('leaves the count of removed rows as it was when a transaction is undone', () => {
    const room = new Room();
    const state = village({ room });
    const before = room.use;
    expect(() =>
      state.transaction(({ houses }) => {
        houses.remove('1');
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(room.use).toEqual(before);
  });
});

describe('memory for a state', () => {
  const KIB = 1024;
  const large = (id: string, kib: number) => row(id, 'x'.repeat(kib * KIB));

  /** A state with about 50 KiB of houses in a room for 60 KiB. */
  function full() {
    const room = new Room({ soft: 60 * KIB, hard: 60 * KIB, whole: 90 * KIB });
    const state = village({ room });
    state.transaction(({ houses }) => houses.insert(large('2', 50)));
    return { state, room };
  }

  it('is needed by every transaction but those within an exemption, which ends with it', () => {
    const { state } = full();
    const add = (id: string) => state.transaction(({ houses }) => houses.insert(large(id, 20)).id);
    expect(() => add('3')).toThrow(NoRoomError);
    expect(() => state.clearing(() => add('3'))).toThrow(NoRoomError);
    expect(state.always(() => add('3'))).toBe('3');
    expect(() => add('4')).toThrow(NoRoomError);
    const failing = () =>
      state.always(() => {
        throw new Error('no');
      });
    expect(failing).toThrow('no');
    expect(() => add('4')).toThrow(NoRoomError);
  });

  it('is granted a little beyond the limit for a removal, and the log of it is left out beyond that', () => {
    const { state, room } = full();
    state.always(() => state.transaction(({ houses }) => houses.insert(large('3', 10))));
    const remove = (id: string, kib: number) =>
      state.transaction(({ houses, log }) => {
        houses.remove(id);
        log.insert(large(id, kib));
      });
    expect(() => remove('1', 5)).toThrow(NoRoomError);
    const result = state.clearing(() => remove('1', 5));
    expect(result).toBeUndefined();
    expect([state.tables.houses.has('1'), state.tables.log.has('1')]).toEqual([false, true]);
    const { used } = room;
    state.clearing(() => remove('3', 30));
    expect([state.tables.houses.has('3'), state.tables.log.has('3')]).toEqual([false, false]);
    expect(room.used).toBeLessThan(used);
    // The exemption has ended.
    expect(() => remove('2', 70)).toThrow(NoRoomError);
  });

  it('is granted a little for a change too, whose log is left out', () => {
    const { state, room } = full();
    state.always(() => state.transaction(({ houses }) => houses.insert(large('3', 12))));
    const { used } = room;
    expect(used).toBeGreaterThan(room.limits.hard);
    state.clearing(() =>
      state.transaction(({ houses, log }) => {
        houses.put(large('3', 13));
        log.insert(large('3', 30));
      }),
    );
    expect([room.used - used, state.tables.log.has('3')]).toEqual([KIB, false]);
  });

  it('for a restored state may go to the whole, and not beyond', () => {
    const { state } = full();
    state.restore({ ...start, houses: [row('1'), large('2', 80)] });
    expect(state.tables.houses.size).toBe(2);
    expect(() => state.restore({ ...start, houses: [row('1'), large('2', 95)] })).toThrow(NoRoomError);
    expect(state.tables.houses.get('2')?.text.length).toBe(80 * KIB);
    // A smaller one may follow, although it is too large as well.
    state.restore({ ...start, houses: [row('1'), large('2', 70)] });
  });
});
