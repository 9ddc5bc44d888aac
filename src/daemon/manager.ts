import { MANAGER_VARIABLES } from '../../platform/endpoint/activation.ts';
import type { Environment } from '../../platform/endpoint/endpoints.ts';
import type { Native, NativeAbsence } from '../../platform/native/native.ts';
import { LocalError } from '../base/local-error.ts';
import type { Logger } from '../server/options.ts';

/**
 * Link to the service manager that started this process, by sd_notify(3). Without NOTIFY_SOCKET its methods have no
 * effect.
 */
export interface ManagerLink {
  /** Reports that every listener is up, and starts the keep-alives if the manager runs a watchdog. */
  ready(status: string): void;
  /** Reports the shutdown, so that the manager does not mistake it for a hang. */
  stopping(): void;
}

/** Options of the link. */
export interface ManagerLinkOptions {
  readonly env: Environment;
  readonly native: Native | NativeAbsence;
  readonly logger: Logger;
  /** True for a process that Footbridge's own unit started: `managerLink` then throws when it cannot notify. */
  readonly strict: boolean;
  readonly pid?: number;
}

/** Keep-alives per watchdog period. The manager considers the process hung after one period without a keep-alive. */
const PER_PERIOD = 3;

/**
 * Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID. Throws `LocalError` FOOTBRIDGE_ACTIVATION when the unit waits
 * for a notification that cannot be sent, because the manager would kill the process after the start timeout, again and
 * again.
 */
export function managerLink({
  env,
  native,
  logger,
  strict,
  pid = process.pid,
}: ManagerLinkOptions): ManagerLink {
  const address = env['NOTIFY_SOCKET'] ?? '';
  if (address === '') return { ready: () => {}, stopping: () => {} };
  if (native.kind === 'absent') {
    if (strict) throw cannotNotify(native.reason);
    logger.warn({ reason: native.reason }, 'the service manager cannot be told that the bridge is ready');
    return { ready: () => {}, stopping: () => {} };
  }
  const notify = (message: string): void => {
    const result = native.notify(address, message);
    if (result.kind === 'unsent') logger.warn({ reason: result.reason }, 'the service manager was not told');
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    ready(status) {
      notify(`READY=1\nSTATUS=${status.replaceAll('\n', ' ')}`);
      const period = watchdogMs(env, pid);
      if (period === undefined) return;
      // The keep-alives come from the event loop itself: a loop that hangs answers no clients, and then the manager
      // must receive no keep-alives.
      timer = setInterval(() => notify('WATCHDOG=1'), period / PER_PERIOD);
      timer.unref();
    },
    stopping() {
      clearInterval(timer);
      notify('STOPPING=1');
    },
  };
}

/** Removes the manager's variables from our environment, so that no child uses them. */
export function forgetManager(env: Environment): void {
  for (const name of MANAGER_VARIABLES) Reflect.deleteProperty(env, name);
}

/** sd_watchdog_enabled(3). */
function watchdogMs(env: Environment, pid: number): number | undefined {
  const owner = env['WATCHDOG_PID'] ?? '';
  if (owner !== '' && owner !== String(pid)) return undefined;
  const text = env['WATCHDOG_USEC'] ?? '';
  const ms = /^\d{1,15}$/.test(text) ? Number(text) / 1000 : 0;
  return ms > 0 ? ms : undefined;
}

function cannotNotify(reason: string): LocalError {
  return new LocalError(
    'FOOTBRIDGE_ACTIVATION',
    `The unit waits to be told that the bridge is ready, and that cannot be done: ${reason}. ` +
      'Run "footbridge install" again: it writes a unit that does not wait.',
  );
}
