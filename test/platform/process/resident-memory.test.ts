import { expect, it } from 'vitest';
import { residentMemory } from '../../../platform/process/resident-memory.ts';

it('the resident memory is reported in bytes, and null in a container without /proc', () => {
  expect(residentMemory()).toBeGreaterThan(10_000_000);
  const withoutProc = (): number => {
    throw new Error('ENOENT: no such file or directory, uv_resident_set_memory');
  };
  expect(residentMemory(withoutProc)).toBeNull();
});
