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
  // A loop, because a chain of presences may be longer than the stack.
  const decide = (start: Candidate): void => {
    const open = [{ one: start, at: 0 }];
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const { one, at } = last;
      const other = named(one.giveWayTo)[at];
      const state = other && states.get(other);
      last.at += 1;
      // A visited presence of a circle counts as absent, so that the circle ends.
      states.set(one, 'visiting');
      if (other === undefined) states.set(one, 'shown');
      else if (other.clientId === one.clientId) continue;
      else if (state === undefined) {
        last.at = at;
        open.push({ one: other, at: 0 });
      } else if (state === 'shown') {
        states.set(one, 'waits');
        waits.set(one.session, other);
      }
      if (states.get(one) !== 'visiting') open.pop();
    }
  };
  // From the last: of a circle, the presence that is visited first waits.
  for (const one of [...candidates].sort(byRank).reverse()) if (!states.has(one)) decide(one);
  return waits;
}
