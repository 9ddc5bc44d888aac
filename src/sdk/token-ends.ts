import { MAX_TIMER_MS, quietTimer } from '../client/limit.ts';

/** Maximum number of tokens whose end is stored. */
const MAX_TOKENS = 64;

/** End times of tokens that this client requested, and whether the game was notified of the current token's end. */
export class TokenEnds {
  readonly #notify: () => void;
  /** End time of each token (ms of a monotonic clock). */
  readonly #ends = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The token whose end was reported to the game. */
  #notified: string | undefined;

  /** @param notify notifies the game of the current token's end */
  constructor(notify: () => void) {
    this.#notify = notify;
  }

  /** Stores the end of a new token, calculated from its lifetime in seconds. */
  issued(token: string, seconds: number): void {
    if (token === '' || seconds <= 0) return;
    this.#ends.set(token, performance.now() + seconds * 1000);
    if (this.#ends.size > MAX_TOKENS) this.#ends.delete(this.#ends.keys().next().value ?? '');
  }

  /** Starts to watch a token that the game has presented, if its end is known. */
  presented(token: string): void {
    this.#notified = undefined;
    this.watch(token);
  }

  /** Watches this token, whether or not it was watched before; undefined stops watching. */
  watch(token: string | undefined): void {
    clearTimeout(this.#timer);
    const end = token === undefined ? undefined : this.#ends.get(token);
    if (token === undefined || end === undefined) return;
    const ms = end - performance.now();
    this.#timer = quietTimer(
      () => {
        if (ms < MAX_TIMER_MS) this.ended(token);
        else this.watch(token);
      },
      Math.min(ms, MAX_TIMER_MS),
    );
  }

  /**
   * Reports the end of a token, whether its lifetime is over or the service rejected it. A token is reported once,
   * because a game that refreshes in response must not refresh twice.
   */
  ended(token: string): void {
    if (token === this.#notified) return;
    this.#notified = token;
    this.#notify();
  }
}
