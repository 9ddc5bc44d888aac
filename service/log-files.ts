import { existsSync } from 'node:fs';
import { logFilesIn } from '../platform/files/log-files.ts';
import type { Command, LogSource } from './manager.ts';

/** The option of `run` that makes the bridge write its log to files, for a manager that stores none. */
const LOG_FILES_FLAG = '--log-files';

/** The same command line, with the log in files. */
export function withLogFiles(argv: Command): Command {
  return [...argv, LOG_FILES_FLAG];
}

/** The existing log files in a folder. */
export function logFiles(folder: string | undefined): LogSource {
  if (folder === undefined) return { kind: 'none', reason: 'no service is installed' };
  const paths = logFilesIn(folder).filter((path) => existsSync(path));
  if (paths.length > 0) return { kind: 'files', paths };
  return { kind: 'none', reason: `nothing has been logged to ${folder} yet` };
}
