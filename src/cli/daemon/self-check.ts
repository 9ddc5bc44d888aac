import type { Logger } from '../../server/options.ts';

/** How often the endpoint's path is looked at (ms). */
const INTERVAL_MS = 10_000;

/** What is watched: a transport that knows whether its path still leads to its socket. */
interface Watched {
  owned(): boolean;
}

/**
 * Looks every 10 s whether apps still find us, and says so once when they no longer do and once when they do again.
 * Nothing is taken back: whoever has the path now may have it by right. Returns the way to stop.
 */
export function watchEndpoint(watched: Watched, path: string, logger: Logger): () => void {
  let owned = true;
  const timer = setInterval(() => {
    const now = watched.owned();
    if (now === owned) return;
    owned = now;
    if (now) logger.info({ path }, 'the endpoint is ours again');
    else logger.warn({ path }, 'the endpoint was taken, moved or deleted: apps no longer find the bridge');
  }, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
