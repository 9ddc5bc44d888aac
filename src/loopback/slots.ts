/**
 * Which item makes room: the one that has been silent for the longest time, or a random one, where the delay is
 * ours.
 */
type Evicted = 'oldest' | 'any';

/**
 * Slots for connections that have not identified themselves. Silence must lock no peer out: when all slots are taken,
 * one of them makes room for the new connection. (Known ones share by actor: `SlotPool`.)
 */
export class Slots<T> {
  readonly #max: number;
  readonly #evict: (item: T) => void;
  readonly #mayGo: (item: T) => boolean;
  readonly #evicted: Evicted;
  /** In the order of their waits: the oldest first. */
  readonly #taken = new Set<T>();

  /** `evict` gets the item that lost its slot; items for which `mayGo` returns false retain theirs. */
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

  /** Restarts the wait of an item; does nothing when it has no slot. */
  renew(item: T): void {
    if (this.#taken.delete(item)) this.#taken.add(item);
  }

  /** Releases the slot; false when it had none. */
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
