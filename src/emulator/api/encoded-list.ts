/** A list as the body of a reply, of items that are JSON texts already. Texts that are kept anyway are not copied. */
export class EncodedList {
  readonly #items: readonly string[];
  /** Length of the JSON text. */
  readonly length: number;

  constructor(items: readonly string[]) {
    this.#items = items;
    this.length = items.reduce((sum, { length }) => sum + length + 1, 1) + (items.length === 0 ? 1 : 0);
  }

  /** The JSON text. */
  toString(): string {
    return `[${this.#items.join(',')}]`;
  }
}
