import { ItemsByActor } from '../scheduling/items-by-actor.ts';
import type { Claim, Waiter } from '../scheduling/scheduler.ts';
import type { Budgets } from '../session/flow-control.ts';
import type { Limits } from '../session/limits.ts';
import type { ConnectionSlot } from './connection-slots.ts';
import type { EntranceGate } from './entrance.ts';

/** Size of a connect for the scheduler (bytes): it counts as a small frame. */
const CONNECT_BYTES = 1;

/** Cancels a task that has not run yet. */
type Cancel = () => void;

/** Clock of {@link Admission}. */
export interface AdmissionClock {
  /** Monotonic time (ms). */
  now(): number;
  /** Runs a task once, after `ms`. */
  after(ms: number, task: () => void): Cancel;
}

const systemClock: AdmissionClock = {
  now: () => performance.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** A connection that is not served yet. */
interface Connect extends Waiter {
  readonly slot: ConnectionSlot;
  readonly claim: Claim;
  /** Cancels the wait for the process's rate of connects. */
  cancelTimer: Cancel | undefined;
}

/** Budgets that {@link Admission} charges. */
export type AdmissionBudgets = Pick<Budgets, 'accounts' | 'scheduler'>;

/**
 * Schedules when each connection is served. A connect is work like a frame: it is served at once while its process has
 * processing time left in this turn of the event loop, and otherwise in the process's next turn.
 */
export class Admission {
  readonly #budgets: AdmissionBudgets;
  readonly #serve: (slot: ConnectionSlot) => void;
  readonly #clock: AdmissionClock;
  readonly #waiting = new ItemsByActor<ConnectionSlot>();
  readonly #connects = new Map<ConnectionSlot, Connect>();
  /** Limits of the accounts of further connections. */
  limits: Limits;

  constructor(
    budgets: AdmissionBudgets,
    limits: Limits,
    serve: (slot: ConnectionSlot) => void,
    clock = systemClock,
  ) {
    this.#budgets = budgets;
    this.limits = limits;
    this.#serve = serve;
    this.#clock = clock;
  }

  /** How many wait to be served. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Serves the connection, now or later. A storm of connections is not refused, because the clients would only
   * reconnect: the slot share of its process limits how many connections wait.
   */
  enter(slot: ConnectionSlot): void {
    const { accounts, scheduler } = this.#budgets;
    const { actor, pid } = slot;
    const account = accounts.join(actor, slot.entrance?.gate.limitsWithin(this.limits) ?? this.limits);
    const connect: Connect = {
      slot,
      claim: scheduler.join(actor),
      cancelTimer: undefined,
      goOn: () => this.#proceed(connect),
    };
    // When the system does not report the process, no rate can be applied.
    const ms = pid === undefined ? 0 : account.connect(this.#clock.now());
    if (ms === 0) return connect.goOn();
    this.#await(connect);
    connect.cancelTimer = this.#clock.after(ms, () => connect.goOn());
  }

  /** Whether a connection of the actor waits to be served. */
  isWaiting(actor: string): boolean {
    return this.#waiting.of(actor).size > 0;
  }

  /** Returns the newest waiting connection of the actor; by default of the actor with the most waiting connections. */
  lastWaiting(actor = this.#waiting.largestHolder()): ConnectionSlot | undefined {
    return actor === undefined ? undefined : this.#waiting.newest(actor);
  }

  /** Connections of an endpoint that wait to be served. */
  waitingAt(gate: EntranceGate): readonly ConnectionSlot[] {
    return [...this.#connects.keys()].filter(({ entrance }) => entrance?.gate === gate);
  }

  /** Ends the wait of a connection; does nothing when it does not wait. */
  cancel(slot: ConnectionSlot): void {
    const connect = this.#connects.get(slot);
    if (connect === undefined) return;
    this.#connects.delete(slot);
    this.#waiting.delete(slot.actor, slot);
    connect.cancelTimer?.();
    this.#budgets.scheduler.forget(connect);
    this.#leave(connect);
  }

  /** Ends the wait of all connections; returns them. */
  clear(): readonly ConnectionSlot[] {
    const waiting = [...this.#connects.keys()];
    for (const slot of waiting) this.cancel(slot);
    return waiting;
  }

  #proceed(connect: Connect): void {
    const { scheduler } = this.#budgets;
    if (!scheduler.admits(connect.claim, connect, CONNECT_BYTES)) return this.#await(connect);
    this.#connects.delete(connect.slot);
    this.#waiting.delete(connect.slot.actor, connect.slot);
    const begun = this.#clock.now();
    this.#serve(connect.slot);
    scheduler.spent(connect.claim, this.#clock.now() - begun, CONNECT_BYTES);
    // Last, so that the share and the account are not forgotten in between.
    this.#leave(connect);
  }

  #await(connect: Connect): void {
    if (this.#connects.has(connect.slot)) return;
    this.#connects.set(connect.slot, connect);
    this.#waiting.add(connect.slot.actor, connect.slot);
  }

  #leave({ slot, claim }: Connect): void {
    this.#budgets.scheduler.leave(claim);
    this.#budgets.accounts.leave(slot.actor);
  }
}
