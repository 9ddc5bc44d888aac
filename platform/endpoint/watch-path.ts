import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';
import { lstatOf } from '../files/inode.ts';

/** Time from a change to the call (ms), so that a burst of changes causes one. */
const SETTLE_MS = 20;
/**
 * Number of changes after which the pauses grow, and the maximum pause (ms): a program in the sandbox may change the
 * folder without end.
 */
const PROMPT_CHANGES = 20;
const MAX_PAUSE_MS = 5000;
/** Time without a change after which the next one is reported at once again (ms). */
const CALM_MS = 10_000;

/**
 * Calls `changed` soon after an entry appears or disappears at the path, its folder included: within 20 ms for a single
 * change, and with growing pauses while changes go on. Where the system cannot watch a folder, `changed` is never called,
 * and the caller's own checks have to suffice. Returns a function that ends the watch.
 */
export function watchPath(path: string, changed: () => void): () => void {
  let watcher: FSWatcher | undefined;
  let watched: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let changes = 0;
  let changedAt = Number.NEGATIVE_INFINITY;
  let ended = false;

  const stop = (): void => {
    watcher?.close();
    watcher = undefined;
    watched = undefined;
  };
  const follow = (): void => {
    const folder = nearestFolder(dirname(path));
    if (folder === watched) return;
    stop();
    try {
      watcher = watch(folder, { persistent: false }, () => changedNow());
      watcher.on('error', () => {
        stop();
        changedNow();
      });
      watched = folder;
    } catch {
      // Watches are limited in number (inotify(7), max_user_watches).
      stop();
    }
  };
  const changedNow = (): void => {
    if (ended || timer !== undefined) return;
    const now = performance.now();
    changes = now - changedAt > CALM_MS ? 1 : changes + 1;
    changedAt = now;
    const growth = 1.5 ** Math.max(0, changes - PROMPT_CHANGES);
    timer = setTimeout(
      () => {
        timer = undefined;
        // A watch of a folder that was deleted and made again reports nothing, so it is renewed each time.
        stop();
        follow();
        changed();
      },
      Math.min(SETTLE_MS * growth, MAX_PAUSE_MS),
    ).unref();
  };
  follow();
  return () => {
    ended = true;
    clearTimeout(timer);
    stop();
  };
}

/** The folder itself, or the nearest one above it that exists. */
function nearestFolder(folder: string): string {
  let at = folder;
  for (;;) {
    const above = dirname(at);
    if (above === at || isFolder(at)) return at;
    at = above;
  }
}

function isFolder(path: string): boolean {
  try {
    return lstatOf(path)?.isDirectory() === true;
  } catch {
    return false;
  }
}
