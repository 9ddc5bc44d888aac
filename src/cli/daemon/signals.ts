import { constants } from 'node:os';

const STOPPING = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Why the daemon is to stop. */
export interface StopRequest {
  readonly signal: (typeof STOPPING)[number];
}

/**
 * Resolves at the first SIGTERM, SIGINT or SIGHUP. A second one ends the process at once, with 128 plus the signal's
 * number as a shell would tell it. With `onHangUp` a SIGHUP calls that instead.
 */
export function untilStopped(onHangUp?: () => void): Promise<StopRequest> {
  return new Promise((resolve) => {
    let stopping = false;
    // An exit waits for file operations that hang (a FIFO, a dead mount): from there on a signal is the system's again.
    process.on('exit', () => {
      for (const signal of STOPPING) process.removeAllListeners(signal);
    });
    for (const signal of STOPPING) {
      process.on(signal, () => {
        if (signal === 'SIGHUP' && onHangUp !== undefined) return onHangUp();
        if (stopping) process.exit(128 + constants.signals[signal]);
        stopping = true;
        resolve({ signal });
      });
    }
  });
}

/** Without a listener Node answers SIGUSR1 with an inspector port, which gives the whole process to whoever connects. */
export function withoutInspector(): void {
  process.on('SIGUSR1', () => {});
}
