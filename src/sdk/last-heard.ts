import { BoundedMap } from './bounded-map.ts';

/** Things whose last news is remembered; the oldest make room. */
const MOST = 25_000;

/**
 * When the gateway last said something of a thing, by id. The service's answers come another way: one that is slower than the news
 * of the same thing, or is for a player who is gone, takes nothing back.
 */
export class LastHeard {
  readonly #at = new BoundedMap<number>(MOST);
  #count = 0;
  /** When there was news of everything. */
  #allAt = 0;

  /** Now; to be kept while the service is asked. */
  get moment(): number {
    return this.#count;
  }

  heard(id: string): void {
    this.#count += 1;
    // Behind all others.
    this.#at.delete(id);
    this.#at.set(id, this.#count);
  }

  /** Everything is told anew, or forgotten. */
  heardAll(): void {
    this.#count += 1;
    this.#allAt = this.#count;
    this.#at.clear();
  }

  /** Whether everything was told anew since that moment, or forgotten. */
  isForgotten(moment: number): boolean {
    return moment < this.#allAt;
  }

  /** Whether there was news since that moment, so that an answer to what was asked then is older. */
  isOutdated(id: string, moment: number): boolean {
    return this.isForgotten(moment) || (this.#at.get(id) ?? 0) > moment;
  }
}
