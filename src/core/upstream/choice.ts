import type { SaveResult } from '../../base/saves.ts';
import { matches } from './client-name.ts';
import type { Client } from './clients.ts';

/** The user's choice among the clients. */
export interface Choice {
  /** Name of the client that answers requests; null: the first that answers. */
  readonly primary: string | null;
  /** Patterns of the clients that get presence; null: every client. */
  readonly only: readonly string[] | null;
  /**
   * Paths of clients of one build, by their names: a number would belong to another client after a restart in which one
   * of them answers later.
   */
  readonly places?: Readonly<Record<string, string>> | undefined;
}

/** Storage of the choice. */
export interface ChoiceStore {
  readonly load: () => Choice;
  readonly save: (choice: Choice) => SaveResult;
}

export const FREE_CHOICE: Choice = { primary: null, only: null };

/** Stores the choice in memory. */
export function memoryChoiceStore(save: () => SaveResult = () => ({ kind: 'saved' })): ChoiceStore {
  let choice = FREE_CHOICE;
  return {
    load: () => choice,
    save(changed) {
      choice = changed;
      return save();
    },
  };
}

/**
 * Whether a client is selected by each list of patterns, of which undefined and null select every client. `unknown`
 * until READY has told the account that decides.
 */
export function isSelected(
  client: Pick<Client, 'name' | 'user'>,
  ...lists: readonly (readonly string[] | null | undefined)[]
): boolean | 'unknown' {
  let verdict: boolean | 'unknown' = true;
  for (const list of lists) {
    if (list == null) continue;
    const found = list.map((pattern) => matches(pattern, client));
    if (found.includes(true)) continue;
    if (!found.includes('unknown')) return false;
    verdict = 'unknown';
  }
  return verdict;
}
