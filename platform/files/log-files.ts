import { join } from 'node:path';

/**
 * The two log files of a service whose manager stores none, oldest first: the second is moved to the first when full.
 */
export function logFilesIn(folder: string): readonly [older: string, current: string] {
  return [join(folder, 'footbridge.1.log'), join(folder, 'footbridge.log')];
}
