import { existsSync } from 'node:fs';
import { logFilesIn } from '../platform/files/log-files.ts';
import type { Command, LogSource } from './manager.ts';

/** Option of `run` that makes the bridge write its log to files, for a manager that stores no log. */
const LOG_FILES_FLAG = '--log-files';

/** Returns the command line with the option for log files. */
export function withLogFiles(argv: Command): Command {
  return [...argv, LOG_FILES_FLAG];
}

/** Returns the existing log files in a folder, or the reason why there are none. */
export function logFiles(folder: string | undefined): LogSource {
  if (folder === undefined) return { kind: 'none', reason: 'no service is installed' };
  const paths = logFilesIn(folder).filter((path) => existsSync(path));
  if (paths.length > 0) return { kind: 'files', paths };
  return { kind: 'none', reason: `nothing has been logged to ${folder} yet` };
}
