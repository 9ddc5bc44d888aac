import { BoundedMap } from './bounded-map.ts';

/** Limit of entries; the oldest are evicted. */
const MAX_ENTRIES = 25_000;

/**
 * Order of the gateway's events and our requests, by id. An answer to a request may arrive after a newer event of the
 * same object, or after its player has left; it must not overwrite newer data.
 */
export class LastSeen {
  readonly #at = new BoundedMap<number>(MAX_ENTRIES);
  #count = 0;
  /** Time of the last reset. */
  #allAt = 0;

  /** The current time; a request stores it when it is sent. */
  get moment(): number {
    return this.#count;
  }

  record(id: string): void {
    this.#count += 1;
    // Moves the entry to the end of the eviction order.
    this.#at.delete(id);
    this.#at.set(id, this.#count);
  }

  /** All data was replaced or cleared. */
  reset(): void {
    this.#count += 1;
    this.#allAt = this.#count;
    this.#at.clear();
  }

  /** Whether all data was replaced or cleared since that time. */
  isForgotten(moment: number): boolean {
    return moment < this.#allAt;
  }

  /** Whether an event arrived since that time, so that an answer to a request of that time is outdated. */
  isOutdated(id: string, moment: number): boolean {
    return this.isForgotten(moment) || (this.#at.get(id) ?? 0) > moment;
  }
}
