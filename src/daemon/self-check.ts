import { isLocalError, systemCode } from '../base/local-error.ts';
import type { Logger } from '../server/options.ts';

/** How often the paths are looked at (ms). */
const INTERVAL_MS = 10_000;

/** A socket that knows whether its path still leads to it. */
interface Watchable {
  owned(): boolean;
  /** Whether nothing stands at the path. */
  deleted(): boolean;
  restore(): Promise<void>;
}

/** What is watched, and how it is told of. */
export interface Watched {
  readonly socket: Watchable;
  readonly path: string;
  /** Such as `endpoint`. */
  readonly what: string;
  /** What the loss of it means. */
  readonly without: string;
}

/**
 * Looks every 10 s whether others still find us. What was deleted is restored; what somebody else has put in its place is left
 * to them, for they may have the path by right. Each change is told once. Returns the way to stop.
 */
export function watchSockets(all: readonly Watched[], logger: Logger): () => void {
  const looks = all.map((one) => looker(one, logger));
  const timer = setInterval(() => {
    for (const look of looks) look();
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
