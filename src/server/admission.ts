import { Bucket, type Rate } from '../session/bucket.ts';
import type { Connection } from '../wire/connection.ts';

/** More processes than this at a time, and those that have been calm are forgotten. */
const REMEMBERED = 256;
/** So many connections of one process may wait to be served. */
const MOST_WAITING = 64;

interface Turn {
  readonly connection: Connection;
  readonly timer: NodeJS.Timeout;
}

interface Process {
  readonly bucket: Bucket;
  /** Oldest first. */
  readonly turns: Set<Turn>;
}

/** Slows a process down that connects again and again; nobody else is turned away by it. */
export class Admission {
  readonly #rate: Rate;
  readonly #byProcess = new Map<number, Process>();
  /** Of all processes, oldest first. */
  readonly #turns = new Map<Turn, Process>();

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  /** How many wait to be served. */
  get waiting(): number {
    return this.#turns.size;
  }

  /**
   * Calls `serve` for the connection, now or when its process may have one more. False when too many of it wait
   * already: that costs it nothing, so that it owes no more than what waits.
   */
  enter(connection: Connection, serve: (connection: Connection) => void, now = performance.now()): boolean {
    // Where the system names no process there is nobody to hold to it.
    if (connection.peer === undefined || connection.peer.pid === 0) {
      serve(connection);
      return true;
    }
    const process = this.#processOf(connection.peer.pid, now);
    if (process.turns.size >= MOST_WAITING) return false;
    const wait = process.bucket.take(1, now);
    if (wait === 0) {
      serve(connection);
      return true;
    }
    const turn: Turn = {
      connection,
      timer: setTimeout(() => {
        this.#forget(turn, process);
        serve(connection);
      }, wait),
    };
    turn.timer.unref();
    process.turns.add(turn);
    this.#turns.set(turn, process);
    return true;
  }

  /** Drops the one that has waited for longest; false when nobody waits. */
  dropOldest(): boolean {
    const [oldest] = this.#turns;
    if (oldest === undefined) return false;
    const [turn, process] = oldest;
    this.#forget(turn, process);
    turn.connection.destroy();
    return true;
  }

  /** Ends the wait of all; returns whom they are. */
  clear(): readonly Connection[] {
    const waiting = [...this.#turns];
    for (const [turn, process] of waiting) this.#forget(turn, process);
    return waiting.map(([{ connection }]) => connection);
  }

  #forget(turn: Turn, process: Process): void {
    clearTimeout(turn.timer);
    process.turns.delete(turn);
    this.#turns.delete(turn);
  }

  #processOf(pid: number, now: number): Process {
    let process = this.#byProcess.get(pid);
    if (process === undefined) {
      this.#forgetCalm(now);
      process = { bucket: new Bucket(this.#rate, now), turns: new Set() };
      this.#byProcess.set(pid, process);
    }
    return process;
  }

  #forgetCalm(now: number): void {
    if (this.#byProcess.size < REMEMBERED) return;
    for (const [pid, { bucket }] of this.#byProcess) if (bucket.isFull(now)) this.#byProcess.delete(pid);
  }
}
