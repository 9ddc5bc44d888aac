import type { MachineClock } from '../../clock.ts';
import { randomSecret } from '../random.ts';

/** How long a page may stay open before its form is dead (ms), and how many may be. */
const PAGE_MS = 10 * 60_000;
const MOST = 256;

/** How far a request of a page is. */
export type Progress =
  /** The person has it before them. */
  | { readonly kind: 'shown' }
  /** They allowed it in a browser that proves nothing; somebody else has to say so. */
  | { readonly kind: 'asked' }
  /** Where the browser goes. */
  | { readonly kind: 'settled'; readonly location: string };

/** One request of a page. */
export interface Pending<Request> {
  readonly request: Request;
  /** Names it in the queue of what waits for a person. */
  readonly id: string;
  progress: Progress;
}

/** Requests that stand on a page, each with the single-use token of its form. */
export class PendingPages<Request> {
  readonly #machine: MachineClock;
  readonly #pages = new Map<string, { readonly pending: Pending<Request>; readonly expires: number }>();

  constructor(machine: MachineClock) {
    this.#machine = machine;
  }

  /** Puts a request on a page; returns the token of its form. */
  show(request: Request): string {
    const token = randomSecret(40);
    const pending: Pending<Request> = { request, id: randomSecret(12), progress: { kind: 'shown' } };
    this.#pages.set(token, { pending, expires: this.#machine.monotonic() + PAGE_MS });
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > MOST && oldest !== undefined) this.#pages.delete(oldest);
    return token;
  }

  find(token: string): Pending<Request> | undefined {
    const page = this.#pages.get(token);
    if (page === undefined || page.expires <= this.#machine.monotonic()) return undefined;
    return page.pending;
  }

  drop(token: string): void {
    this.#pages.delete(token);
  }
}
