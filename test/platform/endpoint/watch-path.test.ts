import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { watchPath } from '../../../platform/endpoint/watch-path.ts';
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
