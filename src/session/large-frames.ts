import { Holdings } from '../shares/holdings.ts';
import type { Waiter } from './account.ts';

/** From so many bytes on that wait to be taken, a peer has something large: whoever has less never waits for those that have. */
const LARGE_BYTES = 4096;
/** So long a turn of the event loop may last for what is large (ms); the frame that passes it is the last one. */
const TURN_MS = 4;

interface Large {
  readonly actor: string;
  readonly waiter: Waiter;
}

/**
 * Lets only a few large frames be taken in one turn of the event loop, one of each process after the other. Many processes,
 * each within its own limits, could else fill turns of any length, and small requests would wait for all of them.
 */
export class LargeFrames {
  readonly #waiting = new Holdings<Large>();
  readonly #known = new Map<Waiter, Large>();
  #leftMs = TURN_MS;
  /** Whose turn it is just now. */
  #going: Waiter | undefined;
  #nextTurn: NodeJS.Immediate | undefined;

  /** Whether a frame may be taken, when so many bytes have come. If not, the waiter is told to go on in its turn. */
  admits(actor: string, waiter: Waiter, bytes: number): boolean {
    if (bytes < LARGE_BYTES) return true;
    const isNext = this.#waiting.size === 0 || this.#going === waiter;
    if (isNext && this.#leftMs > 0) return true;
    if (!this.#known.has(waiter)) {
      const large = { actor, waiter };
      this.#known.set(waiter, large);
      this.#waiting.add(actor, large);
    }
    this.#endTurn();
    return false;
  }

  /** Counts time (ms) that went into a frame of so many bytes. */
  worked(ms: number, bytes: number): void {
    if (bytes < LARGE_BYTES) return;
    this.#leftMs -= ms;
    this.#endTurn();
  }

  /** The waiter has left. */
  forget(waiter: Waiter): void {
    const large = this.#known.get(waiter);
    if (large === undefined) return;
    this.#known.delete(waiter);
    this.#waiting.delete(large.actor, large);
  }

  #endTurn(): void {
    if (this.#nextTurn !== undefined) return;
    this.#nextTurn = setImmediate(() => {
      this.#nextTurn = undefined;
      this.#leftMs = TURN_MS;
      this.#goOn();
    });
  }

  #goOn(): void {
    // Whoever comes to wait again does so in the next turn.
    for (let turns = this.#waiting.size; turns > 0 && this.#leftMs > 0; turns--) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      this.#known.delete(next.waiter);
      this.#going = next.waiter;
      next.waiter.goOn();
    }
    this.#going = undefined;
    if (this.#waiting.size > 0) this.#endTurn();
  }
}
