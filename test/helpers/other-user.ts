import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The user that is nobody, for tests that need a second one. */
export const NOBODY = 65534;

/** Who may do what with a file, and its special bits: the mode without the kind. Follows links. */
export const modeOf = (path: string): number => statSync(path).mode & 0o7777;

const READ_OR_ENTER = 0o005;
const ENTER = 0o001;

/** Whether every other user can read this file: its own mode, and those of all folders above it. */
export function othersCanRead(file: string): boolean {
  const path = realpathSync(file);
  if ((statSync(path).mode & READ_OR_ENTER & ~ENTER) === 0) return false;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & ENTER) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** A Node like ours that every user can run: ours may lie in a folder of one user only, as npx leaves it. */
export function nodeForOthers(): string {
  if (othersCanRead(process.execPath)) return process.execPath;
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'fb-node-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const copy = join(folder, 'node');
  copyFileSync(process.execPath, copy);
  chmodSync(copy, 0o755);
  chmodSync(folder, 0o755);
  return copy;
}

/** What a port of 127.0.0.1 answers to these bytes from a process of that user, up to the end of the connection. Needs root. */
export async function asNobody(port: number, request: string): Promise<string> {
  const script = `
    const socket = require('node:net').connect(${port}, '127.0.0.1', () => socket.write(process.argv[1]));
    socket.on('data', (chunk) => process.stdout.write(chunk));
  `;
  return outputAsNobody(script, request);
}

/** What a script prints that runs as that user with one argument, up to its end. Needs root. */
export async function outputAsNobody(script: string, argument: string): Promise<string> {
  const child = spawn(nodeForOthers(), ['-e', script, argument], {
    uid: NOBODY,
    gid: NOBODY,
    cwd: '/',
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += String(chunk);
  });
  await once(child, 'close');
  return out;
}
