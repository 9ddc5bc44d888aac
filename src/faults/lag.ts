/** When something runs. */
export interface Later {
  /** At least so long from now (ms). */
  readonly delayMs?: number;
  /** At least so long after what was pushed before it has run (ms): for what takes its time. */
  readonly gapMs?: number;
}

interface Waiting {
  readonly due: number;
  readonly gapMs: number;
  readonly run: () => void;
}

/** A line in which nobody overtakes: each thing runs when it is due, and when all before it have run. */
export class Lag {
  readonly #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** When the last one ran. */
  #ran = Number.NEGATIVE_INFINITY;

  /** How many wait. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Runs it at once where nothing holds it up. */
  push(run: () => void, { delayMs = 0, gapMs = 0 }: Later = {}): void {
    const now = performance.now();
    if (this.#waiting.length === 0 && delayMs === 0 && this.#ran + gapMs <= now) {
      this.#ran = now;
      return run();
    }
    this.#waiting.push({ due: now + delayMs, gapMs, run });
    if (this.#waiting.length === 1) this.#arm();
  }

  /** What waits never runs. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting.length = 0;
  }

  #arm(): void {
    const [first] = this.#waiting;
    if (first === undefined) return;
    const at = Math.max(first.due, this.#ran + first.gapMs);
    this.#timer = setTimeout(() => this.#next(), Math.max(0, at - performance.now()));
  }

  #next(): void {
    this.#timer = undefined;
    const first = this.#waiting.shift();
    this.#ran = performance.now();
    first?.run();
    if (this.#timer === undefined) this.#arm();
  }
}
