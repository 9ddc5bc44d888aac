import type { Rule } from './rule.ts';
import type { Json } from './ruling.ts';

/** Reason for which a presence is shown or hidden. */
export type Reason =
  | { readonly kind: 'no-rule' }
  | { readonly kind: 'rules'; readonly rules: readonly Rule[] }
  /** No rule matches, and such apps are hidden. */
  | { readonly kind: 'otherwise' }
  /** A rule may match, once the name of the application or of the program is known. */
  | { readonly kind: 'unknown'; readonly rule: Rule }
  /** `until` in ms since the Unix epoch; null until the user resumes. */
  | { readonly kind: 'paused'; readonly until: number | null }
  | { readonly kind: 'away' }
  /** The process of the app has ended, and another process keeps its connection open. */
  | { readonly kind: 'ended' }
  /** The game was detected, and an app of the same application has connected. */
  | { readonly kind: 'connected' }
  /** Only one app is shown at a time. */
  | { readonly kind: 'one' };

/** What becomes of the activity that an app has set. */
export type Standing =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'shown';
      /** The activity that others may see: the app's own object where no rule changes it. */
      readonly activity: Json;
      readonly only: readonly string[] | undefined;
      readonly reason: Reason;
    }
  | { readonly kind: 'hidden'; readonly reason: Reason }
  /** `waitsFor`: the session that is shown instead. */
  | { readonly kind: 'waiting'; readonly waitsFor: string; readonly reason: Reason };

/** Whether two standings let others see the same. */
export function isSameView(a: Standing, b: Standing): boolean {
  const [one, other] = [a, b].map((standing) => (standing.kind === 'shown' ? standing : undefined));
  return one?.activity === other?.activity && one?.only === other?.only;
}
