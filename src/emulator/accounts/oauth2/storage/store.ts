import type { Revocation } from './revocation.ts';
import { emptyState, type StoredState } from './state.ts';

/** How a load went. A store never throws: what cannot be read is set aside, and the emulator starts empty. */
export type LoadResult =
  | { readonly kind: 'empty' }
  /** `stale`: what was kept holds more than this, which was taken back since; save it again. */
  | { readonly kind: 'loaded'; readonly state: StoredState; readonly stale?: true }
  /** The file was not usable and has been renamed to `movedTo`. */
  | { readonly kind: 'quarantined'; readonly movedTo: string; readonly reason: string }
  /** The file could be neither read nor moved; nothing will be written over it. */
  | { readonly kind: 'unusable'; readonly reason: string };

/** How a save went: a failed one leaves the state of the last good save in place. */
export type SaveResult =
  | { readonly kind: 'saved' }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      /** No later try can do better. */
      readonly final?: true;
      /** What was taken back since the last good save is marked, so that no load brings it back. */
      readonly marked?: true;
    };

/** Keeps grants, tokens and keys over a restart. */
export interface Store {
  load(): Promise<LoadResult>;
  /** Resolves when this state, or a later one, is safely kept or could not be. `revoked` names what it no longer holds. */
  save(state: StoredState, revoked?: Revocation): Promise<SaveResult>;
}

/** A store that forgets everything with the process. Two emulators may share one in turn, as over a restart. */
export function memoryStore(): Store {
  let kept: StoredState = emptyState;
  return {
    load: () => Promise.resolve(kept === emptyState ? { kind: 'empty' } : { kind: 'loaded', state: kept }),
    save: (state) => {
      kept = state;
      return Promise.resolve({ kind: 'saved' });
    },
  };
}
