/** Gap where the peer's requests suggest that it has read every frame (ms). */
const READ_MS = 5;
/**
 * Gap where they do not (ms). After a subscription, an app sends its next request while the first event is on its way:
 * with a gap of 5 ms, `discord-rpc` in Wine lost the answer in every tenth run.
 */
const UNPROVEN_MS = 30;
/**
 * Number of waiting frames above which the short gap applies in any case: more events than one in 30 ms would otherwise
 * wait for seconds, and an app's requests behind them.
 */
const MAX_UNPROVEN_WAITING = 3;

/** Gap between two frames where the system does not report unread bytes. */
export class BlindGap {
  /** Number of writes after which the peer has not sent anything. */
  #unproven = 0;

  /** The peer has sent something. If it waits for each answer, it has read one more write. */
  received(): void {
    if (this.#unproven > 0) this.#unproven -= 1;
  }

  /** A write, so long after the previous one (ms). */
  wrote(sinceMs: number): void {
    this.#unproven = sinceMs >= UNPROVEN_MS ? 1 : this.#unproven + 1;
  }

  /** Whether the next of the `waiting` frames may be sent, so long after the last write (ms). */
  isOver(sinceMs: number, waiting: number): boolean {
    const isShort = this.#unproven === 0 || waiting > MAX_UNPROVEN_WAITING;
    return sinceMs >= (isShort ? READ_MS : UNPROVEN_MS);
  }
}
