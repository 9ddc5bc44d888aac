import type { Clock } from '../../../kernel/clock.ts';
import type { Log } from '../../../kernel/log.ts';
import type { Revocation } from './revocation.ts';
import { emptyState, type StoredState } from './state.ts';
import type { SaveResult, Store } from './store.ts';

/** The first wait before a failed save is tried again, and the longest: each is twice the one before (ms). */
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;

/** Keeps a state in a store, and tries again until what could not be written is. Nothing here rejects. */
export class StateKeeper {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #saves = new Set<Promise<unknown>>();
  /** What the store last failed to write. */
  #unsaved: StoredState | undefined;
  /** Counts saves: only the newest says whether there is something left to do. */
  #turn = 0;
  #delay = FIRST_RETRY_MS;
  #cancelRetry: () => void = () => {};

  constructor(store: Store, clock: Clock, log: Log) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  /** The state that was kept, or an empty one. */
  async load(): Promise<StoredState> {
    const loaded = await this.#store.load();
    if (loaded.kind !== 'loaded') return emptyState;
    // What was taken back while the file could not be written is still in it.
    if (loaded.stale === true) void this.save(loaded.state);
    return loaded.state;
  }

  /** Resolves when the state, or a later one, is kept or could not be; `revoked` names what it no longer holds. */
  async save(state: StoredState, revoked?: Revocation): Promise<SaveResult> {
    this.#turn += 1;
    const turn = this.#turn;
    this.#cancelRetry();
    const save = this.#store.save(state, revoked).catch((error: unknown): SaveResult => {
      const reason = `the store failed: ${error instanceof Error ? error.name : typeof error}`;
      this.#log.warn(reason);
      return { kind: 'failed', reason };
    });
    this.#saves.add(save);
    const result = await save;
    this.#saves.delete(save);
    if (turn === this.#turn) this.#settle(state, result);
    return result;
  }

  #settle(state: StoredState, result: SaveResult): void {
    const isOver = result.kind === 'saved' || result.final === true;
    this.#unsaved = isOver ? undefined : state;
    if (isOver) {
      this.#delay = FIRST_RETRY_MS;
      return;
    }
    this.#cancelRetry = this.#clock.setTimeout(() => void this.save(state), this.#delay);
    this.#delay = Math.min(this.#delay * 2, LONGEST_RETRY_MS);
  }

  /** Waits for what is being written, and tries once more what could not be. */
  async close(): Promise<void> {
    while (this.#saves.size > 0) await Promise.all([...this.#saves]);
    if (this.#unsaved !== undefined) await this.save(this.#unsaved);
    this.#cancelRetry();
  }
}
