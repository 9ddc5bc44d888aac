import { Places } from '../../../../scheduling/places.ts';
import type { MachineClock } from '../../../kernel/clock.ts';
import { randomSecret } from '../../../kernel/secrets.ts';
import type { WaitingPage } from './waiting-page.ts';

/** Lifetime of a page's form in milliseconds. */
const PAGE_MS = 10 * 60_000;
/** Maximum number of pages in signed-in browsers, and in all others; the two do not compete. */
const MOST = 128;

/** Progress of a page's request. */
export type Progress =
  /** The page is displayed. */
  | { readonly kind: 'shown' }
  /** Allowed in an unauthenticated browser; another process must confirm it. */
  | { readonly kind: 'asked'; readonly page: WaitingPage }
  /** The browser goes to this location. */
  | { readonly kind: 'settled'; readonly location: string };

/** The request of a page. */
export interface Pending<Request> {
  readonly request: Request;
  /** Identifies it in the queue of waiting requests. */
  readonly id: string;
  /** Monotonic time of the machine in milliseconds. */
  readonly shownAt: number;
  progress: Progress;
}

/**
 * The owner of a page: a signed-in browser, or the application of the request. All unlisted applications count as one,
 * because their ids are arbitrary.
 */
export type PageOwner =
  | { readonly kind: 'browser'; readonly session: string }
  | { readonly kind: 'application'; readonly id: string }
  | { readonly kind: 'unlisted' };

interface Open<Request> {
  readonly pending: Pending<Request>;
  readonly expires: number;
  readonly places: Places<string>;
  readonly actor: string;
}

/** Requests on open pages, by the single-use tokens of their forms. */
export class PendingPages<Request> {
  readonly #machine: MachineClock;
  readonly #readingMs: number;
  /** By token, oldest first. */
  readonly #pages = new Map<string, Open<Request>>();
  readonly #signedIn = new Places<string>(MOST);
  readonly #others = new Places<string>(MOST);

  /** `readingMs`: the minimum time a page must be visible before its Allow counts. */
  constructor(machine: MachineClock, readingMs: number) {
    this.#machine = machine;
    this.#readingMs = readingMs;
  }

  /** Puts a request on a page; returns the token of its form. An owner with too many pages loses its oldest. */
  show(request: Request, owner: PageOwner): string {
    const now = this.#machine.monotonic();
    for (const [token, { expires }] of this.#pages) if (expires <= now) this.drop(token);
    const token = randomSecret(40);
    const places = owner.kind === 'browser' ? this.#signedIn : this.#others;
    const actor = nameOf(owner);
    while (!places.take(actor, token)) this.#makeRoom(places, actor);
    const pending: Pending<Request> = {
      request,
      id: randomSecret(12),
      shownAt: this.#readingTime(),
      progress: { kind: 'shown' },
    };
    this.#pages.set(token, { pending, expires: now + PAGE_MS, places, actor });
    return token;
  }

  /** Drops the oldest page of the owner, or of the largest holder; if every owner has one, the oldest of all. */
  #makeRoom(places: Places<string>, actor: string): void {
    const gives = places.of(actor).size > 0 ? actor : places.debtor(actor);
    const [oldest] = gives === undefined ? this.#tokensIn(places) : places.of(gives);
    if (oldest !== undefined) this.drop(oldest);
  }

  #tokensIn(places: Places<string>): string[] {
    return [...this.#pages].filter(([, page]) => page.places === places).map(([token]) => token);
  }

  find(token: string): Pending<Request> | undefined {
    const page = this.#pages.get(token);
    if (page === undefined || page.expires <= this.#machine.monotonic()) return undefined;
    return page.pending;
  }

  /** Whether an Allow comes so early that it was meant for something displayed before. */
  isTooEarly({ shownAt }: Pending<Request>): boolean {
    return this.#readingTime() - shownAt < this.#readingMs;
  }

  /** Monotonic time without the time that tests add. */
  #readingTime(): number {
    return (this.#machine.guard ?? this.#machine).monotonic();
  }

  /** Requests on all pages, oldest first. */
  all(): Pending<Request>[] {
    return [...this.#pages.values()].map(({ pending }) => pending);
  }

  dropAll(): void {
    for (const token of this.#pages.keys()) this.drop(token);
  }

  drop(token: string): void {
    const page = this.#pages.get(token);
    page?.places.leave(page.actor, token);
    this.#pages.delete(token);
  }
}

function nameOf(owner: PageOwner): string {
  if (owner.kind === 'browser') return owner.session;
  return owner.kind === 'application' ? owner.id : '';
}
