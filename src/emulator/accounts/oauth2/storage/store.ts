import { memorySaveResult, type SaveResult } from '../../../../base/saves.ts';
import type { Revocation } from './revocation.ts';
import { emptyState, type StoredState } from './state.ts';

/** Result of a load. A store never throws: an unreadable file is set aside, and the emulator starts empty. */
export type LoadResult =
  | { readonly kind: 'empty' }
  /** The loaded state. `stale` means that the file still contains revoked records, so `state` must be saved. */
  | { readonly kind: 'loaded'; readonly state: StoredState; readonly stale?: true }
  /** The file was not usable and has been renamed to `movedTo`. */
  | { readonly kind: 'quarantined'; readonly movedTo: string; readonly reason: string }
  /** The file could be neither read nor moved; it will not be overwritten. */
  | { readonly kind: 'unusable'; readonly reason: string };

/** Stores grants, tokens and keys across restarts. */
export interface Store {
  load(): Promise<LoadResult>;
  /**
   * Resolves when this state, or a later one, was saved or could not be saved. `revoked` identifies the removed
   * records.
   */
  save(state: StoredState, revoked?: Revocation): Promise<SaveResult>;
}

/**
 * A store in memory, which is lost with the process. Two emulators may use one store in turn, which imitates a restart.
 * `unstored` is the reason why the state is not in a file, where that is a fault.
 */
export function memoryStore(unstored?: string): Store {
  let stored: StoredState = emptyState;
  return {
    load: () =>
      Promise.resolve(stored === emptyState ? { kind: 'empty' } : { kind: 'loaded', state: stored }),
    save: (state) => {
      stored = state;
      return Promise.resolve(memorySaveResult(unstored));
    },
  };
}
