import { BoundedMap } from './bounded-map.ts';

/** Maximum number of entries; the oldest are evicted. */
const MAX_ENTRIES = 25_000;

/**
 * Order in which gateway events and our own requests occurred, by object id. An answer to a request may arrive after a
 * newer event about the same object, or after its player has logged out; such an answer must not overwrite newer data.
 */
export class LastSeen {
  readonly #at = new BoundedMap<number>(MAX_ENTRIES);
  #count = 0;
  /** Time of the last reset. */
  #allAt = 0;

  /** The current logical time; a request stores it when it is sent. */
  get moment(): number {
    return this.#count;
  }

  record(id: string): void {
    this.#count += 1;
    // Deleting the entry first moves it to the end of the eviction order.
    this.#at.delete(id);
    this.#at.set(id, this.#count);
  }

  /** Records that all data was replaced or cleared. */
  reset(): void {
    this.#count += 1;
    this.#allAt = this.#count;
    this.#at.clear();
  }

  /** Whether all data was replaced or cleared after `moment`. */
  isForgotten(moment: number): boolean {
    return moment < this.#allAt;
  }

  /**
   * Whether an event for `id` arrived after `moment`. An answer to a request that was sent at `moment` is then
   * outdated.
   */
  isOutdated(id: string, moment: number): boolean {
    return this.isForgotten(moment) || (this.#at.get(id) ?? 0) > moment;
  }
}
