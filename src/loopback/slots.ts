/**
 * Which item is evicted: the item that has been silent for the longest time or, when the server causes the delay, a
 * random one.
 */
type Evicted = 'oldest' | 'any';

/**
 * Slots for connections that have not identified themselves. Silent peers must not lock others out, so one of the
 * connections is evicted when a new connection finds no free slot. (Identified connections share the slots of a
 * `SlotPool` by actor.)
 */
export class Slots<T> {
  readonly #max: number;
  readonly #evict: (item: T) => void;
  readonly #mayGo: (item: T) => boolean;
  readonly #evicted: Evicted;
  /** Items in the order of their waits, the oldest first. */
  readonly #taken = new Set<T>();

  /** `evict` receives the item that lost its slot. Items for which `mayGo` returns false keep their slots. */
  constructor(
    max: number,
    evict: (item: T) => void,
    mayGo: (item: T) => boolean = () => true,
    evicted: Evicted = 'oldest',
  ) {
    this.#max = max;
    this.#evict = evict;
    this.#mayGo = mayGo;
    this.#evicted = evicted;
  }

  /** Takes a slot; false when no item may be evicted. */
  enter(item: T): boolean {
    if (this.#taken.size >= this.#max && !this.#makeRoom()) return false;
    this.#taken.add(item);
    return true;
  }

  /** Restarts the wait of an item; an item without a slot is ignored. */
  renew(item: T): void {
    if (this.#taken.delete(item)) this.#taken.add(item);
  }

  /** Releases the slot of an item; false when the item had no slot. */
  leave(item: T): boolean {
    return this.#taken.delete(item);
  }

  #makeRoom(): boolean {
    const movable = [...this.#taken].filter(this.#mayGo);
    const item = movable[this.#evicted === 'oldest' ? 0 : Math.floor(Math.random() * movable.length)];
    if (item === undefined) return false;
    this.#taken.delete(item);
    this.#evict(item);
    return true;
  }
}
