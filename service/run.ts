import { execFile } from 'node:child_process';
import type { Runner } from './manager.ts';

/** Time limit for a manager that does not answer (ms). Stopping the bridge takes up to 2.5 s. */
const MANAGER_TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;

/**
 * Returns the function that really runs programs, in this environment and without input. A program that exceeds the time
 * limit or the limit of its output is killed.
 */
export function programRunner(
  env: Readonly<Record<string, string | undefined>>,
  timeoutMs: number = MANAGER_TIMEOUT_MS,
): Runner {
  return ([file, ...args]) =>
    new Promise((resolve, reject) => {
      const child = execFile(
        file,
        args,
        // The output is for the user, in any language, and is not parsed; only numbers and keys, which are the same in
        // every language, are evaluated.
        { env, timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: MAX_OUTPUT_BYTES, windowsHide: true },
        (error, stdout, stderr) => {
          if (error !== null && child.pid === undefined) return reject(error);
          const code = error === null ? 0 : typeof error.code === 'number' ? error.code : undefined;
          resolve({ code, stdout, stderr });
        },
      );
      child.stdin?.end();
    });
}
