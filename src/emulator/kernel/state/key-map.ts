/** Number of deleted keys that are retained whatever the size of the map. */
const FEW = 64;

/**
 * A map in which a key may be added and deleted any number of times. A `Map` of V8 visits every earlier deletion of a
 * key until it rehashes, which is rare for a large map. In this map a deleted key stays, without a value, until half of
 * all keys are deleted. Adding and deleting one key among 100,000 takes 8 ms for 30,000 repetitions, and 1.3 s in a
 * `Map`.
 */
export class KeyMap<Value> {
  readonly #values = new Map<string, Value | undefined>();
  #deleted = 0;

  get size(): number {
    return this.#values.size - this.#deleted;
  }

  get(key: string): Value | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: Value): void {
    const { size } = this.#values;
    const known = this.#deleted > 0 && this.#values.get(key) === undefined;
    this.#values.set(key, value);
    // The key was present as a deleted key, without a value.
    if (known && this.#values.size === size) this.#deleted -= 1;
  }

  /** Deletes a key, which must be present. */
  delete(key: string): void {
    this.#values.set(key, undefined);
    this.#deleted += 1;
    if (this.#deleted <= FEW || this.#deleted * 2 <= this.#values.size) return;
    for (const [other, value] of this.#values) if (value === undefined) this.#values.delete(other);
    this.#deleted = 0;
  }

  *keys(): Generator<string> {
    for (const [key, value] of this.#values) if (value !== undefined) yield key;
  }
}
