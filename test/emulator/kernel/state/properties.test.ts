import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RowEvent } from '../../../../src/emulator/kernel/state/commit.ts';
import { StateError } from '../../../../src/emulator/kernel/state/state-error.ts';
import type { Snapshot, Tables } from '../../../../src/emulator/kernel/state/tables.ts';
import { justListening } from '../../../helpers/just-listening.ts';
import { expectEqual } from '../../../helpers/same.ts';
import { type Kinds, townState } from './towns.ts';

// A naive model beside the state: plain lists, every rule of the declarations applied by looking at everything.

type World = Snapshot<Kinds>;
type Town = World['towns'][number];
type Person = World['people'][number];

const id = fc.constantFrom('1', '2', '3', '10', '20', '100');
/** Mostly what is there in the beginning, so that not every transaction is refused. */
const likely = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('1', '2', '3') },
  { weight: 1, arbitrary: id },
);
const town = fc.record({
  id,
  name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'),
  inn: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.boolean() }),
});
const person = fc.record({
  id,
  town: likely,
  guest: fc.option(likely, { freq: 1 }),
  seen: fc.array(likely, { maxLength: 3 }),
});
const letter = fc.record({ from: likely, to: likely, text: fc.constantFrom('x', 'y') });

/** One change of a table, as the state and the model are told. */
const step = fc.oneof(
  fc.record({ on: fc.constant('towns' as const), how: fc.constantFrom('put', 'putLast'), row: town }),
  fc.record({ on: fc.constant('people' as const), how: fc.constantFrom('put', 'putLast'), row: person }),
  fc.record({ on: fc.constant('letters' as const), how: fc.constantFrom('put', 'putLast'), row: letter }),
  fc.record({
    on: fc.constantFrom('towns' as const, 'people' as const),
    how: fc.constant('remove'),
    key: id,
  }),
  fc.record({ on: fc.constant('capital' as const), value: likely }),
  fc.record({ on: fc.constant('inspector' as const), value: fc.option(likely) }),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

const transactions = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 16,
  size: 'max',
});

const keyOf = (row: object): string =>
  'id' in row ? String(row.id) : Object.values(row).slice(0, 2).join(' ');

function applyToState(tables: Tables<Kinds>, one: Step): void {
  if (one.on === 'capital') tables.capital.set(one.value);
  else if (one.on === 'inspector') tables.inspector.set({ at: one.value });
  else if ('key' in one) tables[one.on].remove(one.key);
  else (tables[one.on] as unknown as { [how: string]: (row: object) => void })[one.how]?.(one.row);
}

/** What the transaction makes of the model; undefined when it is refused. */
function applyToModel(world: World, steps: readonly Step[]): World | undefined {
  const next = structuredClone(world) as { -readonly [K in keyof World]: World[K] };
  for (const one of steps) {
    if (one.on === 'capital') next.capital = one.value;
    else if (one.on === 'inspector') next.inspector = { at: one.value };
    else {
      const rows: readonly object[] = next[one.on];
      const key = 'key' in one ? one.key : keyOf(one.row);
      const others = rows.filter((row) => keyOf(row) !== key);
      const inPlace = 'row' in one && one.how === 'put' && others.length < rows.length;
      const changed = inPlace
        ? rows.map((row) => (keyOf(row) === key ? one.row : row))
        : 'row' in one
          ? [...others, one.row]
          : others;
      Object.assign(next, { [one.on]: changed });
    }
  }
  const names = new Set(next.towns.map(({ name }) => name));
  return names.size < next.towns.length ? undefined : follow(world, next);
}

/** Lets go of what is gone until nothing changes, then looks for what refers to nothing. */
function follow(before: World, after: { -readonly [K in keyof World]: World[K] }): World | undefined {
  for (;;) {
    const had = (key: string, rows: readonly object[]) => rows.some((row) => keyOf(row) === key);
    const goneTown = (key: string) => had(key, before.towns) && !had(key, after.towns);
    const gonePerson = (key: string) => had(key, before.people) && !had(key, after.people);
    const inn = (key: string, towns: readonly Town[]) => towns.find((one) => one.id === key)?.inn;
    const lost = (key: string) =>
      goneTown(key) || (inn(key, before.towns) === true && inn(key, after.towns) === false);
    const people = after.people
      .filter((one) => !goneTown(one.town))
      .map((one) => ({
        ...one,
        guest: one.guest !== null && lost(one.guest) ? null : one.guest,
        seen: one.seen.filter((key) => !goneTown(key)),
      }));
    const letters = after.letters.filter(({ from }) => !gonePerson(from));
    const { at } = after.inspector;
    const inspector = at !== null && lost(at) ? { at: null } : after.inspector;
    const next = { ...after, people, letters, inspector };
    if (isDeepStrictEqual(next, after)) break;
    Object.assign(after, next);
  }
  const towns = new Map(after.towns.map((one) => [one.id, one]));
  const people = new Set(after.people.map((one) => one.id));
  const fits = (one: Person): boolean =>
    towns.has(one.town) &&
    (one.guest === null || towns.get(one.guest)?.inn === true) &&
    one.seen.every((key) => towns.has(key));
  const right =
    towns.has(after.capital) &&
    (after.inspector.at === null || towns.get(after.inspector.at)?.inn === true) &&
    after.people.every(fits) &&
    after.letters.every(({ from, to }) => people.has(from) && people.has(to));
  return right ? after : undefined;
}

/** Three towns with inns and somebody in each, for the changes to work on. */
function settle({ state }: ReturnType<typeof townState>): void {
  state.transaction(({ towns, people }) => {
    for (const [index, name] of ['a', 'b', 'c'].entries()) {
      const key = String(index + 1);
      towns.put({ id: key, name, inn: true });
      people.insert({ id: key, town: key, guest: null, seen: [] });
    }
  });
}

/** Every index against a look at all rows. */
function checkIndexes({ state }: ReturnType<typeof townState>): void {
  const { towns, people, letters } = state.tables;
  for (const key of ['1', '2', '3', '10', '20', '100']) {
    const all = [...people];
    const sorted = all.filter((one) => one.town === key).sort((a, b) => Number(a.id) - Number(b.id));
    expectEqual([...people.by('town', key)], sorted);
    expectEqual(people.by('town', key).last(2), sorted.slice(-2));
    expectEqual(
      [...people.by('guest', key)],
      all.filter((one) => one.guest === key),
    );
    expectEqual(
      [...people.by('seen', key)],
      all.filter((one) => one.seen.includes(key)),
    );
    expectEqual(
      [...letters.by('to', key)],
      [...letters].filter((one) => one.to === key),
    );
    expectEqual(
      towns.get(key),
      [...towns].find((one) => one.id === key),
    );
  }
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    expectEqual(
      [...towns.by('name', name)],
      [...towns].filter((one) => one.name === name),
    );
  }
}

/** What a listener that heard every event knows. */
function heard(known: Map<string, unknown>, event: RowEvent<Kinds>): void {
  const row = event.kind === 'removed' ? event.before : event.after;
  const key = `${event.table} ${typeof row === 'object' && event.table !== 'inspector' ? keyOf(row) : ''}`;
  expectEqual(known.has(key), event.kind !== 'created');
  if (event.kind !== 'created') expectEqual(known.get(key), event.before);
  if (event.kind === 'removed') known.delete(key);
  else known.set(key, event.after);
}

function asKnown(world: World): Map<string, unknown> {
  const known = new Map<string, unknown>([
    ['capital ', world.capital],
    ['inspector ', world.inspector],
  ]);
  for (const table of ['towns', 'people', 'letters'] as const) {
    for (const row of world[table]) known.set(`${table} ${keyOf(row)}`, row);
  }
  return known;
}

it('random transactions agree with a naive model in rows, order, indexes and events', () => {
  let kept = 0;
  let refused = 0;
  fc.assert(
    fc.property(transactions, (run) => {
      const made = townState();
      const { state } = made;
      settle(made);
      let model = state.snapshot();
      const known = asKnown(model);
      state.subscribe(({ events }) => {
        for (const event of events) heard(known, event);
      }, justListening);
      for (const steps of run) {
        const expected = applyToModel(model, steps);
        const attempt = () =>
          state.transaction((tables) => {
            for (const one of steps) applyToState(tables, one);
          });
        if (expected === undefined) {
          refused += 1;
          expect(attempt).toThrow(StateError);
        } else {
          kept += 1;
          attempt();
          model = expected;
        }
        expectEqual(state.snapshot(), model);
        checkIndexes(made);
        expectEqual(made.failures, []);
        expectEqual(known, asKnown(model));
      }
    }),
    { numRuns: 150 },
  );
  // A model that refuses everything would agree as well.
  expect(kept).toBeGreaterThan(150);
  expect(refused).toBeGreaterThan(150);
});

it('a transaction that fails at its end leaves rows, order and indexes unchanged', () => {
  fc.assert(
    fc.property(transactions, fc.array(step, { maxLength: 8 }), (run, failing) => {
      const made = townState();
      const { state } = made;
      settle(made);
      const apply = (steps: readonly Step[], error?: Error) =>
        state.transaction((tables) => {
          for (const one of steps) applyToState(tables, one);
          if (error) throw error;
        });
      for (const steps of run) {
        try {
          apply(steps);
        } catch {
          // Refused; the property above says which.
        }
      }
      const before = state.snapshot();
      expect(() => apply(failing, new Error('in the end'))).toThrow();
      expectEqual(state.snapshot(), before);
      checkIndexes(made);
    }),
    { numRuns: 100 },
  );
});

it('a state restores any snapshot from any other state', () => {
  fc.assert(
    fc.property(transactions, transactions, (first, second) => {
      const [one, other] = [first, second].map((run) => {
        const made = townState();
        settle(made);
        for (const steps of run) {
          try {
            made.state.transaction((tables) => {
              for (const each of steps) applyToState(tables, each);
            });
          } catch {
            // Refused.
          }
        }
        return made;
      }) as [ReturnType<typeof townState>, ReturnType<typeof townState>];
      const known = asKnown(one.state.snapshot());
      one.state.subscribe(({ events }) => {
        for (const event of events) heard(known, event);
      }, justListening);
      one.state.restore(other.state.snapshot());
      expectEqual(one.state.snapshot(), other.state.snapshot());
      expectEqual(known, asKnown(other.state.snapshot()));
      expectEqual(one.failures, []);
      checkIndexes(one);
    }),
    { numRuns: 100 },
  );
});
