import { ItemsByActor } from './items-by-actor.ts';
import { PoolShare } from './pool-share.ts';

/**
 * Slots that actors share: each actor may take one while one is free, and more up to its share. Stores the item in each
 * slot, so that the actor with the most slots can be made to free one.
 */
export class SlotPool<T> {
  readonly #shares: PoolShare;
  readonly #holdings = new ItemsByActor<T>();

  /** `minPerActor` is the number of slots that every actor may take while they are free, whatever its share. */
  constructor(slots: number, minPerActor = 1) {
    this.#shares = new PoolShare(slots, minPerActor);
  }

  /** Changes the number of slots; slots that are in use stay in use. */
  resize(slots: number): void {
    this.#shares.resize(slots);
  }

  /** Number of taken slots. */
  get taken(): number {
    return this.#holdings.size;
  }

  /** Whether all are taken. */
  get isFull(): boolean {
    return this.#shares.free <= 0;
  }

  /** Takes a slot for the item. Returns false, without a change, when the actor's share does not allow it. */
  take(actor: string, item: T): boolean {
    if (!this.#shares.charge(actor, 1)) return false;
    this.#holdings.add(actor, item);
    return true;
  }

  /**
   * Takes a slot, if necessary after `makeRoom` has freed one. `makeRoom` receives the actor of `holderToEvict` and
   * returns whether it freed a slot. Returns false when no slot is free.
   */
  enter(actor: string, item: T, makeRoom: (holder: string | undefined) => boolean): boolean {
    return this.take(actor, item) || (makeRoom(this.holderToEvict(actor)) && this.take(actor, item));
  }

  /** Frees a slot; does nothing when the actor has none for this item. */
  leave(actor: string, item: T): void {
    if (this.#holdings.delete(actor, item)) this.#shares.release(actor, 1);
  }

  /** Newest item of the actor. */
  newest(actor: string): T | undefined {
    return this.#holdings.newest(actor);
  }

  /** Items of the actor, oldest first. */
  of(actor: string): ReadonlySet<T> {
    return this.#holdings.of(actor);
  }

  /**
   * Actor that has to free a slot for `actor`: all slots are in use, and this actor holds more slots than `actor` would
   * have afterwards. Undefined when there is no such actor.
   */
  holderToEvict(actor: string): string | undefined {
    const largestHolder = this.isFull ? this.#holdings.largestHolder() : undefined;
    return largestHolder !== undefined && this.of(largestHolder).size >= this.of(actor).size + 2
      ? largestHolder
      : undefined;
  }
}
