import { execFile } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { bundleLibrary, CLIENT } from '../../.ci/bundle.ts';
import { bundled } from '../helpers/bundled.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

const SETUP = fileURLToPath(new URL('../../.ci/setup.mjs', import.meta.url));

/** Runs a script in a Node that calls itself by that version, and lacks what Node 18 lacks. */
async function runAs(version: string, script: string) {
  const preload = join(temporaryFolder(), 'preload.cjs');
  writeFileSync(
    preload,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });
    delete process.getBuiltinModule;`,
  );
  return promisify(execFile)(process.execPath, ['--require', preload, script]).then(
    () => ({ code: 0, stderr: '' }),
    ({ code, stderr }) => ({ code, stderr }),
  );
}

it.each([
  ['18.20.8', 'the command', bundled('footbridge')],
  ['20.18.1', 'the command', bundled('footbridge')],
  ['18.20.8', 'npm start', SETUP],
  ['18.20.8', 'the conformance suite', bundled('conformance/index')],
])('Node %s stops %s with one line that names the required version', async (version, _what, script) => {
  expect(await runAs(version, script)).toEqual({
    code: 69,
    stderr: `footbridge: Node 20.19 or newer is needed, and this is ${version} (${process.execPath}).\n`,
  });
});

it.each([
  ['a library of a bridge', async () => fileOfBridge()],
  ['the client as an ES module', async () => join(await library(), 'index.mjs')],
  ['the client as CommonJS', async () => join(await library(), 'index.cjs')],
])('Node 18.20.8 receives an Error from %s that names the required version', async (_what, made) => {
  const script = join(temporaryFolder(), 'script.mjs');
  writeFileSync(
    script,
    `await import(${JSON.stringify(await made())}).catch(({ name, message }) => {
      process.stderr.write(name + ': ' + message);
      process.exitCode = 3;
    });`,
  );
  expect(await runAs('18.20.8', script)).toEqual({
    code: 3,
    stderr: `Error: Footbridge needs Node 20.19 or newer, and this is 18.20.8 (${process.execPath}).`,
  });
});

/** What a bridge loads, which has its hash in its name. */
function fileOfBridge(): string {
  const folder = dirname(bundled('footbridge'));
  const [name = ''] = readdirSync(folder).filter((one) => /^bridge-[\w-]{8}\.js$/.test(one));
  return join(folder, name);
}

/** The client, bundled as it is shipped. */
async function library(): Promise<string> {
  const folder = temporaryFolder();
  await bundleLibrary(folder, { index: CLIENT.index });
  return folder;
}

it('Node 20.19 is new enough for npm start', async () => {
  expect(await runAs('20.19.0', SETUP)).toEqual({ code: 0, stderr: '' });
});
