import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startProgram, temporaryPlace } from '../cli/spawn.ts';
import { bundled } from '../helpers/bundled.ts';

const ROOT = join(import.meta.dirname, '../..');

it('a test of vitest has a bridge, and prints the journal of the bridge when the test fails', async () => {
  // Within the checkout, where vitest is found.
  const folder = mkdtempSync(join(ROOT, 'test/testing/.fixture-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(
    join(folder, 'own.test.ts'),
    `import { expect, test as base } from 'vitest';
     import { withBridge } from '${bundled('testing-vitest')}';
     const test = base.extend(withBridge({ consent: 'deny' }));
     test('passes', async ({ bridge }) => {
       await fetch(bridge.api + '/v10/quiet');
       await bridge.expect('GET /quiet').toHaveBeenCalledTimes(1);
     });
     test('fails', async ({ bridge }) => {
       await fetch(bridge.api + '/v10/loud');
       await bridge.expect('GET_GUILDS').toHaveBeenCalled();
     });
     const strict = base.extend(withBridge({ strict: true }));
     strict('breaks a rule', async ({ bridge }) => {
       await fetch(bridge.api + '/v10/gateway?colour=1');
     });`,
  );
  writeFileSync(
    join(folder, 'vitest.config.ts'),
    `export default { test: { include: ['own.test.ts'], root: '${folder}', testTimeout: 60_000 } };`,
  );
  const { code, stdout, stderr } = await startProgram(
    [
      process.execPath,
      join(ROOT, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--config',
      join(folder, 'vitest.config.ts'),
    ],
    { cwd: folder, env: { ...temporaryPlace().env, NO_COLOR: '1' } },
  ).ended;
  const said = `${stdout}${stderr}`;
  expect(said).toContain('2 failed | 1 passed');
  expect(said).toContain('GET_GUILDS was not called. What came: GET /loud');
  expect(said).toMatch(/What passed the bridge:\n.*http .*GET \/api\/v10\/loud 404/);
  expect(said).not.toContain('/quiet 404');
  expect(said).toContain(
    'strict mode found 1 violation:\n  unknown-field: GET /gateway (get_gateway): there is no field "?colour"',
  );
  expect(code).toBe(1);
}, 120_000);
