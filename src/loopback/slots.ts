/** Who makes room: whoever has kept us waiting for longest, or any of them by chance, where it is we who keep them waiting. */
type Evicted = 'oldest' | 'any';

/**
 * Room for so many of whom nothing is known yet. Silence must lock nobody out: when all slots are taken, one of them makes
 * room for who comes. (Those who are known share by actor: `Places`.)
 */
export class Slots<T> {
  readonly #max: number;
  readonly #evict: (item: T) => void;
  readonly #mayGo: (item: T) => boolean;
  readonly #evicted: Evicted;
  /** Who waits for longest comes first. */
  readonly #taken = new Set<T>();

  /** `evict` is told who lost its slot; those of whom `mayGo` says no keep theirs. */
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

  /** Takes a slot; false when nobody may go. */
  enter(item: T): boolean {
    if (this.#taken.size >= this.#max && !this.#makeRoom()) return false;
    this.#taken.add(item);
    return true;
  }

  /** From now on nobody has waited for less time; nothing happens when it has no slot. */
  renew(item: T): void {
    if (this.#taken.delete(item)) this.#taken.add(item);
  }

  /** Gives the slot back; false when it had none. */
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
