import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LogSource } from './manager.ts';

/** Names of the two log files, oldest first: the bridge writes to the last, and moves it to the first when it is full. */
const LOG_FILES = ['footbridge.1.log', 'footbridge.log'] as const;

/** The option of `run` that makes the bridge keep its log in files, for a manager that keeps none. */
const LOG_FILES_FLAG = '--log-files';

/** The same command line, with the log in files. */
export function withLogFiles(argv: readonly [string, ...string[]]): readonly [string, ...string[]] {
  return [...argv, LOG_FILES_FLAG];
}

/** The log files in a folder, as far as there are any. */
export function logFiles(folder: string | undefined): LogSource {
  if (folder === undefined) return { kind: 'none', reason: 'no service is installed' };
  const paths = LOG_FILES.map((name) => join(folder, name)).filter((path) => existsSync(path));
  if (paths.length > 0) return { kind: 'files', paths };
  return { kind: 'none', reason: `nothing has been logged to ${folder} yet` };
}
