import { describe, expect, it } from 'vitest';
import { EventQueue } from '../../../../src/emulator/kernel/state/event-queue.ts';
import { defineRecord, type SchemaParts } from '../../../../src/emulator/kernel/state/record.ts';
import { State } from '../../../../src/emulator/kernel/state/state.ts';
import { BrokenReferenceError } from '../../../../src/emulator/kernel/state/state-error.ts';
import type { Snapshot, Tables } from '../../../../src/emulator/kernel/state/tables.ts';

/** Fleets of ships, which call at ports and islands; a port may have a coast. */
const kinds = {
  ports: defineRecord({
    name: 'ports',
    noun: 'port',
    key: ['id'],
    schema: ({ table, text, flag, orNull }: SchemaParts) =>
      table({ id: text(9), deep: flag(true), owner: orNull(text(9)) }),
  }),
  islands: defineRecord({
    name: 'islands',
    noun: 'island',
    key: ['id'],
    schema: ({ table, text }: SchemaParts) => table({ id: text(9) }),
  }),
  ships: defineRecord({
    name: 'ships',
    noun: 'ship',
    key: ['id'],
    references: {
      home: {
        to: 'ports',
        onRemoval: 'refuse',
        needs: { name: 'deep water', of: ({ deep }: { readonly deep: boolean }) => deep },
        relationCheck: {
          errorText: 'of another owner',
          of: (ship: { readonly id: string }, { owner }: { readonly owner: string | null }, tables) =>
            owner === null || owner === ship.id || tables['islands']?.get(owner) !== undefined,
        },
      },
      anchor: { to: 'ports', or: 'islands', onRemoval: 'null' },
      calls: { to: 'ports', or: 'islands', onRemoval: 'null' },
      escort: { to: 'ships', onRemoval: 'remove' },
    },
    schema: ({ table, text, orNull, list }: SchemaParts) =>
      table({
        id: text(9),
        home: text(9),
        anchor: orNull(text(9)),
        calls: list(text(9), 9),
        escort: orNull(text(9)),
      }),
  }),
  flagship: defineRecord({
    name: 'flagship',
    noun: 'flagship',
    singleton: true,
    references: {
      ship: { to: 'ships', onRemoval: 'null' },
      seen: { to: 'ports', onRemoval: 'null' },
      harbour: { to: 'ports', onRemoval: 'refuse' },
    },
    schema: ({ table, text, orNull, list }: SchemaParts) =>
      table({ ship: orNull(text(9)), seen: list(text(9), 9), harbour: orNull(text(9)) }),
  }),
  admiral: defineRecord({
    name: 'admiral',
    noun: 'admiral',
    singleton: true,
    references: { '': { to: 'ships', onRemoval: 'refuse' } },
    schema: ({ text }: SchemaParts) => text(9),
  }),
};
type Kinds = typeof kinds;
type Ship = Snapshot<Kinds>['ships'][number];

const port = (id: string, more: { deep?: boolean; owner?: string | null } = {}) => ({
  id,
  deep: true,
  owner: null,
  ...more,
});
const ship = (id: string, more: Partial<Ship> = {}): Ship => ({
  id,
  home: '1',
  anchor: null,
  calls: [],
  escort: null,
  ...more,
});

/** Ports 1 to 3, islands 3 and 4, and the ship a, which is the admiral's. */
function fleet(...ships: Ship[]) {
  const state = new State({ kinds, eventQueue: new EventQueue() });
  state.restore({
    ports: [port('1'), port('2'), port('3')],
    islands: [{ id: '3' }, { id: '4' }],
    ships: [ship('a'), ...ships],
    flagship: { ship: null, seen: [], harbour: null },
    admiral: 'a',
  });
  return state;
}

/** What a refusal names, or that there was none. */
function refusal(state: State<Kinds>, change: (tables: Tables<Kinds>) => unknown): unknown {
  const before = state.snapshot();
  try {
    state.transaction(change);
  } catch (error) {
    expect(state.snapshot()).toEqual(before);
    if (!(error instanceof BrokenReferenceError)) throw error;
    const { table, key, field, item, to, lacks, misfit } = error;
    return { table, key, field, item, to, lacks, misfit };
  }
  return 'accepted';
}

describe('a reference', () => {
  const absent = { item: undefined, lacks: undefined, misfit: undefined };

  it.each<[what: string, change: (tables: Tables<Kinds>) => unknown, expected: object | 'accepted']>([
    ['to a row', ({ ships }) => ships.insert(ship('b', { home: '2', anchor: '1' })), 'accepted'],
    ['to nothing', ({ ships }) => ships.insert(ship('b', { anchor: null, escort: null })), 'accepted'],
    [
      'to a missing row',
      ({ ships }) => ships.insert(ship('b', { home: '9' })),
      { ...absent, table: 'ships', key: 'b', field: 'home', to: 'ports' },
    ],
    [
      'to a row of the other kind that it may name',
      ({ ships }) => ships.insert(ship('b', { anchor: '4', calls: ['1', '4', '3'] })),
      'accepted',
    ],
    [
      'to a row of neither kind',
      ({ ships }) => ships.insert(ship('b', { anchor: '9' })),
      { ...absent, table: 'ships', key: 'b', field: 'anchor', to: 'ports' },
    ],
    [
      'in a list to a missing row',
      ({ ships }) => ships.update('a', { calls: ['1', '4', '9', '8'] }),
      { ...absent, table: 'ships', key: 'a', field: 'calls', to: 'ports', item: 2 },
    ],
    [
      'to a row without what it needs',
      ({ ports, ships }) => [
        ports.insert(port('5', { deep: false })),
        ships.insert(ship('b', { home: '5' })),
      ],
      { ...absent, table: 'ships', key: 'b', field: 'home', to: 'ports', lacks: 'deep water' },
    ],
    [
      'to a row that does not fit',
      ({ ports, ships }) => [ports.insert(port('5', { owner: 'c' })), ships.insert(ship('b', { home: '5' }))],
      { ...absent, table: 'ships', key: 'b', field: 'home', to: 'ports', misfit: 'of another owner' },
    ],
    [
      'to a row that fits by the row itself',
      ({ ports, ships }) => [ports.insert(port('5', { owner: 'b' })), ships.insert(ship('b', { home: '5' }))],
      'accepted',
    ],
    [
      'to a row that fits by a third one',
      ({ ports, ships }) => [ports.insert(port('5', { owner: '4' })), ships.insert(ship('b', { home: '5' }))],
      'accepted',
    ],
    [
      'of a single record to a missing row',
      ({ flagship }) => flagship.update({ ship: '9' }),
      { ...absent, table: 'flagship', key: '', field: 'ship', to: 'ships' },
    ],
    [
      'in a list of a single record to a missing row',
      ({ flagship }) => flagship.update({ seen: ['1', '9'] }),
      { ...absent, table: 'flagship', key: '', field: 'seen', to: 'ports', item: 1 },
    ],
    [
      'that is a single record itself to a missing row',
      ({ admiral }) => admiral.set('9'),
      { ...absent, table: 'admiral', key: '', field: undefined, to: 'ships' },
    ],
    [
      'to a row that goes, but must not',
      ({ ports }) => ports.remove('1'),
      { ...absent, table: 'ships', key: 'a', field: 'home', to: 'ports' },
    ],
    [
      'to a row that loses what the reference needs',
      ({ ports }) => ports.update('1', { deep: false }),
      { ...absent, table: 'ships', key: 'a', field: 'home', to: 'ports', lacks: 'deep water' },
    ],
    ['to a row that changes otherwise', ({ ports }) => ports.update('1', { owner: 'c' }), 'accepted'],
    [
      'that is a single record itself, to a row that goes',
      ({ ships }) => ships.remove('a'),
      { ...absent, table: 'admiral', key: '', field: undefined, to: 'ships' },
    ],
    [
      'to a row that goes, where the row itself goes too',
      ({ ships, ports, admiral }) => [
        ships.insert(ship('b', { home: '2' })),
        admiral.set('b'),
        ships.remove('a'),
        ports.remove('1'),
      ],
      'accepted',
    ],
  ])('%s is accepted or refused with what it names', (_, change, expected) => {
    expect(refusal(fleet(), change)).toEqual(expected);
  });

  it('of a single record that must stay refuses the removal of its row, and of no other', () => {
    const state = fleet();
    state.transaction(({ flagship }) => flagship.update({ harbour: '2' }));
    expect(refusal(state, ({ ports }) => ports.remove('2'))).toEqual({
      ...absent,
      table: 'flagship',
      key: '',
      field: 'harbour',
      to: 'ports',
    });
    expect(refusal(state, ({ ports }) => ports.remove('3'))).toBe('accepted');
  });
});

describe('a reference to a row that goes', () => {
  it('becomes null, and leaves a list, of rows and of single records', () => {
    const state = fleet(ship('b', { anchor: '2', calls: ['2', '1', '2', '4'] }), ship('c', { anchor: '1' }));
    state.transaction(({ flagship }) => flagship.update({ ship: 'c', seen: ['1', '2'] }));
    state.transaction(({ ports, ships }) => [ports.remove('2'), ships.remove('c')]);
    expect(state.tables.ships.get('b')).toEqual(ship('b', { calls: ['1', '4'] }));
    expect(state.tables.flagship.value).toEqual({ ship: null, seen: ['1'], harbour: null });
  });

  it('stays as long as the other kind has a row with the key', () => {
    const state = fleet(ship('b', { anchor: '3', calls: ['3', '4'] }));
    state.transaction(({ ports }) => ports.remove('3'));
    expect(state.tables.ships.get('b')).toEqual(ship('b', { anchor: '3', calls: ['3', '4'] }));
    state.transaction(({ islands }) => [islands.remove('3'), islands.remove('4')]);
    expect(state.tables.ships.get('b')).toEqual(ship('b'));
  });

  it('takes its row with it, and the rows that refer to that one', () => {
    const state = fleet(
      ship('b', { escort: 'a' }),
      ship('c', { escort: 'b' }),
      ship('d', { escort: 'c', home: '2' }),
      ship('e', { home: '2' }),
    );
    state.transaction(({ ships, admiral }) => [admiral.set('e'), ships.remove('a')]);
    expect([...state.tables.ships].map(({ id }) => id)).toEqual(['e']);
  });
});
