import { execFileSync, spawnSync } from 'node:child_process';
import { basename, join, resolve } from 'node:path';
import { root } from '../../.ci/bundle.ts';
import { temporaryFolder } from '../helpers/sockets.ts';

export const WARNINGS = ['-Wall', '-Wextra', '-Wconversion', '-Wshadow', '-Wundef', '-pedantic', '-Werror'];
export const POSIX = '-D_POSIX_C_SOURCE=200809L';

/** Whether a program of this name can be started. */
export const isThere = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

/** For the name of a test: which program this machine lacks; empty for one that it has. */
export const missing = (program: string): string =>
  isThere(program) ? '' : ` (not run: there is no ${program} on this machine)`;

/** Compiles a program, given by its path from this folder; its file ends with the test. @returns its path */
export function compiled(source: string, compiler: string, ...flags: readonly string[]): string {
  const program = join(temporaryFolder(), basename(source, '.c'));
  execFileSync(compiler, ['-std=gnu99', resolve(root, 'test/native', source), ...flags, '-o', program]);
  return program;
}

/** A frame of the protocol. */
export function frame(opcode: number, body: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(body));
  const header = Buffer.alloc(8);
  header.writeUInt32LE(opcode, 0);
  header.writeUInt32LE(text.length, 4);
  return Buffer.concat([header, text]);
}
