import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { currentOs } from '../../platform/operating-system.ts';
import { dataFolder } from '../../src/daemon/data-folder.ts';
import { isLinux, isRoot } from '../helpers/fault-bridge.ts';
import { recordingLogger } from '../helpers/memory-bridge.ts';
import { modeOf, NOBODY } from '../helpers/other-user.ts';
import { mountSmallDisk } from '../helpers/small-disk.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

const os = await currentOs();

function use(path: string, chosen = true) {
  const { logger, log } = recordingLogger();
  return { ...dataFolder({ data: { kind: 'folder', path, chosen }, os, logger }), log };
}

/** A folder with that mode, whatever the umask. */
function folderOf(folderMode: number): string {
  const path = join(temporaryFolder(), 'theirs');
  mkdirSync(path);
  chmodSync(path, folderMode);
  return path;
}

describe('the data folder', () => {
  it('is created for the current user alone, with its parents', () => {
    const path = join(temporaryFolder(), 'a', 'b');
    expect(use(path)).toMatchObject({ kind: 'folder', path });
    expect([modeOf(path), modeOf(join(path, '..'))]).toEqual([0o700, 0o700]);
  });

  it.each([0o700, 0o755, 0o750, 0o500])('retains its mode when it exists (%o)', (folderMode) => {
    const path = folderOf(folderMode);
    // Root may write to any folder; another user is told about the last one.
    if (folderMode === 0o500 && !isRoot)
      expect(() => use(path)).toThrow('cannot be written to: you may not open it (EACCES)');
    else expect(use(path).kind).toBe('folder');
    expect(modeOf(path)).toBe(folderMode);
  });

  it.each([0o777, 0o775, 0o722, 0o1777, 0o2775])(
    'is refused and left unchanged when others can write to it (%o)',
    (folderMode) => {
      const path = folderOf(folderMode);
      for (const chosen of [true, false]) {
        expect(() => use(path, chosen)).toThrow(
          expect.objectContaining({
            code: 'FOOTBRIDGE_DATA',
            message: expect.stringContaining('--data-dir'),
          }),
        );
      }
      // Below a folder where others can replace what is theirs, none is proposed.
      const isSticky = (folderMode & 0o1000) !== 0;
      expect(() => use(path)).toThrow(
        isSticky ? join(path, 'footbridge') : `chmod go-w ${path}, or give another one`,
      );
      expect(() => use(path)).toThrow(`it has mode ${folderMode.toString(8).padStart(4, '0')}, so that`);
      expect(modeOf(path)).toBe(folderMode);
      expect(readdirSync(path)).toEqual([]);
    },
  );

  it('is refused when it or a parent is not a folder', () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, 'mine');
    for (const path of [file, join(file, 'below')]) {
      expect(() => use(path)).toThrow(`${path} cannot be used: it, or what is above it, is no folder`);
      expect(use(path, false)).toMatchObject({ kind: 'memory', log: [expect.anything()] });
    }
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  it.skipIf(!isLinux)('is refused at once where it cannot be created (needs /proc)', () => {
    expect(() => use('/proc/nope/deeper')).toThrow(
      'it cannot be made: there is no such file or folder (ENOENT)',
    );
    expect(use('/proc/nope', false).kind).toBe('memory');
  });

  it.skipIf(!isRoot)('is refused when it or a link to it belongs to another user (needs root)', () => {
    const path = folderOf(0o700);
    chownSync(path, NOBODY, NOBODY);
    expect(() => use(path)).toThrow('it belongs to another user (uid 65534)');
    expect(use(path, false).kind).toBe('memory');
    const link = `${path}.link`;
    symlinkSync(folderOf(0o700), link);
    expect(use(link).kind).toBe('folder');
    lchownSync(link, NOBODY, NOBODY);
    expect(() => use(link)).toThrow('it belongs to another user');
    const ours = `${path}.ours`;
    symlinkSync(path, ours);
    expect(() => use(ours)).toThrow('it belongs to another user (uid 65534)');
    expect(readdirSync(path)).toEqual([]);
  });

  it.skipIf(!isRoot || !isLinux)(
    'is refused on a read-only file system (needs root to mount one)',
    (context) => {
      const path = folderOf(0o700);
      mountSmallDisk(path, context, 'ro');
      expect(() => use(path)).toThrow('it cannot be written to: its disk can only be read (EROFS)');
      expect(() => use(join(path, 'below'))).toThrow('it cannot be made: its disk can only be read (EROFS)');
    },
  );
});

it('a data folder that nobody chose may be left out, and memory needs none', () => {
  const { logger, log } = recordingLogger();
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  expect(dataFolder({ data: { kind: 'folder', path: file }, os, logger })).toEqual({
    kind: 'memory',
    reason: `the data folder ${file} cannot be used: it, or what is above it, is no folder`,
  });
  const memory = { kind: 'memory' } as const;
  expect(dataFolder({ data: memory, os, logger })).toBe(memory);
  expect(log).toHaveLength(1);
});

it('a data folder belongs to anybody where there are no user ids', () => {
  const path = folderOf(0o777);
  const { logger } = recordingLogger();
  expect(dataFolder({ data: { kind: 'folder', path }, os: { uid: undefined }, logger })).toMatchObject({
    path,
  });
});
