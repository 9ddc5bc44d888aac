import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import {
  BrokenReferenceError,
  StateError,
  TakenError,
} from '../../../../src/emulator/kernel/state/state-error.ts';

const row = { id: '1', secret: 'canary' };
const wrong = { table: 'towns', key: '1', row };

it.each<[what: string, error: StateError, name: string, message: string]>([
  ['a taken key', new TakenError(wrong), 'TakenError', 'towns 1: the key is taken'],
  ['a taken value', new TakenError({ ...wrong, field: 'name' }), 'TakenError', 'towns 1: name is taken'],
  [
    'a missing target',
    new BrokenReferenceError({ ...wrong, field: 'of' }, { to: 'lands' }),
    'BrokenReferenceError',
    'towns 1: of names no row of lands',
  ],
  [
    'a target that lacks a property',
    new BrokenReferenceError({ ...wrong, field: 'of' }, { to: 'lands', lacks: 'a coast' }),
    'BrokenReferenceError',
    'towns 1: of names a row without a coast',
  ],
  [
    'a target that does not fit',
    new BrokenReferenceError({ ...wrong, field: 'of' }, { to: 'lands', misfit: 'of another map' }),
    'BrokenReferenceError',
    'towns 1: of names a row of another map',
  ],
  [
    'a single record without a field',
    new BrokenReferenceError({ table: 'capital', key: '', row: '9' }, { to: 'towns' }),
    'BrokenReferenceError',
    'capital : it names no row of towns',
  ],
])('the refusal of %s says where and what', (_, error, name, message) => {
  expect([error.name, error.message]).toEqual([name, message]);
  expect(error).toBeInstanceOf(StateError);
});

it('a refusal has its row, and does not print it', () => {
  const error = new TakenError({ ...wrong, field: 'name' });
  expect(error.row).toBe(row);
  expect([error.table, error.key, error.field]).toEqual(['towns', '1', 'name']);
  expect(inspect(error)).not.toContain('canary');
});
