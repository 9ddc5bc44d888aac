// What the writers of packages share: a folder to work in, files in it, and programs of the system.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './bundle.ts';

/** Calls `fill` with a temporary folder, which is removed when it has ended. */
export async function inFolder<T>(fill: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'footbridge-'));
  try {
    return await fill(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the text of a file of the checkout. */
export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Writes a file, and makes the folders above it. */
export function write(path: string, content: Uint8Array | string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content, { mode });
}

/** Returns what a program prints to stdout. Throws with its stderr when it fails. */
export function outputOf(program: string, args: readonly string[], options: object = {}): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { ...options, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}`);
  return stdout;
}
