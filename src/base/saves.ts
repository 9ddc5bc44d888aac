import type * as zod from 'zod';

/** Result of a save. A failed save leaves the last saved state in place. */
export type SaveResult =
  | { readonly kind: 'saved' }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      /** A retry cannot succeed. */
      readonly final?: true;
      /** True if the revocations since the last successful save are marked, so that no load restores their records. */
      readonly marked?: true;
    };

/** Whether a change outlives the bridge. A change that is not stored is in force until the bridge ends. */
export type Stored =
  | { readonly stored: true }
  | {
      readonly stored: false;
      readonly reason: string;
      /** Whether a restart restores what the change removed; only for a revocation. */
      readonly comesBack?: boolean;
    };

/** Fields of {@link Stored} in the result of an operation, made by the caller's zod. */
export const storedFields = (boolean: typeof zod.boolean, string: typeof zod.string) => ({
  /** Whether the change outlives the bridge; otherwise `reason` says why not, and it holds until the bridge ends. */
  stored: boolean(),
  reason: string().optional(),
});

/** The fields for the answer of an operation. */
export function storedOf(result: SaveResult): Stored {
  return result.kind === 'saved' ? { stored: true } : { stored: false, reason: result.reason };
}

/** Result of a save into memory; `unstored` is the reason why the state is not in a file, where that is a fault. */
export function memorySaveResult(unstored: string | undefined): SaveResult {
  return unstored === undefined ? { kind: 'saved' } : { kind: 'failed', reason: unstored, final: true };
}

/** First and maximum delay before a failed save is retried (ms). Each delay is twice the previous one. */
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;

/** Calls a task once after a delay in ms; the returned function cancels it. */
interface Timers {
  setTimeout(task: () => void, ms: number): () => void;
}

/** Timers that do not keep the process alive. */
const ownTimers: Timers = {
  setTimeout(task, ms) {
    const timer = setTimeout(task, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** One attempt to save. Never rejects. */
type Save = () => Promise<SaveResult>;

/** The saves of one state. The newest one is retried until it succeeds. */
export class Saves {
  readonly #clock: Timers;
  readonly #running = new Set<Promise<SaveResult>>();
  /** The newest save, if it failed. */
  #failed: Save | undefined;
  #latest: Promise<SaveResult> = Promise.resolve({ kind: 'saved' });
  /** Number of saves so far: only the result of the newest save decides whether a retry is needed. */
  #turn = 0;
  #delay = FIRST_RETRY_MS;
  #cancelRetry: () => void = () => {};

  constructor(clock: Timers = ownTimers) {
    this.#clock = clock;
  }

  /** Result of the newest save, also while it runs; saved where there was none. */
  get latest(): Promise<SaveResult> {
    return this.#latest;
  }

  /** Runs a save, and retries it by `again` until it or a later save succeeds. */
  async run(save: Save, again: Save = save): Promise<SaveResult> {
    this.#turn += 1;
    const turn = this.#turn;
    this.#cancelRetry();
    const running = save();
    this.#latest = running;
    this.#running.add(running);
    const result = await running;
    this.#running.delete(running);
    if (turn === this.#turn) this.#settle(again, result);
    return result;
  }

  #settle(again: Save, result: SaveResult): void {
    const isOver = result.kind === 'saved' || result.final === true;
    this.#failed = isOver ? undefined : again;
    if (isOver) {
      this.#delay = FIRST_RETRY_MS;
      return;
    }
    this.#cancelRetry = this.#clock.setTimeout(() => void this.run(again), this.#delay);
    this.#delay = Math.min(this.#delay * 2, MAX_RETRY_MS);
  }

  /** Waits for running saves, and retries once if the last one failed. */
  async close(): Promise<void> {
    while (this.#running.size > 0) await Promise.all([...this.#running]);
    if (this.#failed !== undefined) await this.run(this.#failed);
    this.#cancelRetry();
  }
}
