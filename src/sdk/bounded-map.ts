/** Characters of all that one map holds, as JSON. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

/** What a service has told, by id, with room for so much: the oldest make room, so that no service fills the game's memory. */
export class BoundedMap<Value> {
  readonly #rows = new Map<string, { readonly value: Value; readonly size: number }>();
  readonly #most: number;
  readonly #mostCharacters: number;
  #characters = 0;

  /** @param most entries */
  constructor(most: number, mostCharacters = MOST_CHARACTERS) {
    this.#most = most;
    this.#mostCharacters = mostCharacters;
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

  /** What is larger than the map by itself is not kept. */
  set(key: string, value: Value): void {
    const size = key.length + (JSON.stringify(value)?.length ?? 0);
    this.#characters += size - (this.#rows.get(key)?.size ?? 0);
    this.#rows.set(key, { value, size });
    for (const oldest of this.#rows.keys()) {
      if (this.#rows.size <= this.#most && this.#characters <= this.#mostCharacters) return;
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
