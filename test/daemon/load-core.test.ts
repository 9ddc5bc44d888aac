import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCore } from '../../src/daemon/module-core.ts';
import { fakeCore } from '../helpers/fake-core.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

function moduleWith(text: string): string {
  const path = join(temporaryFolder(), 'my-core.mjs');
  writeFileSync(path, text);
  return path;
}

const core = `{ name: 'mine', openMs: 5, start() { return { api: 'x' }; }, open() { return { it: this.name }; }, stop() {} }`;
const { host } = await started();

async function started() {
  const fake = fakeCore();
  await fake.start({} as never);
  return fake;
}

describe('loadCore', () => {
  it.each([
    ['a function createCore', `export const createCore = () => (${core});`],
    ['a default function', `export default async () => (${core});`],
  ])('accepts %s, and calls the functions of the core as its methods', async (_name, text) => {
    const loaded = await loadCore(moduleWith(text));
    expect(loaded).toMatchObject({ name: 'mine', openMs: 5 });
    expect(await loaded.start(host)).toEqual({ api: 'x' });
    expect(await loaded.open({} as never)).toEqual({ it: 'mine' });
  });
  it('accepts an operation that allows requests only if it names the requester', async () => {
    const withApprove = (more: string) =>
      moduleWith(
        `export const createCore = () => ({ ...${core}, start: () => ({ admin: { 'requests.approve': { ${more} } } }) });`,
      );
    await expect((await loadCore(withApprove('run() {}'))).start(host)).rejects.toThrow(
      /my-core\.mjs: its operation requests\.approve has no function requester/,
    );
    const named = await (await loadCore(withApprove('run() {}, requester: () => 7'))).start(host);
    expect(named.admin?.['requests.approve']?.requester?.({})).toBe(7);
  });
  it('sets no time for a core that names none', async () => {
    const loaded = await loadCore(
      moduleWith(`export const createCore = () => ({ ...${core}, openMs: undefined });`),
    );
    expect(loaded).not.toHaveProperty('openMs');
  });
  it('quotes 300 characters of an error at the most, and what is thrown besides errors', async () => {
    const failing = (thrown: string) =>
      loadCore(moduleWith(`export const createCore = () => { throw ${thrown}; };`));
    const long = await failing(`new Error('x'.repeat(1000))`).catch((error: unknown) => error as Error);
    expect((long as Error).message).toMatch(/createCore failed: Error: x{293}$/);
    await expect(failing(`'a text'`)).rejects.toThrow(/createCore failed: a text$/);
  });
  it('accepts a start that returns nothing', async () => {
    const path = moduleWith(`export const createCore = () => ({ ...${core}, start() {} });`);
    expect(await (await loadCore(path)).start(host)).toEqual({});
  });

  it.each([
    ['export const other = 1;', 'it exports no function createCore, and none as its default'],
    ['export const createCore = 7;', 'it exports no function createCore, and none as its default'],
    ['export const createCore = ;', 'it cannot be loaded: '],
    [`throw new TypeError('no\\nmore');`, 'it cannot be loaded: TypeError: no'],
    [`import 'no-such-package';`, 'it cannot be loaded: Error: '],
    [`export const createCore = () => { throw new Error('no'); };`, 'createCore failed: Error: no'],
    [
      'export const createCore = () => undefined;',
      'createCore returned a core without anything: it is no object',
    ],
    [
      `export const createCore = () => ({ name: 'a b' });`,
      'createCore returned a core without a name of letters',
    ],
    [
      `export const createCore = () => ({ name: 'x' });`,
      'createCore returned a core without a function start',
    ],
  ])('refuses %j with file and reason, in one line', async (text, reason) => {
    const path = moduleWith(text);
    const error = await loadCore(path).catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({ code: 'FOOTBRIDGE_CORE' });
    expect((error as Error).message).toContain(`${path}: ${reason}`);
    expect((error as Error).message).not.toContain('\n');
  });
  it('refuses a missing file', async () => {
    const path = join(temporaryFolder(), 'none.mjs');
    await expect(loadCore(path)).rejects.toThrow(
      `${path}: it cannot be loaded: there is no such file or folder (ENOENT). Give the file of a module`,
    );
  });
  it.skipIf(process.platform === 'win32')(
    'refuses a folder and a FIFO without waiting (not on Windows)',
    async () => {
      const folder = temporaryFolder();
      const fifo = join(folder, 'core.mjs');
      execFileSync('mkfifo', [fifo]);
      for (const path of [folder, fifo])
        await expect(loadCore(path)).rejects.toThrow(`${path}: it is no file`);
    },
  );
  it('names file and reason when the core does not start', async () => {
    const path = moduleWith(
      `export const createCore = () => ({ ...${core}, start() { throw new Error('no way') } });`,
    );
    const loaded = await loadCore(path);
    await expect(loaded.start(host)).rejects.toThrow(`${path}: start failed: Error: no way`);
  });
  it('fails when createCore does not finish in time', async () => {
    const path = moduleWith('export const createCore = () => new Promise(() => {});');
    const failure = loadCore(path, 1500).catch((error: unknown) => (error as Error).message);
    expect(await failure).toContain('createCore failed: Error: no end within 1.5 seconds');
  });
});
