import { type FSWatcher, watch } from 'node:fs';

/**
 * From a cue to the try it causes, in milliseconds: a socket's file appears before anybody listens on it, and whoever
 * makes and removes one without end must not make us spin.
 */
const SETTLE_MS = 50;

/** Waits that end early when an endpoint appears. Watching keeps no process alive. */
export interface Wake {
  /** Watches every folder that exists now. */
  readonly arm: () => void;
  /** Stops watching, and ends the wait. */
  readonly disarm: () => void;
  /** Forgets the cues so far, and says whether there were any. */
  readonly take: () => boolean;
  /** Resolves after `ms`, or earlier at a cue. Keeps no process alive unless it is held. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Keeps the process alive until the end of the sleep that is under way. */
  readonly hold: () => void;
}

/** @param endpoints those whose appearance, or going, is a cue */
export function createWake(endpoints: () => Iterable<string>): Wake {
  const watchers = new Map<string, FSWatcher>();
  let cue = false;
  let timer: NodeJS.Timeout | undefined;
  let end = (): void => {};
  return {
    arm() {
      const paths = [...endpoints()];
      for (const folder of new Set(paths.map((path) => path.slice(0, path.lastIndexOf('/') + 1)))) {
        try {
          const watcher = watch(folder, { persistent: false }, (_event, name) => {
            if (cue || (name !== null && !paths.includes(folder + name))) return;
            cue = true;
            setTimeout(() => end(), SETTLE_MS).unref();
          });
          watcher.on('error', () => {});
          // A folder may have been removed and made anew since, which a watch does not survive.
          watchers.get(folder)?.close();
          watchers.set(folder, watcher);
        } catch {
          // No such folder, no watch left, or a named pipe: the next try comes by the clock.
        }
      }
    },
    disarm() {
      for (const watcher of watchers.values()) watcher.close();
      end();
    },
    take() {
      const taken = cue;
      cue = false;
      return taken;
    },
    hold: () => timer?.ref(),
    sleep: (ms) =>
      new Promise((resolve) => {
        timer = setTimeout(resolve, ms).unref();
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}
