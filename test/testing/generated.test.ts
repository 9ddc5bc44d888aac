import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ARCHITECTURE_PICTURE, architecturePicture } from '../../.ci/architecture-picture.ts';
import { OPERATIONS_REFERENCE, operationReference } from '../../.ci/operation-reference.ts';
import { operationTypes } from '../../.ci/operation-types.ts';

it('generated.ts has the current types of the operations (npm run gen writes it)', () => {
  const file = readFileSync(new URL('../../src/control/generated.ts', import.meta.url), 'utf8');
  expect(file).toBe(operationTypes());
});

it('OPERATIONS.md is the current reference of the operations (npm run gen writes it)', () => {
  expect(readFileSync(OPERATIONS_REFERENCE, 'utf8')).toBe(operationReference());
});

it('the picture of the architecture is architecture.svg (npm run gen writes it)', () => {
  expect(readFileSync(ARCHITECTURE_PICTURE, 'utf8')).toBe(architecturePicture());
});
