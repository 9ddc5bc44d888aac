import { EventQueue } from '../../../../src/emulator/kernel/state/event-queue.ts';
import { defineRecord, type SchemaParts } from '../../../../src/emulator/kernel/state/record.ts';
import type { Room } from '../../../../src/emulator/kernel/state/room.ts';
import { type Rule, State } from '../../../../src/emulator/kernel/state/state.ts';
import type { Snapshot } from '../../../../src/emulator/kernel/state/tables.ts';

/** A town that has an inn can take guests. */
const withInn = { name: 'an inn', of: ({ inn }: { readonly inn: boolean }) => inn };

const towns = defineRecord({
  name: 'towns',
  noun: 'town',
  key: ['id'],
  indexes: { name: { unique: true } },
  schema: ({ table, text, flag }: SchemaParts) => table({ id: text(9), name: text(9), inn: flag(false) }),
});

/** Goes with its town; forgets its guest town, and those it has seen. */
const people = defineRecord({
  name: 'people',
  noun: 'person',
  key: ['id'],
  indexes: { town: { order: 'key' } },
  references: {
    town: { to: 'towns', onRemoval: 'remove' },
    guest: { to: 'towns', onRemoval: 'null', needs: withInn },
    seen: { to: 'towns', onRemoval: 'null' },
  },
  schema: ({ table, text, orNull, list }: SchemaParts) =>
    table({ id: text(9), town: text(9), guest: orNull(text(9)), seen: list(text(9), 9) }),
});

/** Two people, in one direction. */
const letters = defineRecord({
  name: 'letters',
  noun: 'letter',
  key: ['from', 'to'],
  references: { from: { to: 'people', onRemoval: 'remove' }, to: { to: 'people', onRemoval: 'refuse' } },
  schema: ({ table, text }: SchemaParts) => table({ from: text(9), to: text(9), text: text(99) }),
});

const capital = defineRecord({
  name: 'capital',
  noun: 'capital',
  singleton: true,
  references: { '': { to: 'towns', onRemoval: 'refuse' } },
  schema: ({ text }: SchemaParts) => text(9),
});

const inspector = defineRecord({
  name: 'inspector',
  noun: 'inspector',
  singleton: true,
  references: { at: { to: 'towns', onRemoval: 'null', needs: withInn } },
  schema: ({ table, text, orNull }: SchemaParts) => table({ at: orNull(text(9)) }),
});

/** The kinds of a small world that has every sort of key, index and reference. */
export const townKinds = { towns, people, letters, capital, inspector };
export type Kinds = typeof townKinds;

/** What the small world is in the beginning: a town without an inn, which is the capital. */
export const beginning: Snapshot<Kinds> = {
  towns: [{ id: '1', name: 'Ash', inn: false }],
  people: [],
  letters: [],
  capital: '1',
  inspector: { at: null },
};

/** A state of it. */
export function townState(rules: readonly Rule<Kinds>[] = [], room?: Room) {
  const telling = new EventQueue();
  const failures: string[] = [];
  const state = new State({
    kinds: townKinds,
    rules,
    room,
    eventQueue: telling,
    failed: ({ name, error }) => failures.push(`${name}: ${String(error)}`),
  });
  state.restore(beginning);
  return { state, telling, failures };
}
