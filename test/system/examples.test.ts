// The examples of the help that need a service manager, or the time of a whole suite.
import { spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examplesOf, programs, runInSystemTests, wordsOf } from '../helpers/examples.ts';
import { PROGRAM } from '../helpers/fault-bridge.ts';
import { PLAIN_USER, type Sandbox, startSandbox, whyNoSandbox } from './sandbox.ts';

const missing = whyNoSandbox();
/** The only order in which each has something to do. */
const ORDER = ['install', 'stop', 'start', 'restart', 'logs', 'uninstall'];

describe.skipIf(missing !== undefined)(
  `examples of the service under systemd${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    let sandbox: Sandbox;
    beforeAll(async () => {
      sandbox = await startSandbox(PLAIN_USER);
    });
    afterAll(() => sandbox.close());

    const rows = ORDER.flatMap((name) => examplesOf(({ command }) => command.name === name));
    it.each(rows)('succeed: %s', async (line) => {
      const words = wordsOf(line);
      if (words.includes('--follow')) {
        const child = sandbox.start([
          process.execPath,
          join(sandbox.package, 'dist', 'footbridge.js'),
          ...words,
        ]);
        // It goes on: what cannot be read would have ended it by now.
        await new Promise((resolve) => setTimeout(resolve, 1500));
        expect(child.exitCode).toBe(null);
        child.kill('SIGKILL');
        return;
      }
      const { code, stdout, stderr } = await sandbox.footbridge(...words);
      // What a person should know is no complaint, nor that this session keeps no journal.
      const complaints = stderr.replaceAll(/^(?:note: .*|No journal files were found\.)\n/gm, '');
      expect({ code, complaints }).toEqual({ code: 0, complaints: '' });
      if (words.includes('--json')) expect(Array.isArray(JSON.parse(stdout))).toBe(true);
      else expect(stdout).not.toBe('');
    });
    it('include every example of the group service', () => {
      expect(rows.length).toBe(examplesOf(({ command }) => command.group === 'service').length);
    });
  },
);

describe('examples of the conformance suite with the server and client of Footbridge', () => {
  let path: string;
  let folder: string;
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  beforeAll(async () => {
    folder = mkdtempSync(join(realpathSync(tmpdir()), 'fb-examples-'));
    const client = join(folder, 'client.mjs');
    await build({
      entryPoints: [fileURLToPath(new URL('../conformance/compare/clients/footbridge.ts', import.meta.url))],
      outfile: client,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'warning',
    });
    const node = `exec '${process.execPath}'`;
    path = programs(join(folder, 'bin'), {
      footbridge: `${node} '${PROGRAM}' "$@"`,
      'my-server': `${node} '${PROGRAM}' run --json --consent allow --index 0 --ws-port off`,
      'my-client': `${node} '${client}'`,
    });
  });

  const rows = examplesOf(({ command }) => command.name === 'conformance');
  it.each(rows)('succeed: %s', async (line) => {
    const env = { ...process.env, PATH: `${path}:${process.env['PATH']}` };
    const child = spawn('bash', ['-c', line], {
      env,
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const printed = Buffer.concat(await child.stdout.toArray()).toString();
    const code = child.exitCode ?? (await new Promise((resolve) => child.once('close', resolve)));
    expect({ code, end: printed.slice(-600) }).toMatchObject({ code: 0 });
  });
  it('are, with those of the service, all examples that need system tests', () => {
    expect(rows.length + examplesOf(({ command }) => command.group === 'service').length).toBe(
      examplesOf(({ command }) => runInSystemTests(command)).length,
    );
  });
});
