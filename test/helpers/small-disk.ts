import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, type TestContext } from 'vitest';

const run = (program: string, ...args: string[]): void =>
  void execFileSync(program, args, { stdio: 'ignore' });

/** Mounts a tmpfs of 64 KiB over a folder until the test ends; the test is skipped where that is not permitted. */
export function mountSmallDisk(folder: string, context: TestContext, how: 'rw' | 'ro' = 'rw'): void {
  try {
    run('mount', '-t', 'tmpfs', '-o', `${how},size=64k,mode=0700`, 'none', folder);
  } catch {
    context.skip('mounting a tmpfs is not permitted here');
  }
  onTestFinished(() => run('umount', folder));
}

/** Fills the disk of a folder; the returned function makes room again. */
export function fillDisk(folder: string): () => void {
  const path = join(folder, 'filler');
  expect(() => {
    for (;;) writeFileSync(path, 'x'.repeat(4096), { flag: 'a' });
  }).toThrow('ENOSPC');
  return () => rmSync(path);
}

/** Lets a folder only be read, also by a program with open files in it; the returned function ends that before the test ends. */
function makeReadOnly(folder: string): () => void {
  run('mount', '--bind', folder, folder);
  let isMounted = true;
  const end = (): void => {
    if (isMounted) run('umount', folder);
    isMounted = false;
  };
  onTestFinished(end);
  run('mount', '-o', 'remount,bind,ro', folder);
  return end;
}

/** What can befall the disk of a folder, with the reason that an error states for it. */
export const diskFaults = [
  { name: 'a full disk', begin: fillDisk, reason: 'the disk is full (ENOSPC)' },
  { name: 'a read-only disk', begin: makeReadOnly, reason: 'its disk can only be read (EROFS)' },
] as const;
