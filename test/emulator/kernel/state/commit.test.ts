import { describe, expect, it } from 'vitest';
import type { Commit } from '../../../../src/emulator/kernel/state/commit.ts';
import { EventQueue } from '../../../../src/emulator/kernel/state/event-queue.ts';
import { State } from '../../../../src/emulator/kernel/state/state.ts';
import type { Tables } from '../../../../src/emulator/kernel/state/tables.ts';
import { justListening } from '../../../helpers/just-listening.ts';
import { beginning, type Kinds, townKinds } from './towns.ts';

const town = (id: string, inn = false) => ({ id, name: `town ${id}`, inn });
const person = (id: string) => ({ id, town: '1', guest: null, seen: [] });

/** A state with the towns 1 to 3, and `read` applied to the commit of each later transaction. */
function observed<T>(read: (commit: Commit<Kinds>) => T) {
  const seen: T[] = [];
  const numbers: number[] = [];
  const state = new State({
    kinds: townKinds,
    eventQueue: new EventQueue(),
    committed: (commit) => void seen.push(read(commit)),
  });
  state.restore({ ...beginning, towns: [...beginning.towns, town('2'), town('3')] });
  state.subscribe(({ number }) => void numbers.push(number), justListening);
  seen.length = 0;
  return { state, seen, numbers };
}

describe('a commit', () => {
  it('has the rows of a table in the order of the table, whatever the order of the changes', () => {
    const { state, seen } = observed((commit) => {
      const { created, updated, removed } = commit.of('towns');
      return [created, updated.map(({ after }) => after), removed].map((rows) => rows.map(({ id }) => id));
    });
    state.transaction(({ towns }) => {
      for (const id of ['4', '5', '6', '7']) towns.insert(town(id));
    });
    state.transaction(({ towns }) => {
      for (const id of ['6', '5']) towns.remove(id);
      for (const id of ['3', '2', '7']) towns.update(id, { inn: true });
      for (const id of ['8', '9', '10']) towns.insert(town(id));
      towns.putLast(town('8'));
    });
    expect(seen[1]).toEqual([
      ['9', '10', '8'],
      ['2', '3', '7'],
      ['5', '6'],
    ]);
  });

  it.each<[what: string, change: (tables: Tables<Kinds>) => unknown]>([
    ['nothing', () => {}],
    [
      'a row that comes and goes in a table with rows',
      ({ towns }) => towns.insert(town('4')) && towns.remove('4'),
    ],
    [
      'a row that comes and goes in an empty table',
      ({ people }) => people.insert(person('1')) && people.remove('1'),
    ],
    [
      'a row that changes and changes back',
      ({ towns }) => [towns.put(town('2', true)), towns.put(town('2'))],
    ],
    ['an equal row', ({ towns }) => towns.put(town('2'))],
    ['an equal single record', ({ inspector }) => inspector.set({ at: null })],
    ['a row that goes and comes again', ({ towns }) => towns.putLast(town('2'))],
  ])('is not made of %s', (_, change) => {
    const { state, seen, numbers } = observed(() => 'seen');
    state.transaction(change);
    expect([seen, numbers]).toEqual([[], []]);
    state.transaction(({ towns }) => towns.insert(town('5')));
    // The restoring at the start was the first.
    expect([seen, numbers]).toEqual([['seen'], [2]]);
  });

  it('has an earlier value of each row, of those that did not change too', () => {
    const { state, seen } = observed((commit) => ({
      towns: ['1', '2', '3', '4', '9'].map((id) => commit.was('towns', id)),
      person: commit.was('people', '1'),
      letter: commit.was('letters', '1 1'),
      capital: commit.was('capital'),
      inspector: commit.was('inspector'),
    }));
    state.transaction(({ towns, people, inspector }) => {
      towns.update('2', { inn: true });
      towns.update('2', { name: 'Elm' });
      towns.remove('3');
      towns.insert(town('4'));
      people.insert(person('1'));
      inspector.set({ at: '2' });
    });
    expect(seen).toEqual([
      {
        towns: [beginning.towns[0], town('2'), town('3'), undefined, undefined],
        person: undefined,
        letter: undefined,
        capital: '1',
        inspector: { at: null },
      },
    ]);
  });

  it('says whether any of some tables changed, and whether rows went or changed outside of others', () => {
    const { state, seen } = observed((commit) => [
      commit.touches('towns'),
      commit.touches('people'),
      commit.touches('towns', 'people'),
      commit.touches('letters', 'capital'),
      commit.takesAway(new Set()),
      commit.takesAway(new Set(['towns'])),
    ]);
    state.transaction(({ towns }) => towns.insert(town('4')));
    state.transaction(({ towns }) => towns.update('4', { inn: true }));
    state.transaction(({ towns, people }) => towns.remove('4') && people.insert(person('1')));
    state.transaction(({ people }) => people.remove('1'));
    const [yes, no] = [true, false];
    expect(seen).toEqual([
      [yes, no, yes, no, no, no],
      [yes, no, yes, no, yes, no],
      [yes, yes, yes, no, yes, no],
      [no, yes, yes, no, yes, yes],
    ]);
  });

  it('has its events in the order of the kinds, with what is removed last and the other way round', () => {
    const { state, seen } = observed((commit) =>
      [...commit.events()].map(({ kind, table }) => `${table} ${kind}`),
    );
    state.transaction(({ people, letters }) => {
      people.insert(person('1'));
      letters.insert({ from: '1', to: '1', text: 'x' });
    });
    state.transaction(({ people, letters, towns, capital }) => {
      capital.set('2');
      people.insert(person('2'));
      towns.insert(town('4'));
      people.update('2', { seen: ['1'] });
      people.remove('1');
      towns.remove('3');
      letters.insert({ from: '2', to: '2', text: 'x' });
    });
    expect(seen).toEqual([
      ['people created', 'letters created'],
      [
        'towns created',
        'people created',
        'letters created',
        'capital updated',
        'letters removed',
        'people removed',
        'towns removed',
      ],
    ]);
  });
});
