import { type FSWatcher, watch } from 'node:fs';

/**
 * Delay from a cue to the attempt that it starts (ms): a socket's file appears before its server listens, and a process
 * that creates and removes files without end must not keep the client busy.
 */
const SETTLE_MS = 50;

/** Waits that end early when an endpoint appears. Watching does not keep the process alive. */
export interface EndpointWait {
  /** Watches every folder that exists now. */
  readonly arm: () => void;
  /** Stops watching, and ends the wait. */
  readonly disarm: () => void;
  /** Clears the cues so far, and returns whether there were any cues. */
  readonly take: () => boolean;
  /** Resolves after `ms`, or earlier at a cue. Does not keep the process alive without `hold`. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Holds the process alive until the end of the current sleep. */
  readonly hold: () => void;
}

/** @param endpoints paths whose creation or removal is a cue */
export function createEndpointWait(endpoints: () => Iterable<string>): EndpointWait {
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
          // The old watch is closed, because the folder may have been removed and created again, which ends a watch.
          watchers.get(folder)?.close();
          watchers.set(folder, watcher);
        } catch {
          // The folder does not exist, the system has no watch left, or the endpoint is a named pipe: the next attempt
          // starts by the timer.
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
