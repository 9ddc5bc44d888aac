import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import system from '../system/vitest.config.ts';
import { OF_THE_PROCESS, STARTS_PROGRAM, testFilesWith } from './of-the-process.ts';

const here = new URL('./', import.meta.url);
const root = fileURLToPath(new URL('../../', import.meta.url));

it('the README of helpers names each helper once, in one line', () => {
  const listed = [...readFileSync(new URL('README.md', here), 'utf8').matchAll(/^\| `(.+?)` \| .+ \|$/gm)];
  const helpers = readdirSync(here).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  expect(listed.map(([, name = '']) => name).sort()).toEqual(helpers.sort());
});

it('every test file with a few rounds runs with many rounds in npm run test:system', () => {
  const repeating = testFilesWith(root, /\brounds\(\{/);
  expect(repeating.length).toBeGreaterThan(0);
  expect(system.test?.include).toEqual(expect.arrayContaining(repeating));
  expect(system.test?.provide).toEqual({ rounds: 'many' });
});

/** Files of which each has a process of its own, whatever is in it, and that `npm test` leaves to another command. */
const ISOLATED =
  /^test\/(?:fault|interop|stories|system|torture|conformance)\/|\.(?:program|system)\.test\.ts$/;

it('every test file with its own clock or memory is named *.own.test.ts', () => {
  const files = testFilesWith(root, OF_THE_PROCESS).filter((path) => !ISOLATED.test(path));
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((path) => !path.endsWith('.own.test.ts'))).toEqual([]);
});

it('every test file that starts the whole program is named *.program.test.ts', () => {
  const files = testFilesWith(root, STARTS_PROGRAM);
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((path) => !ISOLATED.test(path))).toEqual([]);
});
