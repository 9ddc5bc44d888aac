import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { watchPath } from '../../../platform/endpoint/watch-path.ts';
import { eventually } from '../../helpers/eventually.ts';
import { temporaryFolder } from '../../helpers/sockets.ts';

function watched(path: string) {
  let calls = 0;
  const waiting = new Set<() => void>();
  const stop = watchPath(path, () => {
    calls += 1;
    for (const resolve of waiting) resolve();
  });
  onTestFinished(stop);
  return {
    stop,
    calls: () => calls,
    next: () => new Promise<void>((resolve) => void waiting.add(resolve)),
  };
}

it('watchPath reports that the file and its folders appear and disappear', async () => {
  const root = temporaryFolder();
  const path = join(root, 'app/org.a/socket');
  const { next } = watched(path);
  for (const change of [
    () => mkdirSync(join(root, 'app')),
    () => mkdirSync(join(root, 'app/org.a')),
    () => writeFileSync(path, ''),
    () => rmSync(path),
    () => rmSync(join(root, 'app'), { recursive: true }),
    () => mkdirSync(join(root, 'app/org.a'), { recursive: true }),
    () => writeFileSync(path, ''),
  ]) {
    const changed = next();
    change();
    await changed;
  }
});

it('watchPath reports many changes at once by few calls, and nothing after its end', async () => {
  const root = temporaryFolder();
  const path = join(root, 'socket');
  const { next, calls, stop } = watched(path);
  const changed = next();
  for (let at = 0; at < 200; at += 1) {
    writeFileSync(path, '');
    writeFileSync(join(root, `${at}`), '');
  }
  await changed;
  expect(calls()).toBe(1);
  stop();
  writeFileSync(path, '');
  const other = watched(path);
  const after = other.next();
  rmSync(path);
  await after;
  expect(calls()).toBe(1);
});

it('watchPath ignores other entries of the folder', async () => {
  const root = temporaryFolder();
  const path = join(root, 'socket');
  const { next, calls } = watched(path);
  writeFileSync(join(root, 'other'), '');
  const unrelated = watched(join(root, 'other'));
  const seen = unrelated.next();
  rmSync(join(root, 'other'));
  await seen;
  expect(calls()).toBe(0);
  const changed = next();
  writeFileSync(path, '');
  await changed;
});

/** Whether this process watches a folder, according to the kernel. */
function isWatched(folder: string): boolean {
  const inode = `ino:${statSync(folder).ino.toString(16)} `;
  return readdirSync('/proc/self/fdinfo').some((fd) => {
    try {
      return readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8').includes(inode);
    } catch {
      return false;
    }
  });
}

it.skipIf(process.platform !== 'linux')(
  'watchPath watches nothing during a pause, and again after it (Linux only)',
  async () => {
    const root = temporaryFolder();
    const path = join(root, 'socket');
    const { next } = watched(path);
    for (let change = 0; change < 27; change += 1) {
      const changed = next();
      writeFileSync(path, `${change}`);
      await changed;
      await eventually(() => expect(isWatched(root)).toBe(true));
    }
    const changed = next();
    writeFileSync(path, '');
    await eventually(() => expect(isWatched(root)).toBe(false));
    await changed;
    expect(isWatched(root)).toBe(true);
  },
);
