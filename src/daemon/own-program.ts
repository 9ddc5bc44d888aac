import { isSea } from 'node:sea';

/** Command that runs the program of this process. */
export function ownProgram(): readonly [string, ...string[]] {
  if (isSea()) return [process.execPath];
  return [process.execPath, process.argv[1] ?? ''];
}
