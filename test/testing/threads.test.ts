import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startProgram, temporaryPlace } from '../cli/spawn.ts';

const ROOT = join(import.meta.dirname, '../..');

it('startEmulator works in worker threads: vitest --pool=threads', async () => {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const config = join(ROOT, 'test/vitest.config.ts');
  const { code, stdout, stderr } = await startProgram(
    [process.execPath, vitest, 'run', '--config', config, '--pool=threads', 'test/testing/testing.test.ts'],
    { cwd: ROOT, env: { ...temporaryPlace().env, NO_COLOR: '1' } },
  ).ended;
  expect(`${stdout}${stderr}`).toMatch(/Test Files {2}1 passed/);
  expect(code).toBe(0);
}, 120_000);
