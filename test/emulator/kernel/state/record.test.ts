import { describe, expect, it } from 'vitest';
import { defineRecord, type SchemaParts } from '../../../../src/emulator/kernel/state/record.ts';
import * as parts from '../../../../src/emulator/kernel/state/schema-parts.ts';

const schema = ({ table, text }: SchemaParts) => table({ id: text(9), name: text(9) });

describe('a declared kind of record', () => {
  it('has these properties unless its declaration states others', () => {
    const kind = defineRecord({ name: 'towns', noun: 'town', key: ['id'], schema });
    expect(kind).toMatchObject({
      name: 'towns',
      noun: 'town',
      about: undefined,
      singleton: false,
      key: ['id'],
      indexes: new Map(),
      references: new Map(),
      within: undefined,
      transient: false,
      isNote: false,
      positionField: undefined,
      firstPosition: 0,
      creates: undefined,
      nameField: undefined,
      hidden: [],
      printedForms: {},
      minCount: 0,
      file: undefined,
    });
    expect(kind.check({ id: '1', name: 'Ash' })).toBeUndefined();
  });

  it('has the properties of its declaration', () => {
    const stated = {
      about: 'towns of a land',
      transient: true,
      positionField: 'name',
      firstPosition: 1,
      creates: { kind: 'people', row: () => ({}) },
      nameField: 'name',
      hidden: ['name'],
      printedForms: { name: { small: 1 } },
      minCount: 2,
      file: 'file',
    } as const;
    const kind = defineRecord({
      ...stated,
      name: 'towns',
      noun: 'town',
      key: ['id', 'name'],
      note: true,
      schema: ({ table, text }: SchemaParts) => table({ id: text(9), name: text(9), file: text(9) }),
      check: ({ name }) => (name === 'x' ? { path: ['name'], reason: 'is no name' } : undefined),
    });
    expect(kind).toMatchObject({ ...stated, key: ['id', 'name'], isNote: true });
    expect(kind.check({ id: '1', name: 'x' })).toEqual({ path: ['name'], reason: 'is no name' });
    expect(kind.check({ id: '1', name: 'y' })).toBeUndefined();
    const row = { id: '1', name: 'x', file: 'y' };
    expect(kind.schema(parts).parse(row)).toEqual(row);
  });

  it('is found by its references, its name and its parent, besides the stated indexes', () => {
    const kind = defineRecord({
      name: 'towns',
      noun: 'town',
      key: ['id'],
      nameField: 'name',
      indexes: { id: { unique: true }, land: { order: 'key' } },
      references: { land: { to: 'lands', onRemoval: 'null' } },
      within: { kind: 'maps', as: 'towns', field: 'map' },
      schema: ({ table, text }: SchemaParts) => table({ id: text(9), name: text(9), land: text(9) }),
    });
    expect(kind.indexes).toEqual(
      new Map<string, object>([
        ['land', { order: 'key' }],
        ['map', {}],
        ['name', {}],
        ['id', { unique: true }],
      ]),
    );
    // It cannot exist without its parent.
    expect(kind.references).toEqual(
      new Map<string, object>([
        ['land', { to: 'lands', onRemoval: 'null' }],
        ['map', { to: 'maps', onRemoval: 'remove' }],
      ]),
    );
    expect(kind.within).toEqual({ kind: 'maps', as: 'towns', field: 'map' });
  });

  it('that is a single record has no key', () => {
    const kind = defineRecord({ name: 'settings', noun: 'settings', singleton: true, schema });
    expect([kind.singleton, kind.key]).toEqual([true, []]);
  });
});
