import {
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type InodeIdentity,
  identityOf,
  isStill,
  lstatOf,
  moveIntoFree,
  removeIfStill,
  TEMPORARY_NAME,
  temporaryPath,
} from '../../../platform/files/inode.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

function identity(path: string): InodeIdentity {
  return identityOf(lstatSync(path, { bigint: true }));
}

function file(folder: string, name: string, text = name): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('isStill', () => {
  it('returns true after changes to the content, the links or the name of the file', () => {
    const folder = temporaryFolder();
    const a = file(folder, 'a');
    const known = identity(a);
    linkSync(a, join(folder, 'b'));
    writeFileSync(a, 'more');
    renameSync(a, join(folder, 'c'));
    expect(isStill(join(folder, 'c'), known)).toBe(true);
    expect(isStill(join(folder, 'b'), known)).toBe(true);
    expect(isStill(a, known)).toBe(false);
  });
  it('returns false for a new file at the same path, even with a reused inode', () => {
    const folder = temporaryFolder();
    const a = file(folder, 'a');
    const known = identity(a);
    unlinkSync(a);
    file(folder, 'a');
    expect(isStill(a, known)).toBe(false);
  });
  it('does not follow a link', () => {
    const folder = temporaryFolder();
    const a = file(folder, 'a');
    symlinkSync(a, join(folder, 'link'));
    expect(isStill(join(folder, 'link'), identity(a))).toBe(false);
  });
});

it('lstatOf is undefined for a missing file', () => {
  expect(lstatOf(join(temporaryFolder(), 'none'))).toBeUndefined();
});

describe('removeIfStill', () => {
  it('removes the file and nothing else', () => {
    const folder = temporaryFolder();
    const a = file(folder, 'a');
    file(folder, 'b');
    expect(removeIfStill(a, identity(a))).toBe(true);
    expect(readdirSync(folder)).toEqual(['b']);
  });
  it('leaves another file at the path alone', () => {
    const folder = temporaryFolder();
    const a = file(folder, 'a', 'first');
    const known = identity(a);
    renameSync(file(folder, 'b', 'second'), a);
    expect(removeIfStill(a, known)).toBe(false);
    expect(readFileSync(a, 'utf8')).toBe('second');
    expect(readdirSync(folder)).toEqual(['a']);
    unlinkSync(a);
    expect(removeIfStill(a, known)).toBe(false);
  });
});

describe('moveIntoFree', () => {
  it('moves a file to a free path', () => {
    const folder = temporaryFolder();
    expect(moveIntoFree(file(folder, 'a'), join(folder, 'b'))).toBe(true);
    expect(readdirSync(folder)).toEqual(['b']);
  });
  it.each(['file', 'dangling link'])('never replaces a %s', (kind) => {
    const folder = temporaryFolder();
    const b = join(folder, 'b');
    if (kind === 'file') writeFileSync(b, 'kept');
    else symlinkSync('nowhere', b);
    expect(moveIntoFree(file(folder, 'a'), b)).toBe(false);
    expect(readdirSync(folder)).toEqual(['a', 'b']);
    if (kind === 'file') expect(readFileSync(b, 'utf8')).toBe('kept');
  });
  it('reports a missing source', () => {
    const folder = temporaryFolder();
    expect(() => moveIntoFree(join(folder, 'none'), join(folder, 'b'))).toThrow('ENOENT');
  });
});

it('temporaryPath differs each time, and never starts like an endpoint', () => {
  const names = Array.from({ length: 50 }, () => temporaryPath('/r').slice(3));
  expect(names.every((name) => TEMPORARY_NAME.test(name))).toBe(true);
  expect(new Set(names).size).toBe(50);
});
