import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import system from '../system/vitest.config.ts';
import { testFilesWith } from './of-the-process.ts';

const here = new URL('./', import.meta.url);
const root = fileURLToPath(new URL('../../', import.meta.url));

it('names each helper once, in one line', () => {
  const listed = [...readFileSync(new URL('README.md', here), 'utf8').matchAll(/^\| `(.+?)` \| .+ \|$/gm)];
  const helpers = readdirSync(here).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  expect(listed.map(([, name = '']) => name).sort()).toEqual(helpers.sort());
});

it('what repeats something a few times only is repeated many times by npm run test:system', () => {
  const repeating = testFilesWith(root, /\brounds\(\{/);
  expect(repeating.length).toBeGreaterThan(0);
  expect(system.test?.include).toEqual(expect.arrayContaining(repeating));
  expect(system.test?.provide).toEqual({ rounds: 'many' });
});
