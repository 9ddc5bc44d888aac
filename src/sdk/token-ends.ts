import { LONGEST_TIMER_MS, quietTimer } from '../client/limit.ts';

/** Tokens whose end is remembered. */
const MOST_KEPT = 64;

/** When tokens end that were issued here, and whether the game was told so of the one in use. */
export class TokenEnds {
  readonly #tell: () => void;
  /** In milliseconds of a monotonic clock. */
  readonly #ends = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The token of which the game was told that it has ended. */
  #told: string | undefined;

  /** @param tell the game, that the token in use has ended */
  constructor(tell: () => void) {
    this.#tell = tell;
  }

  /** A token was issued that ends in so many seconds. */
  issued(token: string, seconds: number): void {
    if (token === '' || seconds <= 0) return;
    this.#ends.set(token, performance.now() + seconds * 1000);
    if (this.#ends.size > MOST_KEPT) this.#ends.delete(this.#ends.keys().next().value ?? '');
  }

  /** The game has presented a token: its end is told, as far as it is known. */
  presented(token: string): void {
    this.#told = undefined;
    this.watch(token);
  }

  /** This token is in use, again or still; undefined: none is. */
  watch(token: string | undefined): void {
    clearTimeout(this.#timer);
    const end = token === undefined ? undefined : this.#ends.get(token);
    if (token === undefined || end === undefined) return;
    const ms = end - performance.now();
    this.#timer = quietTimer(
      () => {
        if (ms < LONGEST_TIMER_MS) this.ended(token);
        else this.watch(token);
      },
      Math.min(ms, LONGEST_TIMER_MS),
    );
  }

  /** The token has ended, by the clock or because it is refused. Told once: a game that answers by refreshing must not do so twice. */
  ended(token: string): void {
    if (token === this.#told) return;
    this.#told = token;
    this.#tell();
  }
}
