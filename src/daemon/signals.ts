import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { loadNative, type Native, type NativeAbsence } from '../../platform/native/native.ts';

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

/** How long a file operation under way may still take at the end, and how often it is looked at (ms). */
const FILE_MS = 100;
const LOOK_MS = 5;

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
      // What ended the process while it was still being loaded goes only now: without any listener the signal itself would.
      const before = process.listeners(signal);
      process.on(signal, () => {
        if (signal === 'SIGHUP' && onHangUp !== undefined) return onHangUp();
        if (stopping) void leave(128 + constants.signals[signal], signal);
        stopping = true;
        resolve({ signal });
      });
      for (const listener of before) process.off(signal, listener);
    }
  });
}

/**
 * Ends the process now. An exit waits for file operations under way, and one on a dead mount never ends: then the system is
 * asked to end it with that code. Where it cannot be asked, the signal itself ends it, as it does a program that does not
 * handle it.
 */
export async function leave(
  code: number,
  signal: StopRequest['signal'],
  given?: Native | NativeAbsence,
): Promise<void> {
  for (let waited = 0; isFileBusy() && waited < FILE_MS; waited += LOOK_MS) await delay(LOOK_MS);
  if (!isFileBusy()) process.exit(code);
  const native = given ?? (await loadNative());
  if (native.kind === 'loaded') native.endProcess(code);
  for (const name of STOPPING) process.removeAllListeners(name);
  process.kill(process.pid, signal);
}

function isFileBusy(): boolean {
  return process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));
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
