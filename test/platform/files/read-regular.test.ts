import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readRegularFile } from '../../../platform/files/read-regular.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

it.each([0, 1, 9, 10])('readRegularFile reads a file of %i bytes of at most 10', (size) => {
  const path = join(temporaryFolder(), 'f');
  writeFileSync(path, 'x'.repeat(size));
  expect(readRegularFile(path, 10)).toEqual(new TextEncoder().encode('x'.repeat(size)));
});

it('readRegularFile refuses a larger file, a folder, a missing file and, without blocking, a FIFO', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'large'), 'x'.repeat(11));
  mkdirSync(join(folder, 'folder'));
  expect(() => readRegularFile(join(folder, 'large'), 10)).toThrow('larger than 10 bytes');
  expect(() => readRegularFile(join(folder, 'folder'), 10)).toThrow('it is no regular file');
  expect(() => readRegularFile(join(folder, 'none'), 10)).toThrow('ENOENT');
  if (process.platform === 'win32') return;
  execFileSync('mkfifo', [join(folder, 'fifo')]);
  expect(() => readRegularFile(join(folder, 'fifo'), 10)).toThrow('it is no regular file');
});
