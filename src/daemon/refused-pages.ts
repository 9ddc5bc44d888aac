import type { CountedRefusal, PageRefusal } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import type { OriginPolicy } from '../transport/gate.ts';
import { remedyFor } from './refusal-remedy.ts';

/** Maximum number of refusals in the list. A further one drops the refusal whose last repetition is the oldest. */
const MAX_REFUSALS = 32;
/**
 * Maximum number of refusals of one origin in the list. The limit exists because a page can send another client id each
 * time.
 */
const MAX_REFUSALS_PER_ORIGIN = 8;
/** Window (ms) of the journal's limits: in one window, repetitions of a refusal write only one entry. */
const WINDOW_MS = 10_000;
/** Maximum number of refusals in the journal per window, so that pages do not displace the entries of apps. */
const MAX_ENTRIES_PER_WINDOW = 10;
/** Maximum number of refusals of one origin in the journal per window, so that one origin does not hide the others. */
const MAX_ENTRIES_PER_ORIGIN = 2;
/**
 * Time (ms) after which a refusal leaves the list unless it is repeated; an old refusal no longer matters to a user.
 */
const LISTED_MS = 60 * 60_000;

/** Dependencies of the list. */
export interface RefusedPagesOptions {
  readonly allows: OriginPolicy;
  readonly applicationName: (clientId: string) => string | undefined;
  readonly journal: Journal | undefined;
  /** The current time in milliseconds since the Unix epoch. */
  readonly now?: () => number;
}

/** A refused web page, as its transport describes it. */
export interface TurnedAway extends Pick<PageRefusal, 'over' | 'why'> {
  readonly origin?: string | undefined;
  readonly clientId?: string | undefined;
}

/** The web pages that were refused last, each with its remedy. The list is bounded, and is stored in memory only. */
export class RefusedPages {
  readonly #options: RefusedPagesOptions;
  readonly #now: () => number;
  /** Refusals by key; the one that was repeated last is at the end. */
  readonly #refusals = new Map<string, Repeated>();
  #windowEnds = Number.NEGATIVE_INFINITY;
  #entries = new Map<string, string | null>();

  constructor(options: RefusedPagesOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** Counts a refusal and writes it to the journal. */
  add(sent: TurnedAway): void {
    const { over, why } = sent;
    const origin = sent.origin ?? null;
    const clientId = sent.clientId ?? null;
    const page = { over, why, origin, clientId };
    const key = JSON.stringify([over, why, origin, clientId]);
    const count = (this.#refusals.get(key)?.count ?? 0) + 1;
    this.#refusals.delete(key);
    this.#makeRoom(origin);
    this.#refusals.set(key, { ...page, count, at: this.#now() });
    if (this.#mayWrite(key, origin))
      this.#options.journal?.add({ kind: 'refused', ...this.#described(page), count });
  }

  /** Refusals, newest first, without the pages that are allowed by now. */
  list(): readonly CountedRefusal[] {
    return [...this.#refusals.values()]
      .filter(({ why, origin, clientId, at }) => {
        const isAllowed = origin !== null && this.#options.allows(clientId ?? undefined, origin);
        return (why !== 'origin' || !isAllowed) && this.#now() < at + LISTED_MS;
      })
      .map(({ count, at, ...page }) => ({ ...this.#described(page), count, at }))
      .reverse();
  }

  #described(page: Omit<PageRefusal, 'application' | 'remedy'>): PageRefusal {
    const { clientId } = page;
    const application = clientId === null ? null : (this.#options.applicationName(clientId) ?? null);
    return { ...page, application, remedy: remedyFor(page) };
  }

  #makeRoom(origin: string | null): void {
    const own = [...this.#refusals].filter(([, refusal]) => refusal.origin === origin);
    const others = this.#refusals.size >= MAX_REFUSALS ? [...this.#refusals] : [];
    const full = own.length >= MAX_REFUSALS_PER_ORIGIN ? own : others;
    for (const [oldest] of full.slice(0, 1)) this.#refusals.delete(oldest);
  }

  #mayWrite(key: string, origin: string | null): boolean {
    const now = this.#now();
    // The window also ends when the clock is set back.
    if (now >= this.#windowEnds || now < this.#windowEnds - WINDOW_MS) {
      this.#windowEnds = now + WINDOW_MS;
      this.#entries = new Map();
    }
    const own = [...this.#entries.values()].filter((one) => one === origin).length;
    if (own >= MAX_ENTRIES_PER_ORIGIN || this.#entries.size >= MAX_ENTRIES_PER_WINDOW) return false;
    if (this.#entries.has(key)) return false;
    this.#entries.set(key, origin);
    return true;
  }
}

interface Repeated extends Omit<PageRefusal, 'application' | 'remedy'> {
  readonly count: number;
  readonly at: number;
}
