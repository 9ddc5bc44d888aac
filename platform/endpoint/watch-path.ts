import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { inFolder } from '../files/held-folder.ts';
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
 * Calls `changed` soon after an entry appears, changes or disappears at the path, its folder included: within 20 ms for a
 * single change, and with growing pauses while changes go on. Other entries of the folder are ignored. Where the system
 * cannot watch a folder, `changed` is never called, and the caller's own checks have to suffice. Returns a function that
 * ends the watch.
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
  /** Watches the nearest folder that exists and may be read; its parent reports when that changes. */
  const follow = (): void => {
    let [folder, entry] = [dirname(path), basename(path)];
    for (;;) {
      if (folder === watched) return;
      if (isFolder(folder) && watchFolder(folder, entry)) return;
      const above = dirname(folder);
      if (above === folder) return stop();
      [folder, entry] = [above, basename(folder)];
    }
  };
  const watchFolder = (folder: string, entry: string): boolean => {
    try {
      const fresh = inFolder(folder, (direct) => {
        // A change of the folder itself has the last name of the watched path, which must be the same for every watch.
        const at = direct === folder ? folder : `${direct}/.`;
        return watch(at, { persistent: false }, (_event, name) => {
          if (name === null || name === entry || name === basename(at)) changedNow();
        });
      });
      stop();
      watcher = fresh;
      watched = folder;
      fresh.on('error', () => {
        stop();
        changedNow();
      });
      return true;
    } catch {
      // Watches are limited in number (inotify(7), max_user_watches), and a folder may not be readable.
      return false;
    }
  };
  const changedNow = (): void => {
    if (ended || timer !== undefined) return;
    // A folder that changes all the time would wake this process for every change, also during a pause.
    stop();
    const now = performance.now();
    changes = now - changedAt > CALM_MS ? 1 : changes + 1;
    changedAt = now;
    const growth = 1.5 ** Math.max(0, changes - PROMPT_CHANGES);
    timer = setTimeout(
      () => {
        timer = undefined;
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

function isFolder(path: string): boolean {
  try {
    return lstatOf(path)?.isDirectory() === true;
  } catch {
    return false;
  }
}
