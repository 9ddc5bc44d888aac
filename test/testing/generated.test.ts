import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OPERATIONS_REFERENCE, operationReference } from '../../.ci/operation-reference.ts';
import { operationTypes } from '../../.ci/operation-types.ts';

it('the types of the operations are those of generated.ts (npm run gen writes it)', () => {
  const file = readFileSync(new URL('../../src/control/generated.ts', import.meta.url), 'utf8');
  expect(file).toBe(operationTypes());
});

it('the reference of the operations is OPERATIONS.md (npm run gen writes it)', () => {
  expect(readFileSync(OPERATIONS_REFERENCE, 'utf8')).toBe(operationReference());
});
