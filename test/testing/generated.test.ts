import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { architecturePicture, CONTRIBUTING } from '../../.ci/architecture-picture.ts';
import { OPERATIONS_REFERENCE, operationReference } from '../../.ci/operation-reference.ts';
import { operationTypes } from '../../.ci/operation-types.ts';

it('generated.ts has the current types of the operations (npm run gen writes it)', () => {
  const file = readFileSync(new URL('../../src/control/generated.ts', import.meta.url), 'utf8');
  expect(file).toBe(operationTypes());
});

it('OPERATIONS.md is the current reference of the operations (npm run gen writes it)', () => {
  expect(readFileSync(OPERATIONS_REFERENCE, 'utf8')).toBe(operationReference());
});

it('CONTRIBUTING has the current picture of the architecture (npm run gen writes it)', () => {
  expect(readFileSync(CONTRIBUTING, 'utf8')).toContain(architecturePicture());
});
