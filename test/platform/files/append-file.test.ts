import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { appendTo } from '../../../platform/files/append-file.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

/** A disk with room for so many bytes: a write takes what fits, and the next fails. */
function smallDisk(room: number) {
  let left = room;
  return {
    write(fd: number, bytes: Uint8Array, offset: number): number {
      if (left === 0) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
      const count = Math.min(left, bytes.byteLength - offset);
      left -= count;
      return writeSync(fd, bytes, offset, count);
    },
    close: closeSync,
  };
}

it('a file on a full disk ends after its last whole piece, and its close reports the error', () => {
  const path = join(temporaryFolder(), 'file');
  const file = appendTo(openSync(path, 'w'), smallDisk(10));
  expect([file.append('one\n'), file.append('two\n'), file.append('three\n'), file.append('4\n')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(file.close()).toMatch(/ENOSPC/);
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
});

it('a file whose close fails reports the error, and accepts no further piece', () => {
  const file = appendTo(openSync(join(temporaryFolder(), 'file'), 'w'), {
    write: (fd, bytes, offset) => writeSync(fd, bytes, offset),
    close(fd) {
      closeSync(fd);
      throw Object.assign(new Error('EDQUOT: disk quota exceeded'), { code: 'EDQUOT' });
    },
  });
  expect(file.append('one\n')).toBe(true);
  expect(file.close()).toMatch(/EDQUOT/);
  expect(file.append('two\n')).toBe(false);
});
