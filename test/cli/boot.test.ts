import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
const START_FLAGS = ['--max-semi-space-size=1'];
/** Loads the bundle as boot/load.ts does, and says whether V8 took the code that was kept of it. */
const ASK_V8 = `
const { readFileSync } = require('node:fs');
const { Script } = require('node:vm');
const [bundle, cache] = process.argv.slice(1);
const cachedData = readFileSync(cache).subarray(32);
console.log(new Script(readFileSync(bundle, 'latin1'), { filename: bundle, cachedData }).cachedDataRejected);
`;

const node = (...args: string[]) => spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 30_000 });

const tagOf = (flags: readonly string[]): string =>
  node(...flags, '-p', 'require("node:v8").cachedDataVersionTag()').stdout.trim();

const cacheFor = (folder: string, flags: readonly string[]): string => {
  const name = readdirSync(folder).find((file) => file.endsWith(`-${tagOf(flags)}.cache`));
  if (name === undefined) throw new Error(`no kept code for ${flags.join(' ')}`);
  return join(folder, name);
};

/** A built program of its own, whose files a test may spoil. */
function copyOfDist(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'fb-boot-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(DIST, folder, { recursive: true });
  return folder;
}

describe('the code that V8 kept of the bundle', () => {
  it.each([
    ['a start', START_FLAGS],
    ['a command', []],
  ])('fits %s on the Node that made it', (_, flags) => {
    const folder = copyOfDist();
    expect(node(...flags, join(folder, 'warm.js')).status).toBe(0);
    const answer = node(...flags, '-e', ASK_V8, join(folder, 'program.cjs'), cacheFor(folder, flags));
    expect(answer.stdout.trim()).toBe('false');
  });

  it.each<[string, (whole: Buffer) => Buffer]>([
    ['empty', () => Buffer.alloc(0)],
    ['cut off', (whole) => whole.subarray(0, 100_000)],
    ['damaged in the middle', (whole) => whole.fill(0xa5, 50_000, 100_000)],
    ['something else', () => Buffer.from('not what V8 wrote')],
  ])('is left aside when the file is %s', (_, spoil) => {
    const folder = copyOfDist();
    node(join(folder, 'warm.js'));
    const cache = cacheFor(folder, []);
    writeFileSync(cache, spoil(readFileSync(cache)));
    expect(node(join(folder, 'footbridge.js'), '--version')).toMatchObject({ status: 0, stderr: '' });
  });

  it('is not needed, and can be made again', () => {
    const folder = copyOfDist();
    for (const name of readdirSync(folder)) if (name.endsWith('.cache')) rmSync(join(folder, name));
    expect(node(join(folder, 'footbridge.js'), '--version').status).toBe(0);
    expect(node(join(folder, 'warm.js')).status).toBe(0);
    expect(readFileSync(cacheFor(folder, [])).length).toBeGreaterThan(100_000);
  });
});
