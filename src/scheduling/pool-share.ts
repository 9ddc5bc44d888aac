/**
 * Shares one pool among actors so that no actor can take it all: an actor may hold at most the (n + 1)th part of what
 * is free plus what it holds, where n is the number of actors that hold anything, itself included. The first of a pool
 * of 1,024 gets 512, the second 170. (The rule of dbus-broker.)
 */
export class PoolShare {
  readonly #held = new Map<string, number>();
  readonly #minPerActor: number;
  #pool: number;
  #free: number;

  /** `minPerActor`: amount that every actor may hold while it is free, however many actors there are. */
  constructor(pool: number, minPerActor = 0) {
    this.#pool = pool;
    this.#free = pool;
    this.#minPerActor = minPerActor;
  }

  /** Changes the size of the pool; an actor above its share keeps what it holds. */
  resize(pool: number): void {
    this.#free += pool - this.#pool;
    this.#pool = pool;
  }

  /** Amount that is free. */
  get free(): number {
    return this.#free;
  }

  /** Maximum amount that `actor` may hold now. */
  shareOf(actor: string): number {
    const own = this.heldBy(actor);
    const actors = this.#held.size + (this.#held.has(actor) ? 0 : 1);
    const share = Math.floor((this.#free + own) / (actors + 1));
    return Math.max(share, Math.min(this.#minPerActor, this.#free + own));
  }

  /** Actor that holds the most; undefined when no actor holds anything. */
  largestHolder(): string | undefined {
    let holder: string | undefined;
    for (const [actor, amount] of this.#held) {
      if (holder === undefined || amount > this.heldBy(holder)) holder = actor;
    }
    return holder;
  }

  /** Sets the amount of `actor`; false, without a change, when it is more than its share and more than before. */
  set(actor: string, amount: number): boolean {
    const before = this.heldBy(actor);
    if (amount > before && amount > this.shareOf(actor)) return false;
    if (amount === 0) this.#held.delete(actor);
    else this.#held.set(actor, amount);
    this.#free += before - amount;
    return true;
  }

  /** Adds to what `actor` holds; false when its share does not allow it. */
  charge(actor: string, amount: number): boolean {
    return this.set(actor, this.heldBy(actor) + amount);
  }

  /** Amount that `actor` holds. */
  heldBy(actor: string): number {
    return this.#held.get(actor) ?? 0;
  }

  /** Gives back; an actor cannot give back more than it holds. */
  release(actor: string, amount: number): void {
    const before = this.heldBy(actor);
    this.set(actor, Math.max(0, before - amount));
  }

  /** Whether everything was given back. */
  get balanced(): boolean {
    return this.#held.size === 0 && this.#free === this.#pool;
  }
}
