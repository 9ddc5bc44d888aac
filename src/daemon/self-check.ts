import {
  CheckedPath,
  type RestorableSocket,
  restoreSocket,
  socketErrorText,
} from '../../platform/endpoint/checked-path.ts';
import type { watchPath } from '../../platform/endpoint/watch-path.ts';
import type { Logger } from '../server/options.ts';

/** Interval of the checks (ms), where the system does not report a change. */
const INTERVAL_MS = 10_000;

/** A watched socket, and the texts for reports about it. */
export interface Watched {
  readonly socket: RestorableSocket;
  readonly path: string;
  /** Name of the socket in reports, such as `endpoint`. */
  readonly what: string;
  /** Consequence of its loss. */
  readonly without: string;
}

/** Options of {@link watchSockets}. */
export interface WatchOptions {
  readonly logger: Logger;
  /** Called every 10 s, for sockets that are watched elsewhere. */
  readonly alsoCheck?: () => void;
  /** Follows changes at a path; for tests. */
  readonly watch?: typeof watchPath;
}

/**
 * Checks whether the path of each socket still leads to that socket, after each change and every 10 s. A deleted socket
 * is restored, and a replaced socket is left to its new owner. Each change is logged once. Returns a function that stops
 * the checks.
 */
export function watchSockets(all: readonly Watched[], options: WatchOptions): () => void {
  const checks = all.map((one) => {
    const check = new CheckedPath(one.path, checkOf(one, options.logger), options.watch);
    check.follow();
    return check;
  });
  const timer = setInterval(() => {
    for (const check of checks) void check.run();
    options.alsoCheck?.();
  }, INTERVAL_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    for (const check of checks) void check.stop();
  };
}

function checkOf({ socket, path, what, without }: Watched, logger: Logger): () => Promise<void> {
  let state: 'ours' | 'lost' = 'ours';
  return async () => {
    const before = state;
    const wasDeleted = isDeleted(socket);
    let reason: string | undefined;
    try {
      reason = await restoreSocket(socket, path);
    } catch (error) {
      reason = socketErrorText(path, error, 'runtime');
    }
    state = reason === undefined ? 'ours' : 'lost';
    if (reason !== undefined) {
      if (before === 'ours')
        logger.warn({ path, reason }, `the ${what} was taken, moved or deleted: ${without}`);
    } else if (wasDeleted) logger.warn({ path }, `the ${what} was deleted: it is restored`);
    else if (before === 'lost') logger.info({ path }, `the ${what} is ours again`);
  };
}

function isDeleted(socket: RestorableSocket): boolean {
  try {
    return socket.deleted();
  } catch {
    // The folder cannot be searched, so nothing is known about the socket.
    return false;
  }
}
