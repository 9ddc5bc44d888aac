/**
 * Minimum, first and maximum cost of DATA on its way (bytes). The minimum keeps a fast pipe busy; the maximum fills a
 * connection of 20 MB/s over 200 ms.
 */
const MIN_WINDOW = 32 * 1024;
const FIRST_WINDOW = 64 * 1024;
const MAX_WINDOW = 4 * 1024 * 1024;

/** Delay that DATA may have in queues on its way, besides half of the shortest round trip (ms). */
const QUEUE_MS = 1;

/** Time after which the shortest round trip is measured afresh, because the route may have changed (ms). */
const BASE_MS = 10_000;

/**
 * Window of DATA that is on its way to the other end. It grows while the round trip stays short and shrinks once bytes
 * wait in queues between the two ends (a pipe, ssh, the other end itself): a queue there is in no order that a sender
 * could still change, and every session would wait behind it.
 */
export class Pace {
  readonly #now: () => number;
  #window = FIRST_WINDOW;
  #sent = 0;
  #acked = 0;
  /** Value of `#sent` whose confirmation is awaited, and when it was sent; undefined while nothing is measured. */
  #probe: { readonly at: number; readonly time: number; limited: boolean } | undefined;
  #baseMs = Number.POSITIVE_INFINITY;
  #baseSince = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Cost that may still be sent; negative while the window is exceeded. */
  get room(): number {
    return this.#window - (this.#sent - this.#acked);
  }

  /** Size of the window (bytes). */
  get window(): number {
    return this.#window;
  }

  /** Cost that the other end has not confirmed. */
  get inFlight(): number {
    return this.#sent - this.#acked;
  }

  /** Counts DATA that was sent. */
  sent(cost: number): void {
    this.#sent += cost;
    // With less on its way the other end does not confirm at once, and the time would say nothing.
    if (this.#probe === undefined && this.inFlight >= MIN_WINDOW / 2)
      this.#probe = { at: this.#sent, time: this.#now(), limited: false };
  }

  /** Notes that DATA waits for room. */
  limited(): void {
    if (this.#probe !== undefined) this.#probe.limited = true;
  }

  /** Counts a confirmation. Returns false for one of more than was sent. */
  acked(cost: number): boolean {
    if (cost > this.inFlight) return false;
    this.#acked += cost;
    const probe = this.#probe;
    if (probe !== undefined && this.#acked >= probe.at) {
      this.#probe = undefined;
      this.#adapt(this.#now() - probe.time, probe.limited);
    }
    return true;
  }

  #adapt(roundTripMs: number, wasLimited: boolean): void {
    const now = this.#now();
    if (roundTripMs < this.#baseMs || now - this.#baseSince > BASE_MS) {
      this.#baseMs = roundTripMs;
      this.#baseSince = now;
    }
    if (roundTripMs > this.#baseMs * 1.5 + QUEUE_MS) {
      this.#window = Math.max(MIN_WINDOW, Math.floor(this.#window * 0.75));
    } else if (wasLimited) {
      this.#window = Math.min(MAX_WINDOW, Math.floor(this.#window * 1.125));
    }
  }
}

/** Cost of received DATA after which it is confirmed at once; less is confirmed with the next frame. */
export const ACK_COST = MIN_WINDOW / 4;
