import { type SaveResult, Saves } from '../../../../base/saves.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { Log } from '../../../kernel/log.ts';
import type { Revocation } from './revocation.ts';
import { emptyState, type StoredState } from './state.ts';
import type { Store } from './store.ts';

/** Saves a state in a store, and retries until it succeeds. Never rejects. */
export class StateStorage {
  readonly #store: Store;
  readonly #log: Log;
  readonly #saves: Saves;

  constructor(store: Store, clock: Clock, log: Log) {
    this.#store = store;
    this.#log = log;
    this.#saves = new Saves(clock);
  }

  /** Result of the newest save, also while it runs. */
  get latest(): Promise<SaveResult> {
    return this.#saves.latest;
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
  save(state: StoredState, revoked?: Revocation): Promise<SaveResult> {
    return this.#saves.run(
      () => this.#save(state, revoked),
      () => this.#save(state),
    );
  }

  #save(state: StoredState, revoked?: Revocation): Promise<SaveResult> {
    return this.#store.save(state, revoked).catch((error: unknown): SaveResult => {
      const reason = `the store failed: ${error instanceof Error ? error.name : typeof error}`;
      this.#log.warn(reason);
      return { kind: 'failed', reason };
    });
  }

  /** Waits for running saves, and retries once if the last one failed. */
  close(): Promise<void> {
    return this.#saves.close();
  }
}
