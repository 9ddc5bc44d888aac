import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { startProgram, temporaryPlace } from '../cli/spawn.ts';
import { bundled } from '../helpers/bundled.ts';

const ROOT = join(import.meta.dirname, '../..');

it('startEmulator works in worker threads: vitest --pool=threads', async () => {
  const place = temporaryPlace();
  const tests = bundled('testing.test');
  const config = join(place.folder, 'vitest.config.mjs');
  const test = { root: dirname(tests), include: ['testing.test.js'], exclude: [], testTimeout: 60_000 };
  writeFileSync(config, `export default ${JSON.stringify({ test })};`);
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const { code, stdout, stderr } = await startProgram(
    [process.execPath, vitest, 'run', '--config', config, '--pool=threads'],
    { cwd: ROOT, env: { ...place.env, NO_COLOR: '1' } },
  ).ended;
  expect(`${stdout}${stderr}`).toMatch(/Test Files {2}1 passed/);
  expect(code).toBe(0);
}, 120_000);
