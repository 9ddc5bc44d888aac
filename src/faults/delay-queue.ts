/** When a task runs. */
export interface Later {
  /** Minimum delay from now (ms). */
  readonly delayMs?: number;
  /** Minimum gap after the run of the previous task (ms), for slow writes. */
  readonly gapMs?: number;
}

interface Waiting {
  readonly due: number;
  readonly gapMs: number;
  readonly run: () => void;
}

/** A queue that preserves the order of its tasks: each task runs when it is due and all earlier tasks have run. */
export class DelayQueue {
  readonly #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** When the last task ran. */
  #ran = Number.NEGATIVE_INFINITY;

  /** Number of waiting tasks. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Adds a task. The task runs at once if it is due and no earlier task is waiting. */
  push(run: () => void, { delayMs = 0, gapMs = 0 }: Later = {}): void {
    const now = performance.now();
    if (this.#waiting.length === 0 && delayMs === 0 && this.#ran + gapMs <= now) {
      this.#ran = now;
      return run();
    }
    this.#waiting.push({ due: now + delayMs, gapMs, run });
    if (this.#waiting.length === 1) this.#arm();
  }

  /** Drops all waiting tasks. */
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
