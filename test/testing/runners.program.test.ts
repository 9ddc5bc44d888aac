import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startProgram, temporaryPlace } from '../cli/spawn.ts';
import { bundled } from '../helpers/bundled.ts';

const ROOT = join(import.meta.dirname, '../..');
const JEST = process.env['JEST'] ?? join(ROOT, 'node_modules/jest/bin/jest.js');
const noJest = existsSync(JEST) ? '' : ' (skipped: there is no jest here)';

/** Tests as people write them; both runners have a global or imported `test`. */
const tests = (head: string): string => `${head}
import { scenario, withBridge } from '${bundled('testing')}';
const bridged = withBridge({ strict: true });
test('passes', bridged(async (bridge, ...more) => {
  console.error('handed', more.length);
  await bridge.play(scenario('says').step({ as: 'heron', say: 'hello', in: '#general' }));
}));
test('fails', bridged(async (bridge) => {
  await fetch(bridge.api + '/v10/gateway');
  await bridge.expect('GET_GUILDS').toHaveBeenCalled();
}));
test('is played wrong', bridged((bridge) => bridge.play(scenario('hears')
  .step({ as: 'heron', say: 'hello', in: '#general' })
  .step({ expect: 'message', from: 'otter', within: '20ms' }))));
test('breaks a rule', bridged((bridge) => fetch(bridge.api + '/v10/gateway?colour=1')));
`;

async function run(
  words: readonly string[],
  file: string,
  head: string,
): Promise<{ readonly code: number | null; readonly said: string }> {
  const folder = mkdtempSync(join(ROOT, 'test/testing/.runner-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'jest.config.json'), '{"testEnvironment":"node","transform":{}}');
  writeFileSync(join(folder, file), tests(head));
  const { code, stdout, stderr } = await startProgram([process.execPath, ...words], {
    cwd: folder,
    env: { ...temporaryPlace().env, NO_COLOR: '1' },
  }).ended;
  return { code, said: `${stdout}${stderr}` };
}

function expectReports(said: string, file: string): void {
  expect(said).toContain('GET_GUILDS was not called. What came: GET /gateway');
  expect(said).toMatch(/What passed the bridge:\n.*http .*GET \/api\/v10\/gateway 200/);
  expect(said).toContain('error: no message came in there from otter within 20ms');
  expect(said).toMatch(new RegExp(`--> .*${file}:14:11\n`));
  expect(said).toContain('there is no field "?colour"');
}

it('tests of node:test have a bridge each, and tell why they fail', async () => {
  const { code, said } = await run(['--test'], 'own.test.mjs', "import { test } from 'node:test';");
  expect(said).toMatch(/pass 1\n.*fail 3\n/);
  // The context of node:test.
  expect(said).toContain('handed 1');
  expectReports(said, 'own.test.mjs');
  expect(code).toBe(1);
}, 120_000);

it.skipIf(noJest)(
  `tests of jest have a bridge each, and tell why they fail${noJest}`,
  async () => {
    const words = ['--experimental-vm-modules', JEST, '--config', 'jest.config.json'];
    const { code, said } = await run(words, 'own.test.js', '');
    expect(said).toContain('3 failed, 1 passed');
    expectReports(said, 'own.test.js');
    expect(code).toBe(1);
  },
  120_000,
);
