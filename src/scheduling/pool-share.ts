/**
 * Divides one pool among actors so that no actor can take all of it. Each actor may hold at most 1/(n + 1) of the free
 * amount plus its own, where n is the number of actors that hold anything, including this actor. In a pool of 1,024 the
 * first actor gets 512, the second 170. (The rule of dbus-broker.)
 */
export class PoolShare {
  readonly #held = new Map<string, number>();
  readonly #minPerActor: number;
  #pool: number;
  #free: number;

  /**
   * `minPerActor` is the amount that every actor may hold while the pool has it free, however many actors there are.
   */
  constructor(pool: number, minPerActor = 0) {
    this.#pool = pool;
    this.#free = pool;
    this.#minPerActor = minPerActor;
  }

  /** Changes the size of the pool; an actor above its share retains its slots. */
  resize(pool: number): void {
    this.#free += pool - this.#pool;
    this.#pool = pool;
  }

  /** Amount that is free. */
  get free(): number {
    return this.#free;
  }

  /** Amount that all actors hold together. */
  get taken(): number {
    return this.#pool - this.#free;
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

  /**
   * Sets the amount that `actor` holds. Returns false, without a change, when the amount exceeds both the actor's share
   * and the amount it holds now.
   */
  set(actor: string, amount: number): boolean {
    const before = this.heldBy(actor);
    if (amount > before && amount > this.shareOf(actor)) return false;
    this.force(actor, amount);
    return true;
  }

  /** Sets the amount that `actor` holds, whatever its share, for an amount that is checked later. */
  force(actor: string, amount: number): void {
    const before = this.heldBy(actor);
    if (amount === 0) this.#held.delete(actor);
    else this.#held.set(actor, amount);
    this.#free += before - amount;
  }

  /**
   * Adds to the amount that `actor` holds. Returns false, without a change, when the actor's share does not allow it.
   */
  charge(actor: string, amount: number): boolean {
    return this.set(actor, this.heldBy(actor) + amount);
  }

  /** Amount that `actor` holds. */
  heldBy(actor: string): number {
    return this.#held.get(actor) ?? 0;
  }

  /** Returns an amount to the pool, at most what the actor holds. */
  release(actor: string, amount: number): void {
    const before = this.heldBy(actor);
    this.set(actor, Math.max(0, before - amount));
  }

  /** Whether no actor holds anything and the whole pool is free. */
  get balanced(): boolean {
    return this.#held.size === 0 && this.#free === this.#pool;
  }
}
