import type { Revocation } from './revocation.ts';
import { emptyState, type StoredState } from './state.ts';

/** Result of a load. A store never throws: an unreadable file is set aside, and the emulator starts empty. */
export type LoadResult =
  | { readonly kind: 'empty' }
  /** `stale`: the stored state still contains revoked records; save this one. */
  | { readonly kind: 'loaded'; readonly state: StoredState; readonly stale?: true }
  /** The file was not usable and has been renamed to `movedTo`. */
  | { readonly kind: 'quarantined'; readonly movedTo: string; readonly reason: string }
  /** The file could be neither read nor moved; it will not be overwritten. */
  | { readonly kind: 'unusable'; readonly reason: string };

/** Result of a save: a failed one leaves the last saved state in place. */
export type SaveResult =
  | { readonly kind: 'saved' }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      /** A retry cannot succeed. */
      readonly final?: true;
      /** Revocations since the last successful save are marked, so that no load restores their records. */
      readonly marked?: true;
    };

/** Stores grants, tokens and keys across restarts. */
export interface Store {
  load(): Promise<LoadResult>;
  /** Resolves when this state, or a later one, was saved or failed. `revoked` identifies removed records. */
  save(state: StoredState, revoked?: Revocation): Promise<SaveResult>;
}

/** A store in memory, lost with the process. Two emulators may share one in turn, as across a restart. */
export function memoryStore(): Store {
  let stored: StoredState = emptyState;
  return {
    load: () =>
      Promise.resolve(stored === emptyState ? { kind: 'empty' } : { kind: 'loaded', state: stored }),
    save: (state) => {
      stored = state;
      return Promise.resolve({ kind: 'saved' });
    },
  };
}
