import { constants } from 'node:os';

/** What asks for the end: a manager, the keyboard (Ctrl+C, Ctrl+\), a terminal that closes, the limit of processor time. */
export const STOPPING = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGXCPU'] as const;
/**
 * What means nothing to us and would end the process with its socket left behind. Timers outlive an `exec`, so that a
 * launcher's alarm can come here. To SIGUSR1 Node opens an inspector port: the whole process to whoever connects.
 */
const STRAY = [
  'SIGUSR1',
  'SIGUSR2',
  'SIGALRM',
  'SIGVTALRM',
  'SIGPROF',
  'SIGIO',
  'SIGPWR',
  'SIGSTKFLT',
] as const;

/** Why the daemon is to stop. */
export interface StopRequest {
  readonly signal: (typeof STOPPING)[number];
}

/**
 * Resolves at the first signal that asks for the end. A second one ends the process at once, with 128 plus the signal's
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
 * Ends the process now. An exit waits for file operations under way, and one on a dead mount never ends: then
 * the signal itself ends it, as it does a program that does not handle it.
 */
export function leave(code: number, signal: StopRequest['signal']): void {
  if (!process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))) process.exit(code);
  for (const name of STOPPING) process.removeAllListeners(name);
  process.kill(process.pid, signal);
}

/** From now on a stray signal does nothing but call `listener`. */
export function ignoreStraySignals(listener: (signal: (typeof STRAY)[number]) => void = () => {}): void {
  for (const signal of STRAY) {
    // Node's own profiler lives on this one.
    if (signal === 'SIGPROF' && isProfiled()) continue;
    process.on(signal, () => listener(signal));
  }
}

function isProfiled(): boolean {
  return [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some((flags) =>
    /--(?:cpu-)?prof/.test(flags),
  );
}
