import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { libraryBeside, libraryFile, libraryFromBytes } from '../../../platform/native/library-file.ts';

const uid = process.getuid?.() ?? -1;
/** Not a library: the system's loader refuses it, which comes after every check of ours. */
const bytes = new TextEncoder().encode('no library');
const refused = /koffi-|\/proc\/self\/fd|invalid ELF|file too short|not a mach-o/;

let data: string;
let home: string;
beforeEach(() => {
  data = mkdtempSync(join(realpathSync(tmpdir()), 'fb-library-'));
  home = join(data, 'native');
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

function keep(content: Uint8Array = bytes, owner = uid): string {
  try {
    libraryFromBytes(content, data, owner);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return '';
}

function file(): string {
  const [name = '', ...more] = readdirSync(home);
  expect(more).toEqual([]);
  return join(home, name);
}

describe.skipIf(process.platform === 'win32')('the native library inside the executable', () => {
  it('is written once, accessible to our user only', () => {
    expect(keep()).toMatch(refused);
    expect(statSync(home).mode & 0o7777).toBe(0o700);
    const { mode, ino } = statSync(file());
    expect(mode & 0o7777).toBe(0o600);
    expect(readFileSync(file(), 'utf8')).toBe('no library');
    expect(keep()).toMatch(refused);
    expect(statSync(file()).ino).toBe(ino);
  });
  it('is rewritten when its content differs', () => {
    keep();
    writeFileSync(file(), 'evil');
    expect(keep()).toMatch(refused);
    expect(readFileSync(file(), 'utf8')).toBe('no library');
  });
  it('is rewritten when others could have changed it', () => {
    keep();
    const { ino } = statSync(file());
    chmodSync(file(), 0o666);
    expect(keep()).toMatch(refused);
    expect(statSync(file())).toMatchObject({ mode: 0o100_600 });
    expect(statSync(file()).ino).not.toBe(ino);
  });
  it('replaces a link at its path, and leaves the target of the link alone', () => {
    keep();
    const path = file();
    const elsewhere = join(data, 'elsewhere');
    writeFileSync(elsewhere, 'no library', { mode: 0o600 });
    rmSync(path);
    symlinkSync(elsewhere, path);
    expect(keep()).toMatch(refused);
    expect(lstatSync(path).isFile()).toBe(true);
    expect(readFileSync(elsewhere, 'utf8')).toBe('no library');
  });
  it('replaces a FIFO at its path without blocking', () => {
    keep();
    const path = file();
    rmSync(path);
    expect(spawnSync('mkfifo', ['-m', '600', path]).status).toBe(0);
    expect(keep()).toMatch(refused);
    expect(lstatSync(path).isFile()).toBe(true);
  });
  it('is not written when its folder is writable by others, a link or a file', () => {
    mkdirSync(home, { mode: 0o700 });
    chmodSync(home, 0o770);
    expect(keep()).toContain('has mode 770, not 700');
    rmSync(home, { recursive: true });
    symlinkSync(data, home);
    expect(keep()).toContain('is not a folder');
    rmSync(home);
    writeFileSync(home, '');
    expect(keep()).toContain('is not a folder');
    expect(readdirSync(data)).toEqual(['native']);
  });
  it('is not loaded from a folder of another user', () => {
    expect(keep(bytes, uid + 1)).toContain(`belongs to uid ${uid}`);
    expect(readdirSync(home)).toEqual([]);
  });
  it('has a separate file for each version', () => {
    keep();
    keep(new TextEncoder().encode('another version'));
    expect(readdirSync(home)).toHaveLength(2);
  });
});

describe('the native library of a bundle', () => {
  const root = (): string => join(data, 'node_modules', 'footbridge');
  const here = (): string => pathToFileURL(join(root(), 'dist', 'program.cjs')).href;
  const put = (path: string): string => {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, 'no library');
    return path;
  };

  it('is loaded from the folder of the bundle', () => {
    expect(libraryFile(here())).toBeUndefined();
    expect(libraryBeside(here())).toBeUndefined();
    const path = put(join(root(), 'dist', 'koffi.node'));
    expect(libraryFile(here())).toBe(path);
    expect(() => libraryBeside(here())).toThrow();
  });

  it.skipIf(process.platform !== 'linux')(
    'is found in its own package, for this C library (Linux only)',
    () => {
      const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
      const [libc, other] = header.glibcVersionRuntime === undefined ? ['musl', 'linux'] : ['linux', 'musl'];
      const inPackage = (name: string) =>
        join('node_modules/@koromix', `koffi-linux-${process.arch}`, `${name}_${process.arch}`, 'koffi.node');
      put(join(root(), inPackage(other)));
      expect(libraryFile(here())).toBeUndefined();
      // As npm lays it out: beside our package, or below it where another version stands there.
      const hoisted = put(join(data, inPackage(libc)));
      expect(libraryFile(here())).toBe(hoisted);
      const nested = put(join(root(), inPackage(libc)));
      expect(libraryFile(here())).toBe(nested);
      const beside = put(join(root(), 'dist', 'koffi.node'));
      expect(libraryFile(here())).toBe(beside);
    },
  );
});
