import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { LocalError, systemCode } from '../../src/base/local-error.ts';

/**
 * Runs `fn` with a umask that restricts a new file to its owner. The umask determines a socket's mode at the bind, and
 * `server.listen(path)` binds before it returns, so the socket never has a wider mode. `fn` must do its work
 * synchronously. A worker thread cannot set the umask of its process. In a worker thread, other users must not have
 * access to the folder of `path`, the file that `fn` creates; otherwise the function throws `LocalError`
 * FOOTBRIDGE_WORKER_THREAD.
 */
export function withTightUmask<T>(fn: () => T, path?: string): T {
  let previous: number;
  try {
    previous = process.umask(0o177);
  } catch (error) {
    if (systemCode(error) !== 'ERR_WORKER_UNSUPPORTED_OPERATION') throw error;
    requireClosedFolder(path);
    return fn();
  }
  try {
    return fn();
  } finally {
    process.umask(previous);
  }
}

function requireClosedFolder(path: string | undefined): void {
  // A pipe of Windows has no folder and no umask.
  if (process.platform === 'win32') return;
  const folder = path === undefined ? undefined : dirname(path);
  if (folder !== undefined && (statSync(folder).mode & 0o077) === 0) return;
  throw new LocalError(
    'FOOTBRIDGE_WORKER_THREAD',
    `A worker thread cannot listen in ${folder ?? 'a folder that is not known'}: it cannot set the umask, and the ` +
      'folder is open to others. Start the bridge in the main thread, or make the folder 0700.',
  );
}
