import { ItemsByActor } from '../scheduling/items-by-actor.ts';
import type { Waiter } from './account.ts';
import type { TurnShare } from './turn-share.ts';

/**
 * Small frames of a turn of the event loop for all active processes, in equal parts: a single process's part takes
 * about a millisecond, which outweighs the cost of a further turn for the rest.
 */
const SMALL_FRAMES = 128;
/** Minimum frames of a process in a turn, for any number of active processes. */
const MIN_FRAMES = 8;
/** This many bytes of a frame count like a further frame. */
const FRAME_BYTES = 1024;

/** Frames from this size on are large: a process with few small frames never waits for them. */
const LARGE_BYTES = 4096;
/** Maximum time of a turn for large and for delayed frames (ms); the frame that exceeds it is the last one. */
const TURN_MS = 2;

interface Waiting {
  readonly actor: string;
  readonly waiter: Waiter;
}

/**
 * Gives each process its share of a turn of the event loop. Frames beyond it wait for a later turn, where the waiting
 * processes resume one after the other. Otherwise many processes, or one with many connections, could fill turns of any
 * length, and a process with few requests would wait for all of them. A single active process continues with its next
 * share at once.
 */
export class TurnShares {
  readonly #waiting = new ItemsByActor<Waiting>();
  readonly #known = new Map<Waiter, Waiting>();
  #turn = 0;
  /** Processes that were active in the turn before, or wait since then, and processes active in this turn. */
  #before = 1;
  #now = 0;
  #leftMs = TURN_MS;
  /** The waiter whose turn it is. */
  #going: Waiter | undefined;
  #nextTurn: NodeJS.Immediate | undefined;

  /**
   * Whether the next frame may be taken, after `bytes` of it have come. If not, the waiter is resumed in its turn;
   * `share` is that of its process.
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
    // Early: a process with few frames must not wait because of its frames in earlier turns.
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
    // A waiter that waits again resumes in the next turn.
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
