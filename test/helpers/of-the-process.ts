import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What only the process as a whole has: its clock, which a test puts a fake in place of, and its memory. */
const OF_THE_PROCESS = /\b(?:useFakeTimers|retryDelays|liveBytes)\(/;

/**
 * The test files that take the clock of their process or measure its memory, as paths from `root`. What a file before
 * them in the same process has left, a connection that is kept for the next request say, would set timers on their clock
 * and be counted.
 */
export function filesWithOwnProcess(root: string): string[] {
  return testFilesWith(root, OF_THE_PROCESS);
}

/** The test files that say something, as paths from `root`. */
export function testFilesWith(root: string, words: RegExp): string[] {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join('test', name))
    .filter((path) => words.test(readFileSync(join(root, path), 'utf8')));
}
