import { execFileSync } from 'node:child_process';
import { onTestFinished, type TestContext } from 'vitest';

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
