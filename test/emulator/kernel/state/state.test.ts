import { describe, expect, it } from 'vitest';
import { BrokenReferenceError, TakenError } from '../../../../src/emulator/kernel/state/state-error.ts';
import { justListening } from '../../../helpers/just-listening.ts';
import { beginning, townState } from './towns.ts';

const town = (id: string, inn = false) => ({ id, name: `town ${id}`, inn });
const person = (id: string, home: string, more: { guest?: string | null; seen?: string[] } = {}) => ({
  id,
  town: home,
  guest: null,
  seen: [],
  ...more,
});

/** A state with two more towns, of which 2 has an inn, and somebody in each. */
function inhabited() {
  const made = townState();
  made.state.transaction(({ towns, people }) => {
    towns.insert(town('2', true));
    towns.insert(town('3'));
    people.insert(person('12', '1', { guest: '2', seen: ['1', '3'] }));
    people.insert(person('7', '1'));
    people.insert(person('30', '3'));
  });
  const told: string[] = [];
  made.state.subscribe(({ events }) => {
    for (const event of events) {
      const row = event.kind === 'removed' ? event.before : event.after;
      const id = typeof row === 'object' && 'id' in row ? ` ${row.id}` : '';
      told.push(`${event.table}${id} ${event.kind}`);
    }
  }, justListening);
  return { ...made, told: () => told.splice(0) };
}

describe('a table', () => {
  it('finds rows by key, by index and in their order', () => {
    const { state } = inhabited();
    const { towns, people } = state.tables;
    expect(towns.size).toBe(3);
    expect([...towns].map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(towns.get('2')?.inn).toBe(true);
    expect(towns.get('4')).toBeUndefined();
    // This one is kept by key as a number, not by when somebody came.
    expect([...people.by('town', '1')].map(({ id }) => id)).toEqual(['7', '12']);
    expect(people.by('town', '1').last(1)).toMatchObject([{ id: '12' }]);
    expect([...people.by('seen', '3')]).toMatchObject([{ id: '12' }]);
    expect(people.by('town', '9').size).toBe(0);
    expect(() => people.by('id', '7')).toThrow(/no index of id/);
  });

  it('preserves the position of a row that is put again, unless the row is put last', () => {
    const { state } = inhabited();
    state.transaction(({ towns }) => towns.put(town('2')));
    expect([...state.tables.towns].map(({ id }) => id)).toEqual(['1', '2', '3']);
    state.transaction(({ towns }) => towns.putLast(town('1')));
    expect([...state.tables.towns].map(({ id }) => id)).toEqual(['2', '3', '1']);
  });

  it('supports a key of several fields', () => {
    const { state } = inhabited();
    state.transaction(({ letters }) => letters.insert({ from: '7', to: '12', text: 'come' }));
    expect(state.tables.letters.get('7', '12')?.text).toBe('come');
    expect(state.tables.letters.has('12', '7')).toBe(false);
  });

  it('refuses a duplicate key, a duplicate unique value and a change of the key', () => {
    const { state } = inhabited();
    const before = state.snapshot();
    expect(() => state.transaction(({ towns }) => towns.insert(town('2')))).toThrow(TakenError);
    expect(() => state.transaction(({ towns }) => towns.insert({ ...town('9'), name: 'Ash' }))).toThrow(
      TakenError,
    );
    expect(() => state.transaction(({ towns }) => towns.update('2', { name: 'Ash' }))).toThrow(TakenError);
    expect(() => state.transaction(({ towns }) => towns.update('2', { id: '9' }))).toThrow(/cannot change/);
    expect(() => state.transaction(({ towns }) => towns.update('9', {}))).toThrow(/no row 9/);
    expect(state.snapshot()).toEqual(before);
    // What counts is the end of the transaction.
    state.transaction(({ towns }) => {
      towns.update('2', { name: 'Ash' });
      towns.update('1', { name: 'town 2' });
    });
    expect(state.tables.towns.get('2')?.name).toBe('Ash');
  });
});

describe('a transaction', () => {
  it('emits one event per row, only for rows that differ at the end', () => {
    const { state, told } = inhabited();
    state.transaction(({ towns, people, inspector }) => {
      towns.update('1', { inn: true });
      towns.update('1', { inn: false });
      people.insert(person('99', '2'));
      people.update('99', { seen: ['2'] });
      people.insert(person('98', '2'));
      people.remove('98');
      people.update('7', { town: '2' });
      inspector.set({ at: '2' });
      towns.insert(town('4'));
    });
    expect(told()).toEqual(['towns 4 created', 'people 99 created', 'people 7 updated', 'inspector updated']);
    state.transaction(({ towns }) => towns.update('1', { inn: false }));
    state.transaction(() => {});
    expect(told()).toEqual([]);
  });

  it('emits the removal of a row after that of its contents', () => {
    const { state, told } = inhabited();
    state.transaction(({ towns }) => towns.remove('3'));
    expect(told()).toEqual(['people 12 updated', 'people 30 removed', 'towns 3 removed']);
    expect(state.tables.people.get('12')?.seen).toEqual(['1']);
  });

  it('is undone when it throws, and emits no event', () => {
    const { state, told } = inhabited();
    const before = state.snapshot();
    expect(() =>
      state.transaction(({ towns, capital, people }) => {
        towns.insert(town('4'));
        capital.set('4');
        towns.remove('1');
        people.putLast(person('12', '3'));
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(state.snapshot()).toEqual(before);
    expect([...state.tables.people.by('town', '1')].map(({ id }) => id)).toEqual(['7', '12']);
    expect(told()).toEqual([]);
  });

  it('within another transaction is undone alone', () => {
    const { state, told } = inhabited();
    state.transaction(({ towns }) => {
      towns.insert(town('4'));
      const inner = () =>
        state.transaction((tables) => {
          tables.towns.remove('4');
          tables.towns.insert(town('5'));
          throw new Error('no');
        });
      expect(inner).toThrow('no');
      state.transaction((tables) => tables.towns.insert(town('6')));
    });
    expect(told()).toEqual(['towns 4 created', 'towns 6 created']);
  });

  it('cannot be asynchronous, and tables cannot be changed outside of a transaction', () => {
    const { state } = inhabited();
    const before = state.snapshot();
    let kept: { insert(row: ReturnType<typeof town>): unknown } | undefined;
    state.transaction(({ towns }) => {
      kept = towns;
    });
    expect(() => kept?.insert(town('4'))).toThrow(/only be changed in a transaction/);
    const waiting = () =>
      state.transaction(async ({ towns }) => {
        towns.insert(town('4'));
      });
    expect(waiting).toThrow(/cannot wait/);
    expect(state.snapshot()).toEqual(before);
  });

  it('of a listener is emitted after the events that are already queued', () => {
    const { state, told, failures } = inhabited();
    const seen: string[] = [];
    state.subscribe(({ events }) => {
      for (const event of events) {
        if (event.table !== 'towns' || event.kind !== 'created') continue;
        seen.push(`${event.after.id} of ${state.tables.towns.size}`);
        if (event.after.id === '4') state.transaction(({ towns }) => towns.insert(town('6')));
      }
      throw new Error('a defect');
    }, justListening);
    state.transaction(({ towns }) => {
      towns.insert(town('4'));
      towns.insert(town('5'));
    });
    // Of the first, the second row sees the state of the third, and is told before it all the same.
    expect(seen).toEqual(['4 of 5', '5 of 6', '6 of 6']);
    expect(told()).toEqual(['towns 4 created', 'towns 5 created', 'towns 6 created']);
    expect(failures).toEqual(['a test: Error: a defect', 'a test: Error: a defect']);
  });

  it('is emitted as one numbered unit, with every row before and after', () => {
    const { state } = inhabited();
    const heard: unknown[] = [];
    const end = state.subscribe((transaction) => heard.push(transaction), justListening);
    state.transaction(({ towns, people }) => {
      towns.insert(town('4'));
      people.update('7', { town: '4' });
      people.remove('12');
    });
    state.transaction(() => {});
    state.transaction(({ towns }) => towns.update('4', { inn: true }));
    expect(heard).toEqual([
      {
        number: 3,
        events: [
          { kind: 'created', table: 'towns', after: town('4') },
          { kind: 'updated', table: 'people', before: person('7', '1'), after: person('7', '4') },
          { kind: 'removed', table: 'people', before: person('12', '1', { guest: '2', seen: ['1', '3'] }) },
        ],
      },
      { number: 4, events: [{ kind: 'updated', table: 'towns', before: town('4'), after: town('4', true) }] },
    ]);
    end();
    state.transaction(({ towns }) => towns.remove('3'));
    expect(heard).toHaveLength(2);
  });

  it('includes the changes of its rules, which run once or until they add no change', () => {
    // The inspector goes where there is an inn; who has no name is nobody.
    const { state } = townState([
      ({ inspector, towns }, commit) => {
        if (!commit.touches('towns') || inspector.value.at !== null) return;
        for (const { id, inn } of towns) if (inn) return void inspector.update({ at: id });
      },
      ({ towns }, commit) => {
        for (const { id, name } of commit.of('towns').created) if (name === '') towns.remove(id);
      },
    ]);
    const told: string[] = [];
    state.subscribe(
      ({ events }) => told.push(...events.map(({ table, kind }) => `${table} ${kind}`)),
      justListening,
    );
    state.transaction(({ towns }) => {
      towns.insert(town('2', true));
      towns.insert({ id: '3', name: '', inn: false });
    });
    expect(state.tables.inspector.value.at).toBe('2');
    state.transaction(({ towns }) => towns.insert({ id: '3', name: '', inn: false }));
    expect(told).toEqual(['towns created', 'inspector updated']);
    const contrary = townState([
      ({ towns }, commit) => {
        const { inn } = towns.get('1') ?? { inn: false };
        if (commit.touches('people')) towns.update('1', { inn: !inn });
      },
    ]);
    expect(() => contrary.state.transaction(({ people }) => people.insert(person('1', '1')))).toThrow(
      /contradict/,
    );
    expect(contrary.state.snapshot()).toEqual(beginning);
  });
});

describe('a reference', () => {
  it.each<[string, string, (state: ReturnType<typeof townState>['state']) => unknown]>([
    ['to nothing', 'town', (state) => state.transaction(({ people }) => people.insert(person('1', '9')))],
    [
      'in a list to nothing',
      'seen',
      (state) => state.transaction(({ people }) => people.update('7', { seen: ['1', '9'] })),
    ],
    [
      'to what lacks something',
      'guest',
      (state) => state.transaction(({ people }) => people.update('7', { guest: '3' })),
    ],
    ['of a single record', 'at', (state) => state.transaction(({ inspector }) => inspector.set({ at: '3' }))],
    [
      'to what must not go',
      'to',
      (state) => {
        state.transaction(({ letters }) => letters.insert({ from: '7', to: '30', text: 'x' }));
        state.transaction(({ people }) => people.remove('30'));
      },
    ],
  ])('%s is refused', (_, field, change) => {
    const { state } = inhabited();
    const before = [...state.tables.people];
    let error: unknown;
    try {
      change(state);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(BrokenReferenceError);
    expect((error as BrokenReferenceError).field).toBe(field);
    expect([...state.tables.people]).toEqual(before);
  });

  it('that is refused may be corrected in the same transaction', () => {
    const { state } = inhabited();
    expect(() => state.transaction(({ towns }) => towns.remove('1'))).toThrow(/capital/);
    state.transaction(({ towns, capital }) => {
      towns.remove('1');
      capital.set('3');
    });
    expect([...state.tables.people].map(({ id }) => id)).toEqual(['30']);
  });

  it('is cleared when its target loses a required property', () => {
    const { state } = inhabited();
    state.transaction(({ inspector }) => inspector.set({ at: '2' }));
    state.transaction(({ towns }) => towns.update('2', { inn: false }));
    expect(state.tables.inspector.value.at).toBeNull();
    expect(state.tables.people.get('12')?.guest).toBeNull();
  });

  it('cascades over several tables: a town, its people, their letters', () => {
    const { state, told } = inhabited();
    state.transaction(({ letters }) => letters.insert({ from: '30', to: '7', text: 'x' }));
    told();
    state.transaction(({ towns }) => towns.remove('3'));
    expect(told()).toEqual(['people 12 updated', 'letters removed', 'people 30 removed', 'towns 3 removed']);
  });

  it('to a row that is removed and added in one transaction stays', () => {
    const { state, told } = inhabited();
    state.transaction(({ towns }) => towns.putLast(town('3')));
    expect(told()).toEqual([]);
    expect(state.tables.people.has('30')).toBe(true);
  });
});

it('a state returns to a snapshot, including the order of rows, and emits each change', () => {
  const { state, told } = inhabited();
  const before = state.snapshot();
  state.transaction(({ towns, people, capital, inspector }) => {
    towns.remove('3');
    towns.putLast({ id: '1', name: 'Ash', inn: false });
    people.update('7', { guest: '2' });
    towns.insert(town('8', true));
    inspector.set({ at: '8' });
    capital.set('2');
  });
  told();
  state.restore(before);
  expect(state.snapshot()).toEqual(before);
  expect(told()).toEqual([
    'towns 3 created',
    'people 30 created',
    'people 12 updated',
    'people 7 updated',
    'capital updated',
    'inspector updated',
    'towns 8 removed',
  ]);
  state.restore(before);
  expect(told()).toEqual([]);
  expect(() => state.restore({ ...before, towns: [town('1'), town('1')] })).toThrow(TakenError);
  expect(() => state.restore({ ...before, towns: [] })).toThrow(BrokenReferenceError);
  expect(state.snapshot()).toEqual(before);
});
