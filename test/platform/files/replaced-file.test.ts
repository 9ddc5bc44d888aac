import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openReplaced } from '../../../platform/files/replaced-file.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

it('a file is unchanged until its replacement begins, and then has all appended text', () => {
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, 'something that is longer');
  chmodSync(path, 0o666);
  const file = openReplaced(path);
  expect(file.append('one\n')).toBe(true);
  expect(readFileSync(path, 'utf8')).toBe('something that is longer');
  file.begin();
  expect(file.append('two\n')).toBe(true);
  expect(file.close()).toBeUndefined();
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it('an abandoned replacement leaves the old file, and no new one', () => {
  const folder = temporaryFolder();
  const [old, fresh] = [join(folder, 'old'), join(folder, 'fresh')];
  writeFileSync(old, 'mine');
  for (const path of [old, fresh]) {
    const file = openReplaced(path);
    file.append('one\n');
    expect(file.abandon()).toBe(true);
  }
  expect(readFileSync(old, 'utf8')).toBe('mine');
  expect(existsSync(fresh)).toBe(false);
});

it('a replacement that has begun cannot be abandoned', () => {
  const path = join(temporaryFolder(), 'file');
  const file = openReplaced(path);
  file.begin();
  file.append('one\n');
  expect(file.abandon()).toBe(false);
  expect(file.close()).toBeUndefined();
  expect(readFileSync(path, 'utf8')).toBe('one\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it.skipIf(process.platform !== 'linux')('a full device rejects the first append', () => {
  const file = openReplaced('/dev/full');
  expect(file.append('one\n')).toBe(false);
  expect(file.close()).toContain('ENOSPC');
});
