import { dirname } from 'node:path';
import { isLocalError, systemCode } from '../../src/base/local-error.ts';
import { type FolderSource, unusableFolder } from '../files/private-folder.ts';
import { describeObstacle } from './obstacle.ts';
import { watchPath } from './watch-path.ts';

/** A socket that can check whether its path still leads to the socket itself. */
export interface RestorableSocket {
  owned(): boolean;
  /** Whether the path is free. */
  deleted(): boolean;
  restore(): Promise<void>;
}

/** Runs a check of a path at the start, after each change at the path, and on request; never two at a time. */
export class CheckedPath {
  readonly #path: string;
  readonly #check: () => Promise<void>;
  readonly #watch: typeof watchPath;
  #stopWatch: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #again = false;

  /** `check` must not reject. */
  constructor(path: string, check: () => Promise<void>, watch = watchPath) {
    this.#path = path;
    this.#check = check;
    this.#watch = watch;
  }

  /** Follows changes from now on. */
  follow(): void {
    this.#stopWatch ??= this.#watch(this.#path, () => void this.run());
  }

  /** Runs the check; a request during a check causes one more. Resolves after the last one. */
  run(): Promise<void> {
    if (this.#running !== undefined) {
      this.#again = true;
      return this.#running;
    }
    const run = async (): Promise<void> => {
      do {
        this.#again = false;
        await this.#check();
      } while (this.#again);
      this.#running = undefined;
    };
    this.#running = run();
    return this.#running;
  }

  /** Ends the watch; resolves after the check that still runs. */
  async stop(): Promise<void> {
    this.#stopWatch?.();
    this.#again = false;
    await this.#running;
  }
}

/**
 * Restores a deleted socket, and leaves what has replaced it to its owner, who may have a right to the path. Returns why
 * the path does not lead to the socket; undefined where it does. Rejects with the error that prevented it.
 */
export async function restoreSocket(socket: RestorableSocket, path: string): Promise<string | undefined> {
  if (!socket.owned() && socket.deleted()) await socket.restore();
  if (socket.owned()) return undefined;
  return `${path} is taken: ${describeObstacle(path)}. Remove what is there: the socket comes back by itself.`;
}

/** The reason for an error about the socket at a path, as sentences with the remedy. */
export function socketErrorText(path: string, error: unknown, source: FolderSource): string {
  if (isLocalError(error)) return error.message;
  if (systemCode(error) !== undefined) return unusableFolder(dirname(path), error, source).message;
  return error instanceof Error ? error.message : String(error);
}
