import type { Pattern } from './pattern.ts';
import type { Condition, Droppable, Replaceable, Rule } from './rule.ts';
import { Text } from './text.ts';

/** A JSON object of an app. */
export type Json = { readonly [key: string]: unknown };

/** An app, as rules see it. */
export interface AppFacts {
  readonly clientId: string;
  /** Name of the application; undefined where no client has named it yet. */
  readonly applicationName: string | undefined;
  /** Names of the app's program: name, file name and path; empty where the system does not tell. */
  readonly programs: readonly string[];
}

/** The names of an app, prepared for many comparisons. */
export interface AppTexts {
  readonly clientId: Text;
  readonly applicationName: Text | undefined;
  readonly programs: readonly Text[];
}

/** Prepares the names of an app. */
export function appTexts({ clientId, applicationName, programs }: AppFacts): AppTexts {
  return {
    clientId: new Text(clientId),
    applicationName: applicationName === undefined ? undefined : new Text(applicationName),
    programs: programs.map((program) => new Text(program)),
  };
}

/** The texts of an activity that rules read, each prepared at its first comparison. */
class ActivityTexts {
  readonly #activity: Json;
  readonly #texts = new Map<string, Text | undefined>();
  #images: readonly Text[] | undefined;

  constructor(activity: Json) {
    this.#activity = activity;
  }

  get type(): unknown {
    return this.#activity['type'] ?? 0;
  }

  /** A text of the activity; undefined where it has none. */
  text(field: 'name' | 'details' | 'state'): Text | undefined {
    if (this.#texts.has(field)) return this.#texts.get(field);
    const value = this.#activity[field];
    const text = typeof value === 'string' ? new Text(value) : undefined;
    this.#texts.set(field, text);
    return text;
  }

  /** The texts of its pictures. */
  get images(): readonly Text[] {
    const { large_text, small_text } = Object(this.#activity['assets']) as Json;
    this.#images ??= [large_text, small_text].flatMap((text) =>
      typeof text === 'string' ? [new Text(text)] : [],
    );
    return this.#images;
  }
}

/** What the rules say of one app and its activity. */
export interface Ruling {
  /** The rule that decides whether the app is shown; undefined where none does. */
  readonly hide: { readonly hidden: boolean; readonly rule: Rule; readonly isCertain: boolean } | undefined;
  readonly drop: ReadonlySet<Droppable>;
  readonly replace: { readonly [R in Replaceable]?: string };
  readonly only: readonly string[] | undefined;
  readonly giveWayTo: readonly Pattern[];
  readonly rank: number;
  /** Rules that have an effect, least specific first. */
  readonly matched: readonly Rule[];
  /** Whether a rule matches by facts that are known. */
  readonly isCertain: boolean;
}

/** The ruling where no rule matches. */
export const NO_RULING: Ruling = {
  hide: undefined,
  drop: new Set(),
  replace: {},
  only: undefined,
  giveWayTo: [],
  rank: 0,
  matched: [],
  isCertain: false,
};

type Verdict = 'yes' | 'no' | 'unknown';

/**
 * Applies rules in the order of their specificity, least specific first, action by action: `drop` adds up, of every other
 * action the most specific rule decides. A rule that depends on a fact that is not known yet protects: it hides, drops,
 * replaces and restricts as if it matched, and does nothing else.
 */
export function rulingOf(rules: readonly Rule[], app: AppTexts, activity: Json): Ruling {
  const texts = new ActivityTexts(activity);
  const matching: (readonly [Rule, Verdict])[] = [];
  for (const rule of rules) {
    const verdict = verdictOf(rule, app, texts);
    if (verdict === 'yes' || (verdict === 'unknown' && protects(rule))) matching.push([rule, verdict]);
  }
  if (matching.length === 0) return NO_RULING;
  const drop = new Set<Droppable>();
  const replace: { [R in Replaceable]?: string } = {};
  let { hide, only, giveWayTo, rank } = NO_RULING;
  for (const [rule, verdict] of matching) {
    const isCertain = verdict === 'yes';
    for (const field of rule.drop ?? []) drop.add(field);
    Object.assign(replace, rule.replace);
    // Clients of a rule that may not match are none that a rule that does match forbids.
    only =
      isCertain || only === undefined || rule.only === undefined
        ? (rule.only ?? only)
        : only.filter((name) => rule.only?.includes(name));
    if (rule.hide === true || (isCertain && rule.hide !== undefined))
      hide = { hidden: rule.hide, rule, isCertain };
    if (!isCertain) continue;
    giveWayTo = rule.giveWayTo ?? giveWayTo;
    rank = rule.rank ?? rank;
  }
  const isCertain = matching.some(([, verdict]) => verdict === 'yes');
  return { hide, drop, replace, only, giveWayTo, rank, matched: matching.map(([rule]) => rule), isCertain };
}

/** Whether a rule lets others see less. */
function protects({ hide, drop, replace, only }: Rule): boolean {
  return hide === true || drop !== undefined || replace !== undefined || only !== undefined;
}

/** Whether a pattern names this app, by application id or name. */
export function isApp(pattern: Pattern, app: AppTexts): boolean {
  return appVerdict(pattern, app) === 'yes';
}

function verdictOf({ conditions, type }: Rule, app: AppTexts, activity: ActivityTexts): Verdict {
  if (type !== undefined && type !== activity.type) return 'no';
  let verdict: Verdict = 'yes';
  for (const [condition, pattern] of conditions) {
    const one = conditionVerdict(condition, pattern, app, activity);
    if (one === 'no') return 'no';
    if (one === 'unknown') verdict = 'unknown';
  }
  return verdict;
}

function conditionVerdict(
  condition: Condition,
  pattern: Pattern,
  app: AppTexts,
  activity: ActivityTexts,
): Verdict {
  switch (condition) {
    case 'app':
      return appVerdict(pattern, app);
    case 'program':
      if (app.programs.length === 0) return 'unknown';
      return yesOrNo(app.programs.some((program) => pattern.matches(program)));
    case 'text':
      return yesOrNo(activity.images.some((text) => pattern.matches(text)));
    case 'name': {
      // An activity without a name is shown with the name of its application.
      const name = activity.text('name') ?? app.applicationName;
      return name === undefined ? 'unknown' : yesOrNo(pattern.matches(name));
    }
    case 'details':
    case 'state': {
      const text = activity.text(condition);
      return yesOrNo(text !== undefined && pattern.matches(text));
    }
  }
}

function appVerdict(pattern: Pattern, { clientId, applicationName }: AppTexts): Verdict {
  if (pattern.matches(clientId)) return 'yes';
  if (applicationName !== undefined) return yesOrNo(pattern.matches(applicationName));
  // An id can match no name.
  return /^\d{1,20}$/.test(pattern.source) ? 'no' : 'unknown';
}

function yesOrNo(value: boolean): Verdict {
  return value ? 'yes' : 'no';
}
