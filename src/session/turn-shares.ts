import { ItemsByActor } from '../scheduling/items-by-actor.ts';
import type { Waiter } from './account.ts';
import type { TurnShare } from './turn-share.ts';

/**
 * Number of small frames per turn of the event loop, divided equally among the active processes. The share of a single
 * process takes about a millisecond, so that the cost of an extra turn is small in comparison.
 */
const SMALL_FRAMES = 128;
/** Minimum number of frames of a process per turn, however many processes are active. */
const MIN_FRAMES = 8;
/** This many bytes of a frame count like a further frame. */
const FRAME_BYTES = 1024;

/**
 * Minimum size of a large frame (bytes). A process with few small frames never waits for the large frames of other
 * processes.
 */
const LARGE_BYTES = 4096;
/**
 * Maximum time per turn for large frames and for frames that have waited (ms); the frame that exceeds it is the last
 * one of the turn.
 */
const TURN_MS = 2;

interface Waiting {
  readonly actor: string;
  readonly waiter: Waiter;
}

/**
 * Gives each process its share of a turn of the event loop. Frames beyond the share wait for a later turn, in which the
 * waiting processes resume one after the other. Without shares, many processes, or one process with many connections,
 * could make turns arbitrarily long, and a process with few requests would wait for all of these frames. A single
 * active process gets its next share at once.
 */
export class TurnShares {
  readonly #waiting = new ItemsByActor<Waiting>();
  readonly #known = new Map<Waiter, Waiting>();
  #turn = 0;
  /**
   * Number of processes that were active in the previous turn or are waiting, and number of processes that are active
   * in this turn.
   */
  #before = 1;
  #now = 0;
  #leftMs = TURN_MS;
  /** The waiter whose turn it is. */
  #going: Waiter | undefined;
  #nextTurn: NodeJS.Immediate | undefined;

  /**
   * Whether the next frame may be taken, of which `bytes` have arrived. If not, the waiter is resumed in its turn.
   * `share` is the share of the waiter's process.
   */
  admits(share: TurnShare, actor: string, waiter: Waiter, bytes: number): boolean {
    if (bytes === 0) return true;
    this.#renew(share);
    if (bytes < LARGE_BYTES) {
      if (share.left > 0) return true;
    } else {
      const isNext = this.#waiting.size === 0 || this.#going === waiter;
      if (isNext && this.#leftMs > 0) return true;
    }
    if (!this.#known.has(waiter)) {
      const waiting = { actor, waiter };
      this.#known.set(waiter, waiting);
      this.#waiting.add(actor, waiting);
    }
    this.#endTurn();
    return false;
  }

  /** Counts processing time (ms) of a frame of `bytes`. */
  worked(share: TurnShare, ms: number, bytes: number): void {
    if (bytes >= LARGE_BYTES) {
      this.#leftMs -= ms;
      return this.#endTurn();
    }
    if (this.#going !== undefined) this.#leftMs -= ms;
    share.left -= 1 + Math.floor(bytes / FRAME_BYTES);
    // The turn ends before the share is used up, so that a process with few frames does not wait because of its frames
    // in earlier turns.
    if (share.left < SMALL_FRAMES / 2) this.#endTurn();
  }

  /** The waiter has left. */
  forget(waiter: Waiter): void {
    const waiting = this.#known.get(waiter);
    if (waiting === undefined) return;
    this.#known.delete(waiter);
    this.#waiting.delete(waiting.actor, waiting);
  }

  #renew(share: TurnShare): void {
    if (share.turn === this.#turn) return;
    share.turn = this.#turn;
    share.left = Math.max(MIN_FRAMES, Math.floor(SMALL_FRAMES / this.#before));
    this.#now += 1;
  }

  #endTurn(): void {
    if (this.#nextTurn !== undefined) return;
    this.#nextTurn = setImmediate(() => {
      this.#nextTurn = undefined;
      this.#turn += 1;
      this.#before = Math.max(1, this.#now, this.#waiting.actors);
      this.#now = 0;
      this.#leftMs = TURN_MS;
      this.#goOn();
    });
  }

  #goOn(): void {
    // The count is fixed before the loop: a waiter that has to wait again resumes in the next turn.
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
