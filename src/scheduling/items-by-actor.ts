/** Items grouped by their actor, oldest first. */
export class ItemsByActor<T> {
  readonly #byActor = new Map<string, Set<T>>();
  #size = 0;

  /** Number of items of all actors. */
  get size(): number {
    return this.#size;
  }

  /** Number of actors with items. */
  get actors(): number {
    return this.#byActor.size;
  }

  add(actor: string, item: T): void {
    const items = this.#byActor.get(actor);
    if (items === undefined) this.#byActor.set(actor, new Set([item]));
    else items.add(item);
    this.#size += 1;
  }

  /** Removes an item; returns false when the actor does not have it. */
  delete(actor: string, item: T): boolean {
    const items = this.#byActor.get(actor);
    if (items?.delete(item) !== true) return false;
    if (items.size === 0) this.#byActor.delete(actor);
    this.#size -= 1;
    return true;
  }

  /** Items of the actor, oldest first. */
  of(actor: string): ReadonlySet<T> {
    return this.#byActor.get(actor) ?? NONE;
  }

  /** Oldest item of the actor. */
  oldest(actor: string): T | undefined {
    const [oldest] = this.of(actor);
    return oldest;
  }

  /** Newest item of the actor. */
  newest(actor: string): T | undefined {
    return [...this.of(actor)].at(-1);
  }

  /**
   * Actor with the most items; of several with equally many, the actor with the oldest items. Undefined when there are
   * no items.
   */
  largestHolder(): string | undefined {
    let holder: string | undefined;
    let maxSize = 0;
    for (const [actor, { size }] of this.#byActor) {
      if (size <= maxSize) continue;
      holder = actor;
      maxSize = size;
    }
    return holder;
  }

  /**
   * Removes and returns the oldest item of the next actor, and moves that actor to the end of the turn order. Undefined
   * when there are no items.
   */
  shift(): T | undefined {
    for (const [actor, items] of this.#byActor) {
      for (const item of items) {
        this.#byActor.delete(actor);
        items.delete(item);
        if (items.size > 0) this.#byActor.set(actor, items);
        this.#size -= 1;
        return item;
      }
    }
    return undefined;
  }
}

const NONE: ReadonlySet<never> = new Set();
