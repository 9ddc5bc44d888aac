import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { loadNative, type Native, type NativeAbsence } from '../../platform/native/native.ts';

/**
 * Signals that request the end of the process: from a service manager, the keyboard (Ctrl+C, Ctrl+\), a terminal that
 * closes, or the limit of processor time.
 */
export const STOPPING = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGXCPU'] as const;
/**
 * Signals that have no meaning for a bridge but would end the process and leave its socket behind. Timers outlive an
 * `exec`, so the alarm of a launcher can arrive here. On SIGUSR1, Node opens an inspector port, which gives every
 * client full control of the process.
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

/** Grace period for a file operation in progress at the end, and the interval of its checks (ms). */
const FILE_MS = 100;
const POLL_MS = 5;

/** The process that receives the signals and ends; a test substitutes its own. */
export type SignalledProcess = Pick<
  NodeJS.Process,
  | 'on'
  | 'off'
  | 'listeners'
  | 'removeAllListeners'
  | 'getActiveResourcesInfo'
  | 'exit'
  | 'kill'
  | 'pid'
  | 'execArgv'
  | 'env'
>;

/** Reason to stop the daemon. */
export interface StopRequest {
  readonly signal: (typeof STOPPING)[number];
}

/**
 * Resolves at the first signal that requests the end. A second signal ends the process at once, with code 128 plus the
 * signal's number, as a shell reports it. With `onHangUp`, SIGHUP only calls that function.
 */
export function untilStopped(onHangUp?: () => void, own: SignalledProcess = process): Promise<StopRequest> {
  return new Promise((resolve) => {
    let stopping = false;
    // The exit of Node waits for file operations that hang (a FIFO, a dead mount). Without these listeners, a signal
    // during the exit has the system's default effect and ends the process.
    own.on('exit', () => {
      for (const signal of STOPPING) own.removeAllListeners(signal);
    });
    for (const signal of STOPPING) {
      // The handler of the loading phase is removed only after the new one is set, because a signal without any
      // listener would end the process.
      const before = own.listeners(signal);
      own.on(signal, () => {
        if (signal === 'SIGHUP' && onHangUp !== undefined) return onHangUp();
        if (stopping) void leave(128 + constants.signals[signal], signal, undefined, own);
        stopping = true;
        resolve({ signal });
      });
      for (const listener of before) own.off(signal, listener);
    }
  });
}

/**
 * Ends the process now. `process.exit` waits for file operations in progress, and one on a dead mount never ends; in
 * that case a native call ends the process with `code`. Without native calls, the signal itself ends the process, as it
 * ends a program without a handler.
 */
export async function leave(
  code: number,
  signal: StopRequest['signal'],
  loaded?: Native | NativeAbsence,
  own: SignalledProcess = process,
): Promise<void> {
  for (let waited = 0; isFileBusy(own) && waited < FILE_MS; waited += POLL_MS) await delay(POLL_MS);
  if (!isFileBusy(own)) return own.exit(code);
  const native = loaded ?? (await loadNative());
  if (native.kind === 'loaded') return native.endProcess(code);
  for (const name of STOPPING) own.removeAllListeners(name);
  own.kill(own.pid, signal);
}

function isFileBusy(own: SignalledProcess): boolean {
  return own.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));
}

/** Makes every stray signal harmless: from now on it only calls `listener`. */
export function ignoreStraySignals(
  listener: (signal: (typeof STRAY)[number]) => void = () => {},
  own: SignalledProcess = process,
): void {
  for (const signal of STRAY) {
    // Node's own profiler needs SIGPROF.
    if (signal === 'SIGPROF' && isProfiled(own)) continue;
    own.on(signal, () => listener(signal));
  }
}

function isProfiled({ execArgv, env }: SignalledProcess): boolean {
  return [...execArgv, env['NODE_OPTIONS'] ?? ''].some((flags) => /--(?:cpu-)?prof/.test(flags));
}
