import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { IncomingFiles } from '../../../src/emulator/files/incoming.ts';
import { FileStore } from '../../../src/emulator/files/store.ts';

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const TIDE = digestOf('tide');
const EBB = digestOf('ebb');

/** A store in a temporary folder of its own, the digests that records name, and what it logs. */
function stored(...named: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'fb-store-'));
  vi.stubEnv('TMPDIR', folder);
  const names = new Set(named);
  const lines: string[] = [];
  const log = { info: () => {}, warn: (line: string) => void lines.push(line) };
  const owner = { name: undefined as string | undefined };
  const store = new FileStore(
    (digest) => names.has(digest),
    log,
    () => owner.name,
    3200,
  );
  onTestFinished(() => {
    store.close();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  const put = async (text: string) => (await store.hold(Buffer.from(text))).release();
  const text = (digest: string) => Buffer.concat([...store.read(digest, 4)]).toString();
  return { folder, names, lines, store, owner, put, text };
}

it('a file that a cleaner has removed is lost, is logged once, and can be stored again', async () => {
  const { store, put, text, lines } = stored(TIDE, EBB);
  await put('tide');
  await put('ebb');
  rmSync(store.pathOf(TIDE) ?? '');
  expect(store.pathOf(TIDE)).toBeUndefined();
  expect(store.pathOf(TIDE)).toBeUndefined();
  expect([store.isMissing(TIDE), store.isMissing(EBB), store.sizeOf(TIDE)]).toEqual([true, false, undefined]);
  expect(text(TIDE)).toBe('');
  expect(text(EBB)).toBe('ebb');
  expect(lines).toEqual([expect.stringMatching(/^1 stored file is lost: .*send it again$/)]);
  await put('tide');
  expect(text(TIDE)).toBe('tide');
  expect(store.isMissing(TIDE)).toBe(false);
});

it('a removed folder loses all files at once, and the next file is stored in a new folder', async () => {
  const { folder, store, put, text, lines } = stored(TIDE, EBB);
  await put('tide');
  await put('ebb');
  const path = store.pathOf(TIDE) ?? '';
  rmSync(dirname(path), { recursive: true });
  await put('tide');
  expect(readFileSync(store.pathOf(TIDE) ?? '', 'utf8')).toBe('tide');
  expect(dirname(store.pathOf(TIDE) ?? '')).not.toBe(dirname(path));
  expect(text(TIDE)).toBe('tide');
  expect([store.isMissing(TIDE), store.isMissing(EBB)]).toEqual([false, true]);
  expect(lines).toEqual([expect.stringMatching(/^2 stored files are lost/)]);
  store.close();
  expect(readdirSync(folder)).toEqual([]);
});

it('a file or folder that a cleaner has removed is settled without an error', async () => {
  const { names, store, put } = stored(TIDE, EBB);
  await put('tide');
  await put('ebb');
  const folder = dirname(store.pathOf(TIDE) ?? '');
  rmSync(store.pathOf(TIDE) ?? '');
  names.clear();
  store.settle(TIDE);
  expect(store.sizeOf(TIDE)).toBeUndefined();
  rmSync(folder, { recursive: true });
  store.settleAll();
  expect([store.sizeOf(EBB), store.isMissing(EBB)]).toEqual([undefined, false]);
});

it('a lost file is dropped with the last record that names it', async () => {
  const { names, store, put } = stored(TIDE);
  await put('tide');
  rmSync(store.pathOf(TIDE) ?? '');
  expect(store.pathOf(TIDE)).toBeUndefined();
  expect(store.isMissing(TIDE)).toBe(true);
  names.clear();
  store.settle(TIDE);
  expect(store.isMissing(TIDE)).toBe(false);
});

it('files of an export are looked up before they are read', async () => {
  const { store, put } = stored(TIDE, EBB);
  await put('tide');
  await put('ebb');
  rmSync(store.pathOf(EBB) ?? '');
  const release = store.retain([TIDE, EBB]);
  expect([store.sizeOf(TIDE), store.sizeOf(EBB), store.isMissing(EBB)]).toEqual([4, undefined, true]);
  release();
  expect(store.sizeOf(TIDE)).toBe(4);
});

it('imported files that a cleaner has removed are lost, and the others are adopted', () => {
  const { store, text } = stored(TIDE, EBB);
  const files = new IncomingFiles();
  files.add(TIDE, Buffer.from('tide'));
  files.add(EBB, Buffer.from('ebb'));
  files.end();
  rmSync(join(files.folder ?? '', TIDE));
  store.adopt(files);
  expect([text(EBB), text(TIDE), store.isMissing(TIDE)]).toEqual(['ebb', '', true]);
});

it('one owner of files leaves space for others, and gets its space back with its files', async () => {
  const { store, owner, names } = stored();
  let sent = 0;
  /** Sends files of 100 bytes until one is refused; returns their digests. */
  const fill = async (name: string | undefined): Promise<string[]> => {
    owner.name = name;
    const digests: string[] = [];
    for (;;) {
      const held = await store.hold(Buffer.from(String(++sent).padEnd(100))).catch((error) => {
        expect(error.reply).toMatchObject({
          status: 503,
          body: { message: expect.stringMatching(/Too many files/) },
        });
      });
      if (held === undefined) return digests;
      names.add(held.digest);
      digests.push(held.digest);
      held.release();
    }
  };
  const first = await fill('one');
  expect(first).toHaveLength(16);
  expect(await fill('two')).toHaveLength(5);
  expect((await fill('three')).length).toBeGreaterThanOrEqual(1);
  for (const digest of first) {
    names.delete(digest);
    store.settle(digest);
  }
  expect((await fill('one')).length).toBeGreaterThanOrEqual(5);
  // The operator may use all that is left.
  expect((await fill(undefined)).length).toBeGreaterThan(0);
  expect(names.size).toBe(32);
  owner.name = 'one';
  await expect(store.hold(Buffer.from('more'))).rejects.toThrow();
});
