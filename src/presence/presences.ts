import { byRank, type Candidate, type Ranked, waiting } from './order.ts';
import { isRewriting, rewritten } from './rewrite.ts';
import { bySpecificity, type Rule, type RuleSet } from './rule.ts';
import {
  type AppFacts,
  type AppTexts,
  appTexts,
  type Json,
  NO_RULING,
  type Ruling,
  rulingOf,
} from './ruling.ts';
import { isSameActivity } from './same-activity.ts';
import { isSameView, type Reason, type Standing } from './standing.ts';

/** A connected app. */
export interface PresenceApp {
  readonly session: string;
  readonly clientId: string;
  /** Process of the app; undefined where the system does not tell. */
  readonly pid: number | undefined;
  /** True for a game that has not connected: it waits while an app of the same application shows something. */
  readonly isDetected?: boolean;
  /** Names of the app's program, read for the first presence and when rules change. */
  programs(): readonly string[];
  /** Called when others may see something else without a request of the app. */
  changed(standing: Standing): void;
  /** Names of the chat clients that show the app now. */
  shownAt(): readonly string[];
}

/** Presence of one app, for displays. */
export interface PresenceEntry {
  readonly app: PresenceApp;
  /** The activity that the app has set. */
  readonly activity: Json;
  readonly standing: Standing;
  /** Time of the first update since the app last showed nothing, and of the last change (ms since the Unix epoch). */
  readonly since: number;
  readonly changedAt: number;
}

/** Conditions that hide every presence. */
interface Curtain {
  /** Until when the user has paused all presences (ms since the Unix epoch); null until the user resumes. */
  readonly paused: number | null | undefined;
  readonly isAway: boolean;
}

/** Facts that presences need. */
export interface PresencesOptions {
  /** ms since the Unix epoch. */
  now(): number;
  /** Name of an application; undefined where no client has named it yet. */
  applicationName(clientId: string): string | undefined;
  /** `one` shows only the first presence in order. */
  readonly shown: 'all' | 'one';
  /** Called when rules, a pause or absence may hide more than before, before any app is notified. */
  tightened?(): void;
}

type Entry = {
  readonly app: PresenceApp;
  /** Names by which the app is judged; read again when rules or names change. */
  texts: AppTexts | undefined;
  activity: Json | undefined;
  ruling: Ruling;
  standing: Standing;
  since: number;
  changedAt: number;
  hasEnded: boolean;
};

const NO_RULES: RuleSet = { rules: [], otherwise: 'show' };
const NONE: Standing = { kind: 'none' };
const NO_RULE: Reason = { kind: 'no-rule' };

/**
 * The presences of all connected apps, and what others may see of each: rules first, then which app gives way to which.
 * It has no input and no output: callers pass updates in and forward what they get back.
 */
export class Presences {
  readonly #options: PresencesOptions;
  readonly #entries = new Map<string, Entry>();
  #rules: RuleSet = NO_RULES;
  /** Least specific first. */
  #ordered: readonly Rule[] = [];
  #curtain: Curtain = { paused: undefined, isAway: false };
  readonly #used = new Set<Rule>();
  /** Number of detected games. */
  #detected = 0;
  /** Whether a rule lets an app give way to another. */
  #hasWays = false;
  #revision = 0;
  readonly #waiting = new Set<() => void>();

  constructor(options: PresencesOptions) {
    this.#options = options;
  }

  get rules(): RuleSet {
    return this.#rules;
  }

  /** Whether every app is shown as it is: no rule, no pause, no absence. */
  get isOpen(): boolean {
    const { paused, isAway } = this.#curtain;
    const { rules, otherwise } = this.#rules;
    const isFree = rules.length === 0 && otherwise === 'show' && this.#options.shown === 'all';
    return isFree && paused === undefined && !isAway;
  }

  /** Number of changes of the list so far. */
  get revision(): number {
    return this.#revision;
  }

  /** Resolves with the next change, or after `ms`. */
  change(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#waiting.add(done);
    });
  }

  /** Rules that have matched no presence since they were set. */
  get unused(): readonly Rule[] {
    return this.#rules.rules.filter((rule) => !this.#used.has(rule));
  }

  /** Time until which all presences are paused; null until the user resumes, undefined while they are not paused. */
  get paused(): number | null | undefined {
    return this.#curtain.paused;
  }

  /** Adds an app that has connected. */
  open(app: PresenceApp): void {
    if (app.isDetected === true) this.#detected += 1;
    this.#entries.set(app.session, {
      app,
      texts: undefined,
      activity: undefined,
      ruling: NO_RULING,
      standing: NONE,
      since: 0,
      changedAt: 0,
      hasEnded: false,
    });
  }

  /** Removes an app. Others that gave way to it are shown again. */
  close(session: string): void {
    const entry = this.#entries.get(session);
    if (entry?.app.isDetected === true) this.#detected -= 1;
    if (!this.#entries.delete(session) || entry?.activity === undefined) return;
    this.#settle();
    this.#changed();
  }

  /** Records what an app has set, null for nothing, and returns what others may see of it. */
  set(session: string, activity: Json | null): Standing {
    const entry = this.#entries.get(session);
    if (entry === undefined) return NONE;
    const now = this.#options.now();
    if (activity === null) {
      entry.activity = undefined;
    } else {
      if (entry.activity === undefined) entry.since = now;
      if (!isSameActivity(entry.activity, activity)) entry.changedAt = now;
      entry.activity = activity;
    }
    this.#judge(entry);
    this.#settle(entry);
    this.#changed();
    return entry.standing;
  }

  /** Returns what others would see of an app that shows this activity; nothing changes. */
  try(facts: AppFacts, activity: Json): Standing {
    return this.#own(rulingOf(this.#ordered, appTexts(facts), activity), activity, false);
  }

  /** Replaces the rules; every presence is judged again. */
  setRules(rules: RuleSet): void {
    this.#rules = rules;
    this.#ordered = bySpecificity(rules.rules);
    this.#hasWays = rules.rules.some(({ giveWayTo }) => giveWayTo !== undefined);
    this.#used.clear();
    this.#options.tightened?.();
    this.refresh();
  }

  /** Pauses all presences until a time, null until {@link resume}. */
  pause(until: number | null): void {
    this.#setCurtain({ paused: until });
  }

  /** Ends a pause. */
  resume(): void {
    this.#setCurtain({ paused: undefined });
  }

  /** Hides all presences while the user is away. */
  setAway(isAway: boolean): void {
    if (isAway !== this.#curtain.isAway) this.#setCurtain({ isAway });
  }

  /**
   * Hides the presences of processes that have ended; `isAlive` tells whether a process exists. Returns whether a process
   * with a presence is left.
   */
  sweep(isAlive: (pid: number) => boolean): boolean {
    let hasChanged = false;
    let isLeft = false;
    for (const entry of this.#entries.values()) {
      const { pid } = entry.app;
      if (entry.hasEnded || entry.activity === undefined || pid === undefined) continue;
      if (isAlive(pid)) {
        isLeft = true;
      } else {
        entry.hasEnded = true;
        hasChanged = true;
      }
    }
    if (hasChanged) {
      this.#settle();
      this.#changed();
    }
    return isLeft;
  }

  /** Judges every presence again, as after a new name of an application. */
  refresh(): void {
    for (const entry of this.#entries.values()) {
      entry.texts = undefined;
      this.#judge(entry);
    }
    this.#settle();
    this.#changed();
  }

  /** Every app that has set an activity: in the order in which they are shown, then those that are not. */
  list(): readonly PresenceEntry[] {
    const entries = [...this.#entries.values()].flatMap((entry) =>
      entry.activity === undefined ? [] : [{ ...entry, activity: entry.activity }],
    );
    const hidden = (entry: PresenceEntry): number => (entry.standing.kind === 'shown' ? 0 : 1);
    return entries.sort((a, b) => hidden(a) - hidden(b) || byRank(rankOf(a), rankOf(b)));
  }

  #setCurtain(change: Partial<Curtain>): void {
    this.#curtain = { ...this.#curtain, ...change };
    this.#options.tightened?.();
    this.#settle();
    this.#changed();
  }

  #changed(): void {
    this.#revision += 1;
    if (this.#waiting.size > 0) for (const done of [...this.#waiting]) done();
  }

  /** Finds the rules for what an app shows. */
  #judge(entry: Entry): void {
    if (entry.activity === undefined || this.#ordered.length === 0) {
      entry.ruling = NO_RULING;
      return;
    }
    entry.ruling = rulingOf(this.#ordered, this.#textsOf(entry), entry.activity);
    for (const rule of entry.ruling.matched) this.#used.add(rule);
  }

  #textsOf(entry: Entry): AppTexts {
    const { app } = entry;
    const applicationName = this.#options.applicationName(app.clientId);
    if (entry.texts?.applicationName?.raw !== applicationName) entry.texts = undefined;
    // The system is asked for the program once, not for each update.
    entry.texts ??= appTexts({ clientId: app.clientId, applicationName, programs: app.programs() });
    return entry.texts;
  }

  /**
   * Decides what others may see of every app, and notifies those whose view has changed, except the app whose request
   * causes it.
   */
  #settle(own?: Entry): void {
    if (own !== undefined && !this.#isOrdered) {
      own.standing = reusing(own, this.#alone(own));
      return;
    }
    const entries = [...this.#entries.values()];
    const alone = new Map(entries.map((entry) => [entry, this.#alone(entry)]));
    const candidates = entries
      .filter((entry) => alone.get(entry)?.kind === 'shown')
      .map((entry) => this.#candidate(entry));
    const waits = waiting(candidates);
    const [first] = candidates.filter(({ session }) => !waits.has(session)).sort(byRank);
    for (const [entry, standing] of alone) {
      const before = entry.standing;
      const other = waits.get(entry.app.session);
      entry.standing = reusing(entry, this.#amongOthers(entry, standing, other, first));
      if (entry !== own && !isSameView(before, entry.standing)) entry.app.changed(entry.standing);
    }
  }

  #candidate(entry: Entry): Candidate {
    const { session, clientId } = entry.app;
    const { giveWayTo } = entry.ruling;
    return { session, clientId, app: this.#textsOf(entry), giveWayTo, ...rankOf(entry) };
  }

  /** Whether what others see of one app depends on other apps. */
  get #isOrdered(): boolean {
    return this.#options.shown === 'one' || this.#detected > 0 || this.#hasWays;
  }

  #amongOthers(
    { app, ruling }: Entry,
    standing: Standing,
    other: Candidate | undefined,
    first: Candidate | undefined,
  ): Standing {
    if (standing.kind !== 'shown') return standing;
    if (other !== undefined)
      return { kind: 'waiting', waitsFor: other.session, reason: { kind: 'rules', rules: ruling.matched } };
    if (this.#options.shown === 'all' || first === undefined || first.session === app.session)
      return standing;
    return { kind: 'waiting', waitsFor: first.session, reason: { kind: 'one' } };
  }

  /** What others would see of an app if no other app was there. */
  #alone(entry: Entry): Standing {
    if (entry.activity === undefined) return NONE;
    const connected = entry.app.isDetected === true ? this.#connected(entry.app.clientId) : undefined;
    if (connected !== undefined)
      return { kind: 'waiting', waitsFor: connected.app.session, reason: { kind: 'connected' } };
    return this.#own(entry.ruling, entry.activity, entry.hasEnded);
  }

  /** An app of an application that has connected and has set an activity, whether or not others may see it. */
  #connected(clientId: string): Entry | undefined {
    return [...this.#entries.values()].find(
      ({ app, activity, hasEnded }) =>
        app.clientId === clientId && app.isDetected !== true && activity !== undefined && !hasEnded,
    );
  }

  #own(ruling: Ruling, activity: Json, hasEnded: boolean): Standing {
    const { paused, isAway } = this.#curtain;
    if (paused !== undefined && (paused === null || paused > this.#options.now()))
      return { kind: 'hidden', reason: { kind: 'paused', until: paused } };
    if (isAway) return { kind: 'hidden', reason: { kind: 'away' } };
    if (hasEnded) return { kind: 'hidden', reason: { kind: 'ended' } };
    const { hide, matched, only } = ruling;
    if (hide?.hidden === true)
      return {
        kind: 'hidden',
        reason: hide.isCertain ? { kind: 'rules', rules: [hide.rule] } : { kind: 'unknown', rule: hide.rule },
      };
    if (!ruling.isCertain && this.#rules.otherwise === 'hide')
      return { kind: 'hidden', reason: { kind: 'otherwise' } };
    return {
      kind: 'shown',
      activity: isRewriting(ruling) ? rewritten(activity, ruling) : activity,
      only,
      reason: matched.length === 0 ? NO_RULE : { kind: 'rules', rules: matched },
    };
  }
}

/** The new standing, with the rewritten activity of the old one where both are equal, so that equal views are one object. */
function reusing({ standing: before, ruling }: Entry, after: Standing): Standing {
  if (before.kind !== 'shown' || after.kind !== 'shown' || !isRewriting(ruling)) return after;
  return JSON.stringify(before.activity) === JSON.stringify(after.activity)
    ? { ...after, activity: before.activity }
    : after;
}

function rankOf({ ruling, changedAt }: Pick<Entry, 'ruling' | 'changedAt'>): Ranked {
  return { rank: ruling.rank, changedAt };
}
