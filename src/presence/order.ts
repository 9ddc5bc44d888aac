import type { Pattern } from './pattern.ts';
import { type AppTexts, isApp } from './ruling.ts';

/** What determines the place of a presence among others. */
export interface Ranked {
  readonly rank: number;
  /** Time of the last change of what it shows (ms). */
  readonly changedAt: number;
}

/** A presence that no rule hides. */
export interface Candidate extends Ranked {
  readonly session: string;
  readonly clientId: string;
  readonly app: AppTexts;
  readonly giveWayTo: readonly Pattern[];
}

/** Orders presences: the higher rank first, then the more recent change. */
export function byRank(a: Ranked, b: Ranked): number {
  return b.rank - a.rank || b.changedAt - a.changedAt;
}

/**
 * Returns the presence that each waiting presence waits for, by session. A presence waits while an app to which it gives
 * way is shown. Where presences give way in a circle, the first in order is shown.
 */
export function waiting(candidates: readonly Candidate[]): ReadonlyMap<string, Candidate> {
  const waits = new Map<string, Candidate>();
  // The apps of one rule share its patterns, which are matched once: the cost grows with the apps, not with their square.
  const namedBy = new Map<readonly Pattern[], readonly Candidate[]>();
  const named = (patterns: readonly Pattern[]): readonly Candidate[] => {
    const found =
      namedBy.get(patterns) ??
      candidates.filter(({ app }) => patterns.some((pattern) => isApp(pattern, app)));
    namedBy.set(patterns, found);
    return found;
  };
  const states = new Map<Candidate, 'visiting' | 'shown' | 'waits'>();
  const isShown = (one: Candidate): boolean => {
    const known = states.get(one);
    // A visited presence of a circle counts as absent, so that the circle ends.
    if (known !== undefined) return known === 'shown';
    states.set(one, 'visiting');
    const first = named(one.giveWayTo).find((other) => other.clientId !== one.clientId && isShown(other));
    states.set(one, first === undefined ? 'shown' : 'waits');
    if (first !== undefined) waits.set(one.session, first);
    return first === undefined;
  };
  // From the last: of a circle, the presence that is visited first waits.
  for (const one of [...candidates].sort(byRank).reverse()) isShown(one);
  return waits;
}
