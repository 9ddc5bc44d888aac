/** Tokens whose end is remembered. */
const MOST_KEPT = 64;

/** When tokens end that were issued here. */
export class TokenEnds {
  /** In milliseconds of a monotonic clock. */
  readonly #ends = new Map<string, number>();

  /** A token was issued that ends in so many seconds. */
  issued(token: string, seconds: number): void {
    if (token === '' || seconds <= 0) return;
    this.#ends.set(token, performance.now() + seconds * 1000);
    if (this.#ends.size > MOST_KEPT) this.#ends.delete(this.#ends.keys().next().value ?? '');
  }

  /** In how many seconds it ends; undefined where nobody said. */
  of(token: string): number | undefined {
    const end = this.#ends.get(token);
    return end === undefined ? undefined : (end - performance.now()) / 1000;
  }
}
