import { pathPattern } from '../../faults/faults.ts';
import type { Journal } from '../../journal/journal.ts';

/** Rules of strict mode, each with what breaks it. */
export const RULES = {
  'unknown-field': 'a request with a field that its operation does not have',
  'unknown-route': 'a request to a route that the platform does not have',
  'not-offered': 'a request for what the platform has and the emulator lacks (501)',
  deprecated: 'a request with a deprecated field, or to a deprecated route',
  'unregistered-command': 'a use of a command that no bot has registered, or an answer to one',
  'second-acknowledgement': 'a second first answer to an interaction',
  'no-answer': 'an interaction without an answer within its time',
  'unhandled-refusal': 'a 4xx other than 429 that neither a fault nor the test asked for',
} as const;

/** Name of a rule of strict mode. */
export type Rule = keyof typeof RULES;

/** Names of all rules. */
export const ruleNames = Object.keys(RULES) as [Rule, ...Rule[]];

/** One breach of a rule of strict mode. */
export interface Violation {
  readonly rule: Rule;
  /** What broke the rule, such as `there is no field "colour"`. */
  readonly what: string;
  /** The place: a request such as `POST /channels/1/messages (create_message)`, or an interaction. */
  readonly where: string;
  /** Time of the emulator's clock, ISO 8601. */
  readonly at: string;
}

/** Maximum number of stored violations: the run has failed long before, and a flood must not fill the memory. */
const MAX_VIOLATIONS = 1000;

/** Violations of strict mode so far. While the mode is off, callers need not look for any. */
export class Violations {
  readonly #isOn: () => boolean;
  readonly #now: () => number;
  readonly #journal: Journal | undefined;
  readonly #allowed: { readonly rule: Rule; readonly place: RegExp | undefined }[] = [];
  #list: Violation[] = [];
  /** Number of the first allowances that a reset leaves: those of the seed. */
  #seeded = 0;

  constructor(parts: {
    readonly isOn: () => boolean;
    readonly now: () => number;
    readonly journal: Journal | undefined;
  }) {
    this.#isOn = parts.isOn;
    this.#now = parts.now;
    this.#journal = parts.journal;
  }

  /** Whether strict mode is on. */
  get isOn(): boolean {
    return this.#isOn();
  }

  /** All violations that are not allowed, oldest first. */
  get list(): readonly Violation[] {
    return this.#list;
  }

  /** Records a violation, unless strict mode is off or the test allows it. */
  add(rule: Rule, what: string, where: string): void {
    if (!this.isOn || this.#list.length === MAX_VIOLATIONS || this.#isAllowed(rule, where)) return;
    this.#list.push({ rule, what, where, at: new Date(this.#now()).toISOString() });
    this.#journal?.add({ kind: 'violation', rule, what, where });
  }

  /**
   * Allows what breaks a rule, from now on and so far: everywhere, or at a place such as `GET /users/{id}`, in which
   * `{…}` and `*` stand for any one part. Returns the number of violations that it removed.
   */
  allow(rule: Rule, where?: string): number {
    this.#allowed.push({ rule, place: where === undefined ? undefined : pathPattern(where) });
    const before = this.#list.length;
    this.#list = this.#list.filter((one) => !this.#isAllowed(one.rule, one.where));
    return before - this.#list.length;
  }

  /** Lets a reset return to the present allowances. */
  seed(): void {
    this.#seeded = this.#allowed.length;
  }

  /** Forgets the violations, and what was allowed since the seed. */
  reset(): void {
    this.#allowed.length = this.#seeded;
    this.#list = [];
  }

  #isAllowed(rule: Rule, where: string): boolean {
    // The id of the operation behind a route is no part of the place that a test names.
    const place = where.replace(/ \(\w+\)$/, '');
    return this.#allowed.some((one) => one.rule === rule && one.place?.test(place) !== false);
  }
}

/** Access to the violations of strict mode. */
export interface HasViolations {
  readonly violations: Violations;
}
