import { SlotPool } from '../../../../scheduling/slot-pool.ts';
import type { MachineClock } from '../../../kernel/clock.ts';
import { randomSecret } from '../../../kernel/secrets.ts';
import type { WaitingPage } from './waiting-page.ts';

/** Lifetime of a page's form in milliseconds. */
const PAGE_MS = 10 * 60_000;
/**
 * Maximum number of pages, once for all signed-in browsers and once for all others, so that the two groups do not
 * compete.
 */
const MAX_PAGES = 128;

/** Progress of a page's request. */
export type Progress =
  /** The page is displayed. */
  | { readonly kind: 'shown' }
  /** The Allow came from a browser that is not signed in, so another process must confirm it. */
  | { readonly kind: 'asked'; readonly page: WaitingPage }
  /** The request is settled, and the browser goes to this location. */
  | { readonly kind: 'settled'; readonly location: string };

/** The request of a page. */
export interface Pending<Request> {
  readonly request: Request;
  /** Identifies the page's request in the queue of waiting requests. */
  readonly id: string;
  /** Time when the page was opened, by the machine's monotonic clock, in milliseconds. */
  readonly openedAt: number;
  progress: Progress;
}

/**
 * The owner of a page: a signed-in browser, or the application of the request. All unlisted applications count as one
 * owner, because a requester can choose their ids freely.
 */
export type PageOwner =
  | { readonly kind: 'browser'; readonly session: string }
  | { readonly kind: 'application'; readonly id: string }
  | { readonly kind: 'unlisted' };

interface Open<Request> {
  readonly pending: Pending<Request>;
  readonly expires: number;
  readonly slots: SlotPool<string>;
  readonly actor: string;
}

/** Requests on open pages, by the single-use tokens of their forms. */
export class PendingPages<Request> {
  readonly #machine: MachineClock;
  readonly #readingMs: number;
  /** By token, oldest first. */
  readonly #pages = new Map<string, Open<Request>>();
  readonly #signedIn = new SlotPool<string>(MAX_PAGES);
  readonly #others = new SlotPool<string>(MAX_PAGES);

  /** @param readingMs the minimum time a page must be visible before its Allow counts */
  constructor(machine: MachineClock, readingMs: number) {
    this.#machine = machine;
    this.#readingMs = readingMs;
  }

  /**
   * Opens a page for a request and returns the token of the page's form. An owner with too many pages loses its oldest.
   */
  add(request: Request, owner: PageOwner): string {
    const now = this.#machine.monotonic();
    for (const [token, { expires }] of this.#pages) if (expires <= now) this.drop(token);
    const token = randomSecret(40);
    const slots = owner.kind === 'browser' ? this.#signedIn : this.#others;
    const actor = nameOf(owner);
    while (!slots.take(actor, token)) this.#makeRoom(slots, actor);
    const pending: Pending<Request> = {
      request,
      id: randomSecret(12),
      openedAt: this.#readingTime(),
      progress: { kind: 'shown' },
    };
    this.#pages.set(token, { pending, expires: now + PAGE_MS, slots, actor });
    return token;
  }

  /**
   * Drops the oldest page of the owner or of the largest holder. If every owner has only one page, it drops the oldest
   * of all.
   */
  #makeRoom(slots: SlotPool<string>, actor: string): void {
    const gives = slots.of(actor).size > 0 ? actor : slots.holderToEvict(actor);
    const [oldest] = gives === undefined ? this.#tokensIn(slots) : slots.of(gives);
    if (oldest !== undefined) this.drop(oldest);
  }

  #tokensIn(slots: SlotPool<string>): string[] {
    return [...this.#pages].filter(([, page]) => page.slots === slots).map(([token]) => token);
  }

  find(token: string): Pending<Request> | undefined {
    const page = this.#pages.get(token);
    if (page === undefined || page.expires <= this.#machine.monotonic()) return undefined;
    return page.pending;
  }

  /**
   * Whether an Allow comes so early that the user cannot have read the page: the click was meant for something else.
   */
  isTooEarly({ openedAt }: Pending<Request>): boolean {
    return this.#readingTime() - openedAt < this.#readingMs;
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
    page?.slots.leave(page.actor, token);
    this.#pages.delete(token);
  }
}

function nameOf(owner: PageOwner): string {
  if (owner.kind === 'browser') return owner.session;
  return owner.kind === 'application' ? owner.id : '';
}
