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
        if (stopping) leave(128 + constants.signals[signal], signal);
        stopping = true;
        resolve({ signal });
      });
    }
  });
}

/**
 * Ends the process now. An exit waits for file operations under way, and one on a FIFO or a dead mount never ends: then
 * the signal itself ends it, as it does a program that does not handle it.
 */
export function leave(code: number, signal: StopRequest['signal']): void {
  if (!process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))) process.exit(code);
  for (const name of STOPPING) process.removeAllListeners(name);
  process.kill(process.pid, signal);
}

/** Without a listener Node answers SIGUSR1 with an inspector port, which gives the whole process to whoever connects. */
export function withoutInspector(): void {
  process.on('SIGUSR1', () => {});
}
