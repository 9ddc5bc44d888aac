import { Places } from '../../../../scheduling/places.ts';
import type { MachineClock } from '../../../kernel/clock.ts';
import { randomSecret } from '../../../kernel/secrets.ts';
import type { WaitingPage } from './waiting-page.ts';

/** How long a page may stay open before its form is dead (ms). */
const PAGE_MS = 10 * 60_000;
/** Pages in signed-in browsers, and as many in all others: those cannot take the place of these. */
const MOST = 128;

/** How far a request of a page is. */
export type Progress =
  /** The person has it before them. */
  | { readonly kind: 'shown' }
  /** They allowed it in a browser that proves nothing; somebody else has to say so. */
  | { readonly kind: 'asked'; readonly page: WaitingPage }
  /** Where the browser goes. */
  | { readonly kind: 'settled'; readonly location: string };

/** One request of a page. */
export interface Pending<Request> {
  readonly request: Request;
  /** Names it in the queue of what waits for a person. */
  readonly id: string;
  /** Monotonic time of the machine (ms). */
  readonly shownAt: number;
  progress: Progress;
}

/**
 * Whose page it is: of a browser that was signed in, or of whoever opens pages of an application. All that nobody wrote
 * down count as one application, because anybody can name as many of them as they like.
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

/** Requests that stand on a page, each with the single-use token of its form. */
export class PendingPages<Request> {
  readonly #machine: MachineClock;
  readonly #readingMs: number;
  /** By token, oldest first. */
  readonly #pages = new Map<string, Open<Request>>();
  readonly #signedIn = new Places<string>(MOST);
  readonly #others = new Places<string>(MOST);

  /** `readingMs`: how long a page must be visible before its Allow counts. */
  constructor(machine: MachineClock, readingMs: number) {
    this.#machine = machine;
    this.#readingMs = readingMs;
  }

  /** Puts a request on a page; returns the token of its form. Who opens too many loses the oldest of their own. */
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

  /** Whoever has too many gives their oldest; where everybody has just one, the oldest of all goes. */
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

  /** Whether an Allow now was meant for something that was there before the page. */
  isTooEarly({ shownAt }: Pending<Request>): boolean {
    return this.#readingTime() - shownAt < this.#readingMs;
  }

  /** Time in which a person reads, without what a test has added to it. */
  #readingTime(): number {
    return (this.#machine.guard ?? this.#machine).monotonic();
  }

  /** All that stand on a page, the oldest first. */
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
