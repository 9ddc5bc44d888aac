import { ItemsByActor } from './items-by-actor.ts';

/**
 * Processing time that all active processes share in one turn of the event loop (ms). A process that is alone has the
 * whole of it, which is enough for a hundred requests in flight.
 */
const TURN_MS = 2;
/**
 * Processing time of a turn that work which has waited may take (ms); the work that exceeds it is the last one of the
 * turn. Processes with little work are served between turns, so that this is about how long they wait.
 */
const WAITING_MS = 1;
/**
 * Part of its process's share that small frames of one connection may take in a turn while the process has other
 * connections. A forward brings many programs as one process, and a flooding one among them must not use the time of
 * the others.
 */
const CONNECTION_PART = 1 / 4;
/** Minimum processing time of a process in a turn (ms), however many processes are active. */
const MIN_SHARE_MS = 0.03;
/**
 * Number of small pieces of work of a process in a turn, whatever they cost, while no work waits: nobody else needs the
 * time, and the first frames of a bridge take several times as long as later ones.
 */
const MIN_PIECES = 8;
/**
 * Maximum debt of a process (ms). A longer time means that the machine was suspended or busy, for which the process is
 * not responsible.
 */
const MAX_DEBT_MS = 20;

/**
 * Maximum charge of a small piece of work (ms) that takes far longer than the process's usual pieces: the bridge was
 * interrupted during the work, by a garbage collection or by another program. While hundreds of processes are active,
 * the process would otherwise wait for seconds until it has paid.
 */
const MAX_UNUSUAL_MS = 0.5;
/** Factor of the usual time of a piece of work, up to which a longer time is charged as measured. */
const UNUSUAL_FACTOR = 2;
/** Number of pieces of work over which the usual time of a process is averaged. */
const USUAL_OVER = 8;

/**
 * Minimum size of a large frame (bytes). The cost of work is known only afterwards, and the size is the best estimate:
 * a process with small frames never waits for the large frames of other processes.
 */
const LARGE_BYTES = 4096;

/** Work that waits for its process's turn. */
export interface Waiter {
  /** Continues the work until {@link Scheduler.admits} returns false again. */
  goOn(): void;
}

/** A process's claim to processing time. */
interface Share {
  /** Process that owns the share. */
  readonly actor: string;
  /** Turn in which the share was last renewed. */
  turn: number;
  /** Processing time that the process may still use in this turn (ms); negative for a debt. */
  leftMs: number;
  /** Number of pieces of work in this turn. */
  pieces: number;
  /** Usual time of a piece of work (ms): a moving average. */
  usualMs: number;
  /** Number of connections of the process. */
  connections: number;
}

/** A connection's claim to a part of its process's share. */
export interface Claim {
  readonly share: Share;
  /** Turn to which `usedMs` belongs. */
  turn: number;
  /** Processing time that the connection has used in this turn (ms). */
  usedMs: number;
}

/**
 * Divides the processing time of the event loop among processes: deficit round robin with measured time, for frames and
 * for connects. Each turn of the loop, every active process may use an equal part of {@link TURN_MS}, and time beyond
 * it is subtracted from its next parts. The rest of its work waits and continues in the following turns, one process
 * after the other. Nothing waits for a clock: while work waits, the next turn begins at once, so that a single process
 * may use the whole core while no other process needs it.
 */
export class Scheduler {
  readonly #waiting = new ItemsByActor<Waiter>();
  /** Process of each waiter that waits. */
  readonly #actorOf = new Map<Waiter, string>();
  #turn = 0;
  /** Processing time of each process in this turn (ms). */
  #shareMs = TURN_MS;
  /** Number of processes that were active in this turn. */
  #active = 0;
  /** Processing time that is left in this turn for waiting work and for large frames (ms). */
  #leftMs = WAITING_MS;
  /** The waiter whose work continues at the moment. */
  #going: Waiter | undefined;
  #nextTurn: NodeJS.Immediate | undefined;
  readonly #shares = new Map<string, Share>();
  /** Shares of processes that left with a debt. */
  readonly #debtors = new Set<Share>();

  /** Number of processes whose shares are known. */
  get size(): number {
    return this.#shares.size;
  }

  /** Adds a connection to the share of a process. */
  join(actor: string): Claim {
    let share = this.#shares.get(actor);
    if (share === undefined) {
      share = { actor, turn: this.#turn - 1, leftMs: 0, pieces: 0, usualMs: 0, connections: 0 };
      this.#shares.set(actor, share);
    }
    share.connections += 1;
    return { share, turn: this.#turn, usedMs: 0 };
  }

  /** Removes a connection from its share. A debt stays until it is paid, so that a reconnect does not clear it. */
  leave({ share }: Claim): void {
    share.connections -= 1;
    if (share.connections > 0 || this.#isPaid(share)) return;
    this.#debtors.add(share);
    this.#endTurn();
  }

  /**
   * Whether the next piece of work may begin, of which `bytes` have arrived. If not, the waiter is resumed when its
   * turn comes. `claim` is the waiter's own.
   */
  admits(claim: Claim, waiter: Waiter, bytes: number): boolean {
    if (bytes === 0) return true;
    const { share } = claim;
    if (share.turn !== this.#turn) this.#renew(share);
    if (bytes < LARGE_BYTES ? this.#mayGoOn(claim) : share.leftMs > 0 && this.#hasRoom(waiter)) return true;
    if (!this.#actorOf.has(waiter)) {
      this.#actorOf.set(waiter, share.actor);
      this.#waiting.add(share.actor, waiter);
    }
    this.#endTurn();
    return false;
  }

  /** Counts the processing time (ms) of a piece of work of `bytes`; 0 bytes for a part of work that has waited. */
  spent(claim: Claim, ms: number, bytes: number): void {
    const { share } = claim;
    if (share.turn !== this.#turn) this.#renew(share);
    claim.usedMs = claim.turn === this.#turn ? claim.usedMs + ms : ms;
    claim.turn = this.#turn;
    share.leftMs -= bytes < LARGE_BYTES ? chargeOf(ms, share) : ms;
    share.usualMs += (ms - share.usualMs) / USUAL_OVER;
    share.pieces += 1;
    if (this.#going !== undefined || bytes >= LARGE_BYTES) this.#leftMs -= ms;
    // Without the end of the turn, the share of a process that works now and then would never be renewed.
    else if (share.leftMs > this.#shareMs / 2 && this.#leavesRest(claim, CONNECTION_PART / 2)) return;
    this.#endTurn();
  }

  /** Removes a waiter that has left. */
  forget(waiter: Waiter): void {
    const actor = this.#actorOf.get(waiter);
    if (actor === undefined) return;
    this.#actorOf.delete(waiter);
    this.#waiting.delete(actor, waiter);
  }

  /** Whether a small piece of work may begin. */
  #mayGoOn(claim: Claim): boolean {
    const { leftMs, pieces } = claim.share;
    if (pieces < MIN_PIECES && this.#waiting.size === 0) return true;
    return leftMs > 0 && this.#leavesRest(claim, CONNECTION_PART);
  }

  /** Whether a connection has used less than the part of its process's share, or the process has no other connection. */
  #leavesRest({ share, turn, usedMs }: Claim, part: number): boolean {
    return share.connections === 1 || turn !== this.#turn || usedMs < this.#shareMs * part;
  }

  /** Whether a large frame of the waiter may begin: it is its turn, and the time of the turn is not used up. */
  #hasRoom(waiter: Waiter): boolean {
    return (this.#waiting.size === 0 || this.#going === waiter) && this.#leftMs > 0;
  }

  #renew(share: Share): void {
    // A debt is paid by the parts of several turns; an unused part is not saved for later.
    const leftMs = Math.max(share.leftMs, -MAX_DEBT_MS) + (this.#turn - share.turn) * this.#shareMs;
    share.leftMs = Math.min(leftMs, this.#shareMs);
    share.turn = this.#turn;
    share.pieces = 0;
    this.#active += 1;
  }

  /** Forgets the share of a process that has left, unless it is in debt. */
  #isPaid(share: Share): boolean {
    if (share.turn !== this.#turn) this.#renew(share);
    if (share.leftMs < 0) return false;
    this.#shares.delete(share.actor);
    return true;
  }

  #endTurn(): void {
    if (this.#nextTurn !== undefined) return;
    this.#nextTurn = setImmediate(() => {
      this.#nextTurn = undefined;
      this.#turn += 1;
      this.#shareMs = Math.max(MIN_SHARE_MS, TURN_MS / Math.max(1, this.#active, this.#waiting.actors));
      this.#active = 0;
      this.#leftMs = WAITING_MS;
      for (const share of this.#debtors)
        if (share.connections > 0 || this.#isPaid(share)) this.#debtors.delete(share);
      this.#goOn();
    });
  }

  #goOn(): void {
    // The count is fixed before the loop: a waiter that has to wait again resumes in the next turn.
    for (let count = this.#waiting.size; count > 0 && this.#leftMs > 0; count--) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      this.#actorOf.delete(next);
      this.#going = next;
      next.goOn();
    }
    this.#going = undefined;
    if (this.#waiting.size > 0 || this.#debtors.size > 0) this.#endTurn();
  }
}

/** Charge of a small piece of work that took `ms`. */
function chargeOf(ms: number, { usualMs }: Share): number {
  return Math.min(ms, Math.max(MAX_UNUSUAL_MS, UNUSUAL_FACTOR * usualMs));
}
