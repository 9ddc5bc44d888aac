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
} from '../../../platform/files/private-file.ts';
import { holderName } from '../../../platform/process/holder-name.ts';
import { isLinux, isRoot } from '../../helpers/fault-bridge.ts';
import { modeOf, NOBODY } from '../../helpers/other-user.ts';
import { mountSmallDisk } from '../../helpers/small-disk.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';
import { temporaryOf } from '../../helpers/temporary-name.ts';

it('a write without a lock removes the temporary file of a dead process for its file, and nothing else', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'world');
  const namespace = /\d+$/.exec(holderName())?.[0];
  // Larger than the number of any process.
  const dead = `.world.footbridge-4194399-1-${namespace}.new`;
  const stays = [
    '.other.footbridge-4194399-1-0.new',
    '.world.footbridge-4194399-1-7.new',
    `.world.footbridge-${process.ppid}-0-${namespace}.new`,
    '.world.footbridge-x.new',
    'world.2024.new',
    'world.4194399.new',
    'world.new',
  ];
  for (const name of [dead, ...stays]) writeFileSync(join(folder, name), 'part');
  writePrivateFile(path, 'whole', { unlocked: true });
  expect(readdirSync(folder).sort()).toEqual([...stays, 'world'].sort());
  writePrivateFile(path, 'under a lock');
  expect(readdirSync(folder).sort()).toEqual([...stays, 'world'].sort());
});

it('a file with a name of maximal length is written without a lock', () => {
  const path = join(temporaryFolder(), 'x'.repeat(255));
  writePrivateFile(path, 'whole', { unlocked: true });
  expect(readFileSync(path, 'utf8')).toBe('whole');
});

it.skipIf(!isRoot)('a folder that cannot be listed can be written to (needs root)', () => {
  const folder = temporaryFolder();
  chownSync(folder, NOBODY, NOBODY);
  chmodSync(folder, 0o300);
  process.seteuid?.(NOBODY);
  try {
    writePrivateFile(join(folder, 'file'), 'whole', { unlocked: true });
  } finally {
    process.seteuid?.(0);
  }
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('whole');
});

describe.each([
  ['at once', async (path: string, text: string) => writePrivateFile(path, text)],
  ['without waiting', writeLargePrivateFile],
])('a private file, written %s', (_, write) => {
  it('is whole, accessible to its owner only, and leaves no temporary file, whatever the umask', async () => {
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

  it('replaces the temporary file of an interrupted write, and follows no link at its path', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'file');
    const victim = join(folder, 'victim');
    writeFileSync(victim, 'mine');
    symlinkSync(victim, temporaryOf(path));
    await write(path, 'one');
    writeFileSync(temporaryOf(path), 'half of');
    await write(path, 'two');
    expect(readFileSync(path, 'utf8')).toBe('two');
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    expect(readdirSync(folder).sort()).toEqual(['file', 'victim']);
  });

  it('replaces a link, and leaves the target of the link alone', async () => {
    const folder = temporaryFolder();
    const path = join(folder, 'file');
    writeFileSync(`${path}.victim`, 'mine');
    symlinkSync(`${path}.victim`, path);
    await write(path, 'ours');
    expect(lstatSync(path).isFile()).toBe(true);
    expect(readFileSync(`${path}.victim`, 'utf8')).toBe('mine');
  });

  it('is unchanged when the temporary file cannot be created, and the obstacle is left alone', async () => {
    const path = join(temporaryFolder(), 'file');
    await write(path, 'old');
    mkdirSync(temporaryOf(path));
    await expect(write(path, 'new')).rejects.toThrow('EEXIST');
    expect(readFileSync(path, 'utf8')).toBe('old');
    expect(lstatSync(temporaryOf(path)).isDirectory()).toBe(true);
  });

  it.skipIf(!isRoot)('leaves the file of another user at the temporary path alone (needs root)', async () => {
    const path = join(temporaryFolder(), 'file');
    writeFileSync(temporaryOf(path), 'theirs');
    chownSync(temporaryOf(path), NOBODY, NOBODY);
    await expect(write(path, 'new')).rejects.toThrow('EEXIST');
    expect(readFileSync(temporaryOf(path), 'utf8')).toBe('theirs');
  });

  it.skipIf(!isRoot || !isLinux)(
    'is unchanged when the disk is full (needs root to mount a small tmpfs)',
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
  it('changes neither an existing folder nor its parents', () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o755);
    makeFolder(folder);
    makeFolder(join(folder, 'new'));
    expect([modeOf(folder), modeOf(join(folder, 'new'))]).toEqual([0o755, 0o700]);
    expect(() => makeFolder('/')).not.toThrow();
  });

  it('reports a file at the path or above it', () => {
    const path = join(temporaryFolder(), 'file');
    writeFileSync(path, '');
    expect(() => makeFolder(path)).toThrow('EEXIST');
    expect(() => makeFolder(join(path, 'below'))).toThrow('ENOTDIR');
  });

  it.skipIf(!isLinux)('fails where no folder can be created (needs /proc of Linux)', () => {
    for (const path of ['/proc/nope', '/proc/nope/deeper/still'])
      expect(() => makeFolder(path)).toThrow('ENOENT');
  });

  it('accepts a link to a folder, and rejects a dangling link', () => {
    const folder = temporaryFolder();
    symlinkSync(folder, join(folder, 'link'));
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'));
    makeFolder(join(folder, 'link', 'below'));
    expect(existsSync(join(folder, 'below'))).toBe(true);
    expect(() => makeFolder(join(folder, 'dangling'))).toThrow('EEXIST');
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });
});

describe('the protection of a file', () => {
  it.each([
    [{ uid: 7, mode: 0o100600 }, 7, undefined],
    [{ uid: 0, mode: 0o100644 }, 7, undefined],
    [{ uid: 8, mode: 0o100600 }, 7, 'it belongs to another user (uid 8)'],
    [{ uid: 7, mode: 0o100602 }, 7, 'every user may write to it'],
    [{ uid: 8, mode: 0o100666 }, undefined, undefined],
  ])('with the status %j for user %j has the fault %j', (status, owner, fault) => {
    expect(ownerFault(status, owner)).toBe(fault);
  });

  it('is tightened to mode 0600, and a link to the file is refused', () => {
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
