import type { Clock } from '../../../kernel/clock.ts';
import type { Log } from '../../../kernel/log.ts';
import type { Revocation } from './revocation.ts';
import { emptyState, type StoredState } from './state.ts';
import type { SaveResult, Store } from './store.ts';

/** First and maximum delay before a failed save is retried (ms). Each delay is twice the previous one. */
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 60_000;

/** Saves a state in a store, and retries until it succeeds. Never rejects. */
export class StateStorage {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #saves = new Set<Promise<unknown>>();
  /** The state of the last failed save. */
  #unsaved: StoredState | undefined;
  /** Number of saves so far: only the result of the newest save decides whether a retry is needed. */
  #turn = 0;
  #delay = FIRST_RETRY_MS;
  #cancelRetry: () => void = () => {};

  constructor(store: Store, clock: Clock, log: Log) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  /** The stored state, or an empty one. */
  async load(): Promise<StoredState> {
    const loaded = await this.#store.load();
    if (loaded.kind !== 'loaded') return emptyState;
    // The loaded file still contains records whose revocation could not be saved, so the state is saved again.
    if (loaded.stale === true) void this.save(loaded.state);
    return loaded.state;
  }

  /**
   * Resolves when this state, or a later one, was saved or could not be saved; `revoked` identifies the removed
   * records.
   */
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
    this.#delay = Math.min(this.#delay * 2, MAX_RETRY_MS);
  }

  /** Waits for running saves, and retries once if the last one failed. */
  async close(): Promise<void> {
    while (this.#saves.size > 0) await Promise.all([...this.#saves]);
    if (this.#unsaved !== undefined) await this.save(this.#unsaved);
    this.#cancelRetry();
  }
}
