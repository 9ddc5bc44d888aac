import { ItemsByActor } from '../scheduling/items-by-actor.ts';
import type { Waiter } from './account.ts';
import type { TurnShare } from './turn-share.ts';

/**
 * Small frames that a turn of the event loop has for all processes that say something, in equal parts: what one alone has
 * takes about a millisecond, and makes up for the turn that is begun for the rest.
 */
const SMALL_FRAMES = 128;
/** No process has fewer in a turn, however many say something. */
const MIN_FRAMES = 8;
/** So many bytes of a frame count like one frame more. */
const FRAME_BYTES = 1024;

/** A frame of so many bytes is large: whoever says little never waits for those that have such. */
const LARGE_BYTES = 4096;
/** So long a turn may last for what is large, and for what had to wait (ms); the frame that passes it is the last one. */
const TURN_MS = 2;

interface Waiting {
  readonly actor: string;
  readonly waiter: Waiter;
}

/**
 * Gives each process its share of a turn of the event loop. What is beyond it waits for a turn to come, where those that
 * wait go on one process after the other. Many processes, or one with many connections, could else fill turns of any length,
 * and whoever asks for little would wait for all of them. One that is alone goes on with its next share at once.
 */
export class TurnShares {
  readonly #waiting = new ItemsByActor<Waiting>();
  readonly #known = new Map<Waiter, Waiting>();
  #turn = 0;
  /** How many processes said something in the turn before, or wait since then, and how many in this. */
  #before = 1;
  #now = 0;
  #leftMs = TURN_MS;
  /** Whose turn it is just now. */
  #going: Waiter | undefined;
  #nextTurn: NodeJS.Immediate | undefined;

  /**
   * Whether the next frame may be taken, of which so many bytes have come. If not, the waiter is told to go on in its turn;
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

  /** Counts time (ms) that went into a frame of so many bytes. */
  worked(share: TurnShare, ms: number, bytes: number): void {
    if (bytes >= LARGE_BYTES) {
      this.#leftMs -= ms;
      return this.#endTurn();
    }
    if (this.#going !== undefined) this.#leftMs -= ms;
    share.left -= 1 + Math.floor(bytes / FRAME_BYTES);
    // In good time: one that has little to say is not to wait because of what it said in turns before.
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
