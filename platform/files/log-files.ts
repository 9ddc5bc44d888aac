import { join } from 'node:path';

/**
 * Returns the two log files of a service whose manager stores no log, oldest first. When the second file is full, it
 * replaces the first.
 */
export function logFilesIn(folder: string): readonly [older: string, current: string] {
  return [join(folder, 'footbridge.1.log'), join(folder, 'footbridge.log')];
}
