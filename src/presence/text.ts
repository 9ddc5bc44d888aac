/** A text of an app, which many patterns are compared with. */
export class Text {
  readonly raw: string;
  #folded: string | undefined;

  constructor(raw: string) {
    this.raw = raw;
  }

  /** Without blanks at the ends, composed, in lower case; made once. */
  get folded(): string {
    this.#folded ??= folded(this.raw);
    return this.#folded;
  }
}

/** The form in which texts are compared without regard to case. */
export function folded(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}
