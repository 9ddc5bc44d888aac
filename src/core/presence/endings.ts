/** Time for which the presence of an app that ends is kept, when another process of the application follows (ms). */
const HOLD_MS = 1500;
/** Time between the end of one process and the start of the next one that makes them one application (ms). */
const SUCCESSION_MS = 2000;
/** Maximum number of applications that are remembered. */
const MAX_REMEMBERED = 256;

/**
 * Delays the end of a presence where another process of the same application shows something next, so that the chat
 * client does not flicker: an application that consists of several short-lived programs is one entry. Only an
 * application that has been seen to do so is delayed.
 */
export class Endings {
  /** Open sessions by application. */
  readonly #open = new Map<string, number>();
  /** Time of the last end of an application, and whether another start has followed one. */
  readonly #ends = new Map<string, { readonly at: number; readonly isSuccession: boolean }>();
  readonly #held = new Map<string, Set<() => void>>();
  readonly #now: () => number;

  /** `now` in ms. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** A process of the application has connected. */
  started(clientId: string): void {
    this.#open.set(clientId, (this.#open.get(clientId) ?? 0) + 1);
    const end = this.#ends.get(clientId);
    if (end !== undefined && this.#now() - end.at <= SUCCESSION_MS)
      this.#ends.set(clientId, { at: end.at, isSuccession: true });
  }

  /** A process of the application has left. */
  left(clientId: string): void {
    const open = (this.#open.get(clientId) ?? 1) - 1;
    if (open > 0) this.#open.set(clientId, open);
    else this.#open.delete(clientId);
    const { isSuccession = false } = this.#ends.get(clientId) ?? {};
    this.#ends.delete(clientId);
    this.#ends.set(clientId, { at: this.#now(), isSuccession });
    const [oldest] = this.#ends.keys();
    if (this.#ends.size > MAX_REMEMBERED && oldest !== undefined) this.#ends.delete(oldest);
  }

  /** Whether another process of the application is open besides one, or has followed an earlier one. */
  isSucceeded(clientId: string): boolean {
    return (this.#open.get(clientId) ?? 0) > 1 || (this.#ends.get(clientId)?.isSuccession ?? false);
  }

  /** Runs `end` once: when another process of the application shows something, or after the delay. */
  hold(clientId: string, end: () => void): { cancel(): void } {
    const run = (): void => {
      remove();
      end();
    };
    const timer = setTimeout(run, HOLD_MS).unref();
    const remove = (): void => {
      clearTimeout(timer);
      const held = this.#held.get(clientId);
      held?.delete(run);
      if (held?.size === 0) this.#held.delete(clientId);
    };
    const held = this.#held.get(clientId) ?? new Set();
    held.add(run);
    this.#held.set(clientId, held);
    return { cancel: remove };
  }

  /** A process of the application shows something: what was held ends. */
  replaced(clientId: string): void {
    for (const run of [...(this.#held.get(clientId) ?? [])]) run();
  }

  /** Ends everything that is held. */
  endAll(): void {
    for (const held of [...this.#held.values()]) for (const run of [...held]) run();
  }
}
