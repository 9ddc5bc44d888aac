import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  makeFolder,
  ownerFault,
  tightenFile,
  writeLargePrivateFile,
  writePrivateFile,
} from '../../platform/private-file.ts';
import { isLinux, isRoot } from '../helpers/fault-bridge.ts';
import { modeOf, NOBODY } from '../helpers/other-user.ts';
import { mountSmallDisk } from '../helpers/small-disk.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

it('a write without a lock removes what a killed process left under its own number, and nothing else', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'world.jsonl');
  // Larger than the number of any process.
  for (const name of ['4194399.new', `${process.ppid}.new`, 'x.new'])
    writeFileSync(`${path}.${name}`, 'part');
  writePrivateFile(path, 'whole', { unlocked: true });
  expect(readdirSync(folder).sort()).toEqual([
    'world.jsonl',
    `world.jsonl.${process.ppid}.new`,
    'world.jsonl.x.new',
  ]);
});

describe.each([
  ['at once', async (path: string, text: string) => writePrivateFile(path, text)],
  ['without waiting', writeLargePrivateFile],
])('a private file, written %s', (_, write) => {
  it('is whole, for its owner alone, and leaves nothing beside it, whatever the umask', async () => {
    const path = join(temporaryFolder(), 'a', 'b', 'file');
    for (const umask of [0, 0o077, 0o777]) {
      const before = process.umask(umask);
      try {
        if (umask !== 0o777) makeFolder(join(path, '..'));
        await write(path, `text ${umask}`);
      } finally {
        process.umask(before);
      }
      expect(readFileSync(path, 'utf8')).toBe(`text ${umask}`);
      expect(modeOf(path)).toBe(0o600);
    }
    expect(readdirSync(join(path, '..'))).toEqual(['file']);
    expect(modeOf(join(path, '..'))).toBe(0o700);
  });

  it('replaces what a write left that was interrupted, and follows no link there', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'file');
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'mine');
    symlinkSync(victim, `${path}.new`);
    await write(path, 'one');
    writeFileSync(`${path}.new`, 'half of');
    await write(path, 'two');
    expect(readFileSync(path, 'utf8')).toBe('two');
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    expect(readdirSync(folder).sort()).toEqual(['file', 'victim']);
  });

  it('replaces a link by a file, and not what it leads to', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'file');
    writeFileSync(`${path}.victim`, 'mine');
    symlinkSync(`${path}.victim`, path);
    await write(path, 'ours');
    expect(lstatSync(path).isFile()).toBe(true);
    expect(readFileSync(`${path}.victim`, 'utf8')).toBe('mine');
  });

  it('stays as it was when the new one cannot be written, and leaves what is not ours', async () => {
    const path = join(temporaryFolder(), 'file');
    await write(path, 'old');
    mkdirSync(`${path}.new`);
    await expect(write(path, 'new')).rejects.toThrow('EEXIST');
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(lstatSync(`${path}.new`).isDirectory()).toBe(true);
  });

  it.skipIf(!isRoot)(
    "leaves another user's file where the new one would stand (skipped: needs root)",
    async () => {
      const path = join(temporaryFolder(), 'file');
      writeFileSync(`${path}.new`, 'theirs');
      chownSync(`${path}.new`, NOBODY, NOBODY);
      await expect(write(path, 'new')).rejects.toThrow('EEXIST');
      expect(readFileSync(`${path}.new`, 'utf8')).toBe('theirs');
    },
  );

  it.skipIf(!isRoot || !isLinux)(
    'stays as it was when the disk is full (skipped: needs root to mount a small tmpfs)',
    async (context) => {
      const folder = temporaryFolder();
      mountSmallDisk(folder, context);
      const path = join(folder, 'file');
      await write(path, 'old');
      await expect(write(path, 'x'.repeat(200_000))).rejects.toThrow('ENOSPC');
      expect(readFileSync(path, 'utf8')).toBe('old');
      expect(readdirSync(folder)).toEqual(['file']);
      await write(path, 'small');
      expect(readFileSync(path, 'utf8')).toBe('small');
    },
  );
});

describe('makeFolder', () => {
  it('leaves one that is there as it is, and those above it', () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o755);
    makeFolder(folder);
    makeFolder(join(folder, 'new'));
    expect([modeOf(folder), modeOf(join(folder, 'new'))]).toEqual([0o755, 0o700]);
    expect(() => makeFolder('/')).not.toThrow();
  });

  it('says that a file stands there, or above', () => {
    const path = join(temporaryFolder(), 'file');
    writeFileSync(path, '');
    expect(() => makeFolder(path)).toThrow('EEXIST');
    expect(() => makeFolder(join(path, 'below'))).toThrow('ENOTDIR');
  });

  it.skipIf(!isLinux)('ends where no folder can be made (skipped: /proc is of Linux)', () => {
    for (const path of ['/proc/nope', '/proc/nope/deeper/still'])
      expect(() => makeFolder(path)).toThrow('ENOENT');
  });

  it('takes a link to a folder for one, and not one that leads nowhere', () => {
    const folder = temporaryFolder();
    symlinkSync(folder, join(folder, 'link'));
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'));
    makeFolder(join(folder, 'link', 'below'));
    expect(existsSync(join(folder, 'below'))).toBe(true);
    expect(() => makeFolder(join(folder, 'dangling'))).toThrow('EEXIST');
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });
});

describe('who owns a file', () => {
  it.each([
    [{ uid: 7, mode: 0o100600 }, 7, undefined],
    [{ uid: 0, mode: 0o100644 }, 7, undefined],
    [{ uid: 8, mode: 0o100600 }, 7, 'it belongs to another user (uid 8)'],
    [{ uid: 7, mode: 0o100602 }, 7, 'every user may write to it'],
    [{ uid: 8, mode: 0o100666 }, undefined, undefined],
  ])('%j for user %j: %j', (status, owner, fault) => {
    expect(ownerFault(status, owner)).toBe(fault);
  });

  it('decides whose mode is changed; no link is followed to it', () => {
    const path = join(temporaryFolder(), 'file');
    writeFileSync(path, '');
    chmodSync(path, 0o644);
    symlinkSync(path, `${path}.link`);
    expect(() => tightenFile(`${path}.link`)).toThrow('ELOOP');
    expect(modeOf(path)).toBe(0o644);
    tightenFile(path);
    expect(modeOf(path)).toBe(0o600);
  });
});
