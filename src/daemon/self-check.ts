import { isLocalError, systemCode } from '../base/local-error.ts';
import type { Logger } from '../server/options.ts';

/** Interval of the checks (ms). */
const INTERVAL_MS = 10_000;

/** A socket that can check whether its path still leads to the socket itself. */
interface Watchable {
  owned(): boolean;
  /** Whether the path is free. */
  deleted(): boolean;
  restore(): Promise<void>;
}

/** A watched socket, and the texts for reports about it. */
export interface Watched {
  readonly socket: Watchable;
  readonly path: string;
  /** Name of the socket in reports, such as `endpoint`. */
  readonly what: string;
  /** Consequence of its loss. */
  readonly without: string;
}

/**
 * Checks every 10 s whether the path of each socket still leads to that socket. A deleted socket is restored. A
 * replaced socket is left to its new owner, who may have a right to the path. Each change is logged once. `alsoCheck` is
 * called at each check, for sockets with a check of their own. Returns a function that stops the check.
 */
export function watchSockets(
  all: readonly Watched[],
  logger: Logger,
  alsoCheck: () => void = () => {},
): () => void {
  const checks = all.map((one) => looker(one, logger));
  const timer = setInterval(() => {
    for (const check of checks) check();
    alsoCheck();
  }, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

function looker({ socket, path, what, without }: Watched, logger: Logger): () => void {
  let state: 'ours' | 'lost' | 'restoring' = 'ours';
  const lost = (before: typeof state, reason?: string): void => {
    state = 'lost';
    if (before === 'lost') return;
    const fields = reason === undefined ? { path } : { path, reason };
    logger.warn(fields, `the ${what} was taken, moved or deleted: ${without}`);
  };
  const restore = async (before: typeof state): Promise<void> => {
    state = 'restoring';
    try {
      await socket.restore();
    } catch (error) {
      return lost(before, reasonOf(error));
    }
    if (!socket.owned()) return lost(before);
    state = 'ours';
    logger.warn({ path }, `the ${what} was deleted: it is restored`);
  };
  return () => {
    if (state === 'restoring') return;
    if (socket.owned()) {
      if (state === 'lost') logger.info({ path }, `the ${what} is ours again`);
      state = 'ours';
    } else if (socket.deleted()) void restore(state);
    else lost(state);
  };
}

function reasonOf(error: unknown): string {
  if (isLocalError(error)) return error.message;
  return systemCode(error) ?? (error instanceof Error ? error.message : String(error));
}
