import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createRuntime, startDaemon } from '../helpers/daemon.ts';

/** Writes down, once told to, whether the process has loaded a module that only the HTTP API needs. */
const LOOK = `
const { writeFileSync } = require('node:fs');
process.on('SIGUSR2', () => {
  writeFileSync(process.env.LOADED, String(process.moduleLoadList.includes('NativeModule assert')));
});
`;

/** A child of `emulate` that ends once its parent has loaded the API. */
const CHILD = `
const { existsSync, readFileSync } = require('node:fs');
setInterval(() => {
  if (existsSync(process.env.LOADED) && readFileSync(process.env.LOADED, 'utf8') === 'true') process.exit(0);
  process.kill(process.ppid, 'SIGUSR2');
}, 50);
setTimeout(() => process.exit(3), 20_000);
`;

it.skipIf(process.platform === 'win32')(
  'a bridge with a fixture file and that of emulate load the API before its first request, a plain one does not',
  async () => {
    const runtime = createRuntime();
    onTestFinished(() => runtime.remove());
    const place = (name: string): string => join(runtime.folder, name);
    const [preload, loaded, fixture] = [place('look.cjs'), place('loaded'), place('world.toml')];
    writeFileSync(preload, LOOK);
    writeFileSync(fixture, 'me = "1"\n[[users]]\nid = "1"\nusername = "river"\n');
    const env = { NODE_OPTIONS: `--require ${preload}`, LOADED: loaded };
    const started = async (...more: string[]) => {
      rmSync(loaded, { force: true });
      const args = ['--consent', 'allow', '--http-port', '0', ...more];
      const daemon = await startDaemon({ runtime, env, args });
      onTestFinished(async () => void (await daemon.stop()));
      return daemon;
    };
    const look = (pid: number) => {
      process.kill(pid, 'SIGUSR2');
      return existsSync(loaded) && readFileSync(loaded, 'utf8');
    };
    const plain = await started();
    await expect.poll(() => look(plain.pid)).toBe('false');
    await plain.stop();
    const tested = await started('--fixture', fixture);
    await expect.poll(() => look(tested.pid)).toBe('true');
    rmSync(loaded);
    const { code, stderr } = await tested.cli(['emulate', '--', process.execPath, '-e', CHILD]);
    expect(code, stderr).toBe(0);
  },
);
