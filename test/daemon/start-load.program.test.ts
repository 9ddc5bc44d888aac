import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createRuntime, startDaemon } from '../helpers/daemon.ts';

/** Writes down, once told to, what the process has loaded of Node, and what of it after a flag of V8 was changed. */
const LOOK = `
const v8 = require('node:v8');
const { writeFileSync } = require('node:fs');
const { setFlagsFromString } = v8;
let before;
v8.setFlagsFromString = (flag) => {
  before ??= process.moduleLoadList.length;
  return setFlagsFromString(flag);
};
process.on('SIGUSR2', () => {
  const all = process.moduleLoadList;
  writeFileSync(process.env.LOADED, JSON.stringify({ all, late: all.slice(before) }));
});
`;

it.skipIf(process.platform === 'win32')(
  'a start loads only the Node modules that listening needs, before a V8 flag changes',
  async () => {
    const runtime = createRuntime();
    onTestFinished(() => runtime.remove());
    const [preload, file] = [join(runtime.folder, 'look.cjs'), join(runtime.folder, 'loaded.json')];
    writeFileSync(preload, LOOK);
    const daemon = await startDaemon({ runtime, nodeFlags: ['--require', preload], env: { LOADED: file } });
    onTestFinished(async () => void (await daemon.stop()));
    process.kill(daemon.pid, 'SIGUSR2');
    await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toMatch(/\}$/);
    const { all, late } = JSON.parse(readFileSync(file, 'utf8')) as Record<'all' | 'late', string[]>;
    const named = (list: readonly string[]) =>
      builtinModules.filter((name) => list.includes(`NativeModule ${name}`));
    expect(named(all)).toContain('net');
    for (const name of ['http', 'crypto']) expect(named(all)).not.toContain(name);
    expect(named(late)).toEqual([]);
  },
);
