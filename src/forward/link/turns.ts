/** Cost that a session may send before sessions that have sent more in this round (bytes): some small requests. */
const FIRST_COST = 2 * 1024;

/** Cost after which a round ends, for each session that has sent in it (bytes). */
const ROUND_COST = 8 * 1024;

/** Place of a session in the order of {@link Turns}; a session has one for its whole life. */
export interface Turn {
  /** Last round in which the session has sent, and what it may still send first in that round. */
  round: number;
  left: number;
  /** List in which the session waits. */
  list: 'none' | 'first' | 'rest';
  next: Turn | undefined;
}

/** Place of a session that does not wait and has sent nothing. */
export function newTurn(): Turn {
  return { round: -1, left: 0, list: 'none', next: undefined };
}

/**
 * Order of the sessions that wait to send: round robin, in which the first bytes of a session in a round go before
 * those of all sessions that have sent more. A session with few bytes so never waits behind sessions with many, however
 * many of those there are.
 */
export class Turns<T extends Turn> {
  readonly #first = new Fifo<T>();
  readonly #rest = new Fifo<T>();
  #round = 0;
  /** Cost that was sent in this round, and the number of sessions that have sent. */
  #sent = 0;
  #senders = 0;

  /** Whether the next session is one that has sent little. */
  get isFirst(): boolean {
    return this.#first.head !== undefined;
  }

  /** Adds a session, unless it waits already. */
  add(turn: T): void {
    if (turn.list !== 'none') return;
    if (turn.round !== this.#round) {
      turn.round = this.#round;
      turn.left = FIRST_COST;
      this.#senders += 1;
    }
    this.#push(turn);
  }

  /** Session whose turn it is; it stays at the head until {@link served}. */
  peek(): T | undefined {
    return this.#first.head ?? this.#rest.head;
  }

  /** Maximum cost that the session whose turn it is may send now. */
  allowance(turn: T): number {
    return turn.list === 'first' ? turn.left : ROUND_COST;
  }

  /**
   * Counts what the session whose turn it is has sent, 0 where it has nothing to send any more. `more` is true if it has
   * further bytes that it may send.
   */
  served(turn: T, cost: number, more: boolean): void {
    (turn.list === 'first' ? this.#first : this.#rest).shift();
    turn.list = 'none';
    turn.left -= cost;
    this.#sent += cost;
    if (more) this.#push(turn);
    if (this.peek() !== undefined && this.#sent < ROUND_COST * this.#senders) return;
    this.#round += 1;
    this.#sent = 0;
    this.#senders = 0;
  }

  #push(turn: T): void {
    turn.list = turn.left > 0 ? 'first' : 'rest';
    (turn.left > 0 ? this.#first : this.#rest).push(turn);
  }
}

/** Queue of turns that are linked by themselves, so that waiting needs no memory. */
class Fifo<T extends Turn> {
  head: T | undefined;
  #tail: T | undefined;

  push(turn: T): void {
    turn.next = undefined;
    if (this.#tail === undefined) this.head = turn;
    else this.#tail.next = turn;
    this.#tail = turn;
  }

  shift(): void {
    const { head } = this;
    this.head = head?.next as T | undefined;
    if (this.head === undefined) this.#tail = undefined;
    if (head !== undefined) head.next = undefined;
  }
}
