const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Counts values in a text of JSON before it is parsed, so that parsing cannot exhaust the memory. */
export class JsonValues {
  #count = 0;
  #depth: 'outside' | 'in a string' | 'behind a backslash' = 'outside';

  /** Upper bound of the number of values, keys included. */
  get count(): number {
    return this.#count;
  }

  /** Adds the next part of the text. */
  add(part: string): void {
    let [count, depth] = [this.#count, this.#depth];
    for (let at = 0; at < part.length; at += 1) {
      const code = part.charCodeAt(at);
      if (depth === 'outside') {
        if (code === QUOTE) depth = 'in a string';
        else if (isBeforeValue(code)) count += 1;
      } else if (depth === 'behind a backslash') depth = 'in a string';
      else if (code === BACKSLASH) depth = 'behind a backslash';
      else if (code === QUOTE) depth = 'outside';
    }
    this.#count = count;
    this.#depth = depth;
  }
}

/** One of `,` `:` `[` `{`. */
function isBeforeValue(code: number): boolean {
  return code === 0x2c || code === 0x3a || code === 0x5b || code === 0x7b;
}
