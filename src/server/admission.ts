import { Holdings } from '../scheduling/holdings.ts';
import { type Rate, TokenBucket } from '../session/rate-limit.ts';
import type { Seat } from './seats.ts';

/** More processes than this at a time, and those that have been calm are forgotten. */
const REMEMBERED = 256;
/** So many are served in one turn of the event loop: what they ask for is read before the next. */
const SERVED_EACH_TURN = 8;

/** Takes a task back that has not run yet. */
type Cancel = () => void;

/** Runs a task once, after so many ms. */
type After = (ms: number, task: () => void) => Cancel;

const afterTimeout: After = (ms, task) => {
  const timer = setTimeout(task, ms).unref();
  return () => clearTimeout(timer);
};

interface Process {
  readonly bucket: TokenBucket;
  readonly late: Map<Seat, Cancel>;
}

/**
 * When each connection is served: a few in a turn of the event loop, one of each process after the other. A process that
 * connects again and again waits longer; nobody else is turned away by it.
 */
export class Admission {
  readonly #rate: Rate;
  readonly #serve: (seat: Seat) => void;
  readonly #after: After;
  readonly #byActor = new Map<string, Process>();
  /** Those that may be served as soon as there is time. */
  readonly #due = new Holdings<Seat>();
  /** How many more this turn has room for. */
  #room = SERVED_EACH_TURN;
  #nextTurn: NodeJS.Immediate | undefined;
  #late = 0;

  constructor(rate: Rate, serve: (seat: Seat) => void, after: After = afterTimeout) {
    this.#rate = rate;
    this.#serve = serve;
    this.#after = after;
  }

  /** How many wait to be served. */
  get waiting(): number {
    return this.#late + this.#due.size;
  }

  /**
   * Serves the connection, now or later. A storm is not turned away, which it would only take as the sign to go on: the
   * share of places that its process has bounds how many of it wait.
   */
  enter(seat: Seat, now = performance.now()): void {
    // Where the system names no process there is nobody to hold to it.
    if (seat.pid === undefined) return this.#enqueue(seat);
    const process = this.#processOf(seat.actor, now);
    const wait = process.bucket.take(1, now);
    if (wait === 0) return this.#enqueue(seat);
    const cancel = this.#after(wait, () => {
      this.#forget(seat, process);
      this.#enqueue(seat);
    });
    process.late.set(seat, cancel);
    this.#late += 1;
  }

  /** Whether any of the actor waits. */
  isWaiting(actor: string): boolean {
    return this.#due.of(actor).size > 0 || (this.#byActor.get(actor)?.late.size ?? 0) > 0;
  }

  /** Of those of the actor, or of whoever has most, that wait: the one that came last. */
  lastWaiting(actor = this.#due.largest()): Seat | undefined {
    if (actor === undefined) return undefined;
    return [...(this.#byActor.get(actor)?.late.keys() ?? [])].at(-1) ?? [...this.#due.of(actor)].at(-1);
  }

  /** Ends the wait of one, if it waits. */
  cancel(seat: Seat): void {
    if (this.#due.delete(seat.actor, seat)) return;
    const process = this.#byActor.get(seat.actor);
    if (process?.late.has(seat)) this.#forget(seat, process);
  }

  /** Ends the wait of all; returns whom they are. */
  clear(): readonly Seat[] {
    const waiting: Seat[] = [];
    for (let due = this.#due.shift(); due; due = this.#due.shift()) waiting.push(due);
    for (const process of this.#byActor.values()) {
      for (const seat of process.late.keys()) {
        waiting.push(seat);
        this.#forget(seat, process);
      }
    }
    return waiting;
  }

  #enqueue(seat: Seat): void {
    // The usual case: nobody waits, and there is time.
    if (this.#room > 0 && this.#due.size === 0) return this.#serveNow(seat);
    this.#due.add(seat.actor, seat);
  }

  #serveNow(seat: Seat): void {
    this.#room -= 1;
    this.#endTurn();
    this.#serve(seat);
  }

  #serveDue(): void {
    while (this.#room > 0) {
      const seat = this.#due.shift();
      if (seat === undefined) return;
      this.#serveNow(seat);
    }
  }

  #endTurn(): void {
    if (this.#nextTurn !== undefined) return;
    this.#nextTurn = setImmediate(() => {
      this.#nextTurn = undefined;
      this.#room = SERVED_EACH_TURN;
      this.#serveDue();
    });
  }

  #forget(seat: Seat, process: Process): void {
    process.late.get(seat)?.();
    if (process.late.delete(seat)) this.#late -= 1;
  }

  #processOf(actor: string, now: number): Process {
    let process = this.#byActor.get(actor);
    if (process === undefined) {
      this.#forgetCalm(now);
      process = { bucket: new TokenBucket(this.#rate, now), late: new Map() };
      this.#byActor.set(actor, process);
    }
    return process;
  }

  #forgetCalm(now: number): void {
    if (this.#byActor.size < REMEMBERED) return;
    for (const [actor, { bucket }] of this.#byActor) if (bucket.isFull(now)) this.#byActor.delete(actor);
  }
}
