import { expect, it } from 'vitest';
import { absentKeyReason, type SourcePath } from './doc-texts.ts';

/** The place of the text in `tables.users.METHOD(id OPERATOR TEXT)`. */
const place = (method: string, operator: string, value: string): SourcePath => ({
  node: { type: 'StringLiteral', value },
  parentPath: {
    node: { type: 'LogicalExpression', operator },
    parentPath: {
      node: { type: 'CallExpression', callee: { property: { name: method } } },
      parentPath: null,
    },
  },
});

it('the empty key of a lookup is not mutated, and every other text is', () => {
  expect(absentKeyReason(place('get', '??', ''))).toBe('key that no row has');
  expect(absentKeyReason(place('by', '??', ''))).toBe('key that no row has');
  expect(absentKeyReason(place('get', '??', 'x'))).toBeUndefined();
  expect(absentKeyReason(place('get', '||', ''))).toBeUndefined();
  expect(absentKeyReason(place('push', '??', ''))).toBeUndefined();
  expect(absentKeyReason({ node: { type: 'StringLiteral', value: '' }, parentPath: null })).toBeUndefined();
});
