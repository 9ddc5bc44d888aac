import { Holdings } from './holdings.ts';
import { PoolShare } from './pool-share.ts';

/**
 * A number of places, shared among actors as any other pool: each may have one as long as one is free, and more up to its
 * share. What takes a place is kept here, so that the actor who holds most can be made to give one up.
 */
export class Places<T> {
  readonly #shares: PoolShare;
  readonly #holdings = new Holdings<T>();

  /** `least`: what every actor may have as long as it is free, whatever its share. */
  constructor(places: number, least = 1) {
    this.#shares = new PoolShare(places, least);
  }

  /** Another number of places from now on; who has one keeps it. */
  resize(places: number): void {
    this.#shares.resize(places);
  }

  /** How many are taken. */
  get taken(): number {
    return this.#holdings.size;
  }

  /** Whether all are taken. */
  get isFull(): boolean {
    return this.#shares.free <= 0;
  }

  /** Takes a place; false, and nothing changes, when the actor's share does not allow it. */
  take(actor: string, item: T): boolean {
    if (!this.#shares.charge(actor, 1)) return false;
    this.#holdings.add(actor, item);
    return true;
  }

  /**
   * Takes a place, if need be after somebody has made room: `makeRoom` is told the {@link debtor}, gives one back and says
   * whether it could. False when there is no place to be had.
   */
  enter(actor: string, item: T, makeRoom: (debtor: string | undefined) => boolean): boolean {
    return this.take(actor, item) || (makeRoom(this.debtor(actor)) && this.take(actor, item));
  }

  /** Gives a place back; nothing happens when the actor has none for this. */
  leave(actor: string, item: T): void {
    if (this.#holdings.delete(actor, item)) this.#shares.release(actor, 1);
  }

  /** What took a place of the actor's last. */
  newest(actor: string): T | undefined {
    return [...this.of(actor)].at(-1);
  }

  /** What the actor has places for, oldest first. */
  of(actor: string): ReadonlySet<T> {
    return this.#holdings.of(actor);
  }

  /**
   * Who has to make room so that `actor` may have a place: all are taken, and it holds more than `actor` will have then.
   * Undefined when nobody has to.
   */
  debtor(actor: string): string | undefined {
    const largest = this.isFull ? this.#holdings.largest() : undefined;
    return largest !== undefined && this.of(largest).size >= this.of(actor).size + 2 ? largest : undefined;
  }
}
