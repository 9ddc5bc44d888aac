import { ItemsByActor } from '../scheduling/items-by-actor.ts';
import { type Rate, TokenBucket } from '../session/rate-limit.ts';
import type { ConnectionSlot } from './connection-slots.ts';

/** Number of remembered processes above which a process is forgotten when its rate budget is full again. */
const REMEMBERED = 256;
/**
 * Number of connections that are served in one turn of the event loop; their requests are read before further
 * connections are served.
 */
const SERVED_EACH_TURN = 8;

/** Cancels a task that has not run yet. */
type Cancel = () => void;

/** Runs a task once, after `ms`. */
type After = (ms: number, task: () => void) => Cancel;

const afterTimeout: After = (ms, task) => {
  const timer = setTimeout(task, ms).unref();
  return () => clearTimeout(timer);
};

interface Process {
  readonly bucket: TokenBucket;
  readonly late: Map<ConnectionSlot, Cancel>;
}

/**
 * Schedules when each connection is served: a few per turn of the event loop, taken from the processes in turn. A
 * process that connects again and again waits longer, and other processes are not refused because of it.
 */
export class Admission {
  readonly #rate: Rate;
  readonly #serve: (slot: ConnectionSlot) => void;
  readonly #after: After;
  readonly #byActor = new Map<string, Process>();
  /** Connections that are within their process's rate and wait for room in a turn. */
  readonly #due = new ItemsByActor<ConnectionSlot>();
  /** Number of connections that may still be served in this turn. */
  #room = SERVED_EACH_TURN;
  #nextTurn: NodeJS.Immediate | undefined;
  #late = 0;

  constructor(rate: Rate, serve: (slot: ConnectionSlot) => void, after: After = afterTimeout) {
    this.#rate = rate;
    this.#serve = serve;
    this.#after = after;
  }

  /** How many wait to be served. */
  get waiting(): number {
    return this.#late + this.#due.size;
  }

  /**
   * Serves the connection, now or later. A storm of connections is not refused, because the clients would only
   * reconnect: the slot share of its process limits how many connections wait.
   */
  enter(slot: ConnectionSlot, now = performance.now()): void {
    // When the system does not report the process, no rate can be applied.
    if (slot.pid === undefined) return this.#enqueue(slot);
    const process = this.#processOf(slot.actor, now);
    const wait = process.bucket.take(1, now);
    if (wait === 0) return this.#enqueue(slot);
    const cancel = this.#after(wait, () => {
      this.#forget(slot, process);
      this.#enqueue(slot);
    });
    process.late.set(slot, cancel);
    this.#late += 1;
  }

  /** Whether a connection of the actor waits to be served. */
  isWaiting(actor: string): boolean {
    return this.#due.of(actor).size > 0 || (this.#byActor.get(actor)?.late.size ?? 0) > 0;
  }

  /** Returns the newest waiting connection of the actor; by default of the actor with the most waiting connections. */
  lastWaiting(actor = this.#due.largestHolder()): ConnectionSlot | undefined {
    if (actor === undefined) return undefined;
    return [...(this.#byActor.get(actor)?.late.keys() ?? [])].at(-1) ?? [...this.#due.of(actor)].at(-1);
  }

  /** Ends the wait of a connection; does nothing when it does not wait. */
  cancel(slot: ConnectionSlot): void {
    if (this.#due.delete(slot.actor, slot)) return;
    const process = this.#byActor.get(slot.actor);
    if (process?.late.has(slot)) this.#forget(slot, process);
  }

  /** Ends the wait of all connections; returns them. */
  clear(): readonly ConnectionSlot[] {
    const waiting: ConnectionSlot[] = [];
    for (let due = this.#due.shift(); due; due = this.#due.shift()) waiting.push(due);
    for (const process of this.#byActor.values()) {
      for (const slot of process.late.keys()) {
        waiting.push(slot);
        this.#forget(slot, process);
      }
    }
    return waiting;
  }

  #enqueue(slot: ConnectionSlot): void {
    // In the usual case no connection waits and the turn has room.
    if (this.#room > 0 && this.#due.size === 0) return this.#serveNow(slot);
    this.#due.add(slot.actor, slot);
  }

  #serveNow(slot: ConnectionSlot): void {
    this.#room -= 1;
    this.#endTurn();
    this.#serve(slot);
  }

  #serveDue(): void {
    while (this.#room > 0) {
      const slot = this.#due.shift();
      if (slot === undefined) return;
      this.#serveNow(slot);
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

  #forget(slot: ConnectionSlot, process: Process): void {
    process.late.get(slot)?.();
    if (process.late.delete(slot)) this.#late -= 1;
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
