/** Maximum size of one map, in characters of JSON. */
const MAX_CHARACTERS = 32 * 1024 * 1024;

/**
 * Entries from a service, by id. At the size limit the oldest entries are evicted, so that a service cannot fill the
 * game's memory.
 */
export class BoundedMap<Value> {
  readonly #rows = new Map<string, { readonly value: Value; readonly size: number }>();
  readonly #maxEntries: number;
  readonly #maxCharacters: number;
  #characters = 0;

  /** @param maxEntries entries */
  constructor(maxEntries: number, maxCharacters = MAX_CHARACTERS) {
    this.#maxEntries = maxEntries;
    this.#maxCharacters = maxCharacters;
  }

  get size(): number {
    return this.#rows.size;
  }

  get(key: string): Value | undefined {
    return this.#rows.get(key)?.value;
  }

  has(key: string): boolean {
    return this.#rows.has(key);
  }

  /** Stores an entry, unless the entry alone is larger than the limit. */
  set(key: string, value: Value): void {
    const size = key.length + (JSON.stringify(value)?.length ?? 0);
    this.#characters += size - (this.#rows.get(key)?.size ?? 0);
    this.#rows.set(key, { value, size });
    for (const oldest of this.#rows.keys()) {
      if (this.#rows.size <= this.#maxEntries && this.#characters <= this.#maxCharacters) return;
      this.delete(oldest);
    }
  }

  delete(key: string): boolean {
    this.#characters -= this.#rows.get(key)?.size ?? 0;
    return this.#rows.delete(key);
  }

  clear(): void {
    this.#rows.clear();
    this.#characters = 0;
  }

  keys(): string[] {
    return [...this.#rows.keys()];
  }

  values(): Value[] {
    return [...this.#rows.values()].map(({ value }) => value);
  }
}
