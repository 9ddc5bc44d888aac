import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What only the process as a whole has: its clock, which a test puts a fake in place of, and its memory. */
export const OF_THE_PROCESS = /\b(?:useFakeTimers|retryDelays|liveBytes)\(/;

/** What starts a process of the built program, or of the bundled command line. */
export const STARTS_PROGRAM =
  /\b(?:startDaemon\((?!\{\s*command)|startDaemonProcess\(|startFootbridge\(|footbridgeCommand\(|await footbridge\()/;

/** The test files that say something, as paths from `root`. */
export function testFilesWith(root: string, words: RegExp): string[] {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join('test', name))
    .filter((path) => words.test(readFileSync(join(root, path), 'utf8')));
}
