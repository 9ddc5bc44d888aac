const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Counts values in a text of JSON before it is parsed, so that nobody makes more of them than there is memory for. */
export class JsonValues {
  #count = 0;
  #place: 'outside' | 'in a string' | 'behind a backslash' = 'outside';

  /** How many values there are at most, keys included. */
  get count(): number {
    return this.#count;
  }

  /** Goes on with the next part of the text. */
  add(part: string): void {
    let [count, place] = [this.#count, this.#place];
    for (let at = 0; at < part.length; at += 1) {
      const code = part.charCodeAt(at);
      if (place === 'outside') {
        if (code === QUOTE) place = 'in a string';
        else if (isBeforeValue(code)) count += 1;
      } else if (place === 'behind a backslash') place = 'in a string';
      else if (code === BACKSLASH) place = 'behind a backslash';
      else if (code === QUOTE) place = 'outside';
    }
    this.#count = count;
    this.#place = place;
  }
}

/** One of `,` `:` `[` `{`. */
function isBeforeValue(code: number): boolean {
  return code === 0x2c || code === 0x3a || code === 0x5b || code === 0x7b;
}
