import type { Pattern } from './pattern.ts';

/** Fields of an activity that a rule may drop. `assets` is every image with its text. */
export const DROPPABLE = [
  'name',
  'details',
  'state',
  'details_url',
  'state_url',
  'assets',
  'large_image',
  'large_text',
  'large_url',
  'small_image',
  'small_text',
  'small_url',
  'timestamps',
  'party',
  'secrets',
  'buttons',
] as const;

/** A field that a rule may drop. */
export type Droppable = (typeof DROPPABLE)[number];

/** Texts of an activity that a rule may replace. */
export const REPLACEABLE = ['name', 'details', 'state', 'large_text', 'small_text'] as const;

/** A text that a rule may replace. */
export type Replaceable = (typeof REPLACEABLE)[number];

/** Conditions of a rule by their names in the configuration; `text` is the text of either image. */
export const CONDITIONS = ['app', 'program', 'name', 'details', 'state', 'text'] as const;

/** A condition of a rule. */
export type Condition = (typeof CONDITIONS)[number];

/** One `[[presence]]` of the configuration: conditions, which must all match, and actions. */
export interface Rule {
  /** File and line of the rule, for the user. */
  readonly place: string;
  readonly conditions: readonly (readonly [Condition, Pattern])[];
  /** Type of the activity. */
  readonly type?: number | undefined;
  /** True hides the app, false shows it although a less specific rule hides it. */
  readonly hide?: boolean | undefined;
  readonly drop?: readonly Droppable[] | undefined;
  readonly replace?: { readonly [R in Replaceable]?: string } | undefined;
  /** Patterns of the names of chat clients that may show the app. */
  readonly only?: readonly string[] | undefined;
  /** Apps that this one waits for while they are shown. */
  readonly giveWayTo?: readonly Pattern[] | undefined;
  /** Apps of a higher rank come first; 0 without a rule. */
  readonly rank?: number | undefined;
}

/** The rules of a bridge. */
export interface RuleSet {
  readonly rules: readonly Rule[];
  /** Treatment of an app that no rule matches. */
  readonly otherwise: 'show' | 'hide';
}

/**
 * Compares two rules: the one with more exact conditions is more specific, then with more regular expressions, then with
 * more wildcards; of equals the later one. The type counts as an exact condition.
 */
export function bySpecificity(rules: readonly Rule[]): readonly Rule[] {
  return rules
    .map((rule, index) => ({ rule, weight: [...weightOf(rule), index] }))
    .sort((a, b) => compare(a.weight, b.weight))
    .map(({ rule }) => rule);
}

function weightOf({ conditions, type }: Rule): readonly [exact: number, regex: number, wildcard: number] {
  const count = (kind: Pattern['kind']): number =>
    conditions.filter(([, pattern]) => pattern.kind === kind).length;
  return [count('exact') + (type === undefined ? 0 : 1), count('regex'), count('wildcard')];
}

function compare(a: readonly number[], b: readonly number[]): number {
  // Both end with the position of their rule, so they differ somewhere.
  const at = a.findIndex((value, index) => value !== b[index]);
  return Number(a[at]) - Number(b[at]);
}
