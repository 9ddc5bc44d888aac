import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { bundled } from '../helpers/bundled.ts';

const young = (...words: string[]): number =>
  Number(execFileSync(process.execPath, [bundled('young-heap'), ...words], { encoding: 'utf8' }));

it('the young generation of a daemon retains its initial size, whatever is loaded', () => {
  const [sized, left] = [young('sized'), young()];
  // Two halves of 1 MB; left to itself V8 makes them 16 MB each.
  expect(sized).toBeLessThanOrEqual(4 * 1024 * 1024);
  expect(left).toBeGreaterThan(2 * sized);
});

it('the young generation of a daemon is enlarged to its own size after the start, and not further', () => {
  expect(young('grown')).toBe(8 * 1024 * 1024);
});

it('the heap is sized before any module of the bridge is loaded', () => {
  const main = readFileSync(fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url)), 'utf8');
  expect(main.indexOf('sizeHeap();')).toBeGreaterThan(0);
  expect(main.indexOf('sizeHeap();')).toBeLessThan(main.indexOf("import('./bridge.ts')"));
});
