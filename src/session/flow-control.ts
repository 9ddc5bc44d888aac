import { PoolShare } from '../scheduling/pool-share.ts';
import { CloseError } from '../wire/close-error.ts';
import { CloseCode, Opcode } from '../wire/codes.ts';
import type { Connection } from '../wire/connection.ts';
import { type Frame, HEADER_BYTES } from '../wire/frame.ts';
import type { Account, Waiter } from './account.ts';
import { Accounts } from './accounts.ts';
import { startDeadline } from './deadline.ts';
import type { Limits } from './limits.ts';
import { TurnShares } from './turn-shares.ts';

/** Gives whoever asks a moment of its own, so that what many are due at once happens to one after the other. */
export class Spacing {
  readonly #gapMs: number;
  #nextAt = -Infinity;

  constructor(gapMs: number) {
    this.#gapMs = gapMs;
  }

  /** How long (ms) to wait for the next free moment, which is taken; `now` in ms of a monotonic clock. */
  take(now: number): number {
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + this.#gapMs;
    return at - now;
  }
}

/** What all peers share; see {@link Limits}. */
export interface Budgets {
  readonly accounts: Accounts;
  readonly turns: Pick<TurnShares, 'admits' | 'worked' | 'forget'>;
  readonly partial: PoolShare;
  readonly unread: PoolShare;
  /** Frames that wait behind what is unread. */
  readonly waiting: PoolShare;
  /** When peers that read nothing are cut: those that fell silent together are not to come back together. */
  readonly cuts: Spacing;
}

/** So far apart are two peers cut for reading nothing (ms): long enough for all that one more takes when it comes back. */
const CUT_GAP_MS = 100;

/** The pools of one server. */
export function createBudgets({ partialBytes, unreadTotalBytes, waitingTotalBytes }: Limits): Budgets {
  return {
    accounts: new Accounts(),
    turns: new TurnShares(),
    partial: new PoolShare(partialBytes),
    unread: new PoolShare(unreadTotalBytes),
    waiting: new PoolShare(waitingTotalBytes),
    cuts: new Spacing(CUT_GAP_MS),
  };
}

/** Whose flow it is. */
export interface FlowingPeer {
  readonly connection: Pick<Connection, 'pause' | 'resume' | 'destroy'>;
  /** The peer has gone beyond what is tolerated. */
  close(error: CloseError): void;
}

/** Bytes that wait for a peer: in our memory, and with those that the kernel has taken. */
export interface BacklogBytes {
  readonly held: number;
  readonly unread: number;
}

type Reason = 'held' | 'busy' | 'rate' | 'unread' | 'waiting';

type Pool = 'partial' | 'unread' | 'waiting';

const NOTHING: readonly Reason[] = [];

/** A peer that leaves less than this unread is no burden, whatever its process leaves elsewhere (bytes). */
const BURDEN_BYTES = 16 * 1024;

/** Bounds what one peer costs: how fast it is read, how much of it may be half received or unread. */
export class FlowControl implements Waiter {
  readonly #peer: FlowingPeer;
  readonly #actor: string;
  readonly #limits: Limits;
  readonly #budgets: Budgets;
  /** Shared with the other connections of the same process. */
  readonly #account: Account;
  /** Why the peer's socket is not being read at the moment. */
  #pausedBy: readonly Reason[] = NOTHING;
  /** What is charged for it, by pool (bytes). */
  readonly #charged = { partial: 0, unread: 0, waiting: 0 };
  /** What waits in our memory, and what the peer has not read in all, as its connection reported it last. */
  #held = 0;
  #unread = 0;
  #partialDeadline: { cancel(): void } | undefined;
  #unreadDeadline: { cancel(): void } | undefined;

  /** `actor` is who is charged: connections of one process share. */
  constructor(peer: FlowingPeer, actor: string, limits: Limits, budgets: Budgets) {
    this.#peer = peer;
    this.#actor = actor;
    this.#limits = limits;
    this.#budgets = budgets;
    this.#account = budgets.accounts.join(actor, limits);
  }

  /** Whether the next frame may be taken, of which so many bytes have come; if not, the socket is paused until its turn comes. */
  admits(bytes: number): boolean {
    const account = this.#account;
    if (account.admits(this) && this.#budgets.turns.admits(account.turnShare, this.#actor, this, bytes))
      return true;
    this.pause('rate');
    return false;
  }

  goOn(): void {
    this.resume('rate');
  }

  /** Counts a frame that was taken; `now` in ms of a monotonic clock. */
  frame(frame: Frame, now: number): void {
    this.#stopPartialDeadline();
    // The rate of connects counts handshakes.
    const messages = frame.opcode === Opcode.HANDSHAKE ? 0 : 1;
    if (this.#account.take(messages, HEADER_BYTES + frame.body.byteLength, now) !== 'flood') return;
    this.#peer.close(new CloseError(CloseCode.RATE_LIMITED, 'Too many messages for too long'));
  }

  /** Counts time (ms) that went into what the peer asked for, in a frame of so many bytes if just in that. */
  worked(ms: number, now: number, bytes = 0): void {
    this.#budgets.turns.worked(this.#account.turnShare, ms, bytes);
    this.#account.worked(ms, now);
  }

  /** So much of an incomplete frame is held in memory. */
  partial(bytes: number): void {
    if (bytes === 0 && this.#charged.partial === 0) return this.#stopPartialDeadline();
    if (!this.#charge('partial', bytes)) {
      this.#peer.close(
        new CloseError(CloseCode.ABNORMAL, 'Too many bytes of incomplete frames; try again later'),
      );
    } else if (bytes === 0) {
      this.#stopPartialDeadline();
    } else {
      this.#partialDeadline ??= startDeadline(this.#limits.partialFrameMs, () => {
        this.#peer.close(
          new CloseError(CloseCode.UNSUPPORTED, 'A frame was not completed within the time limit'),
        );
      });
    }
  }

  get backlogBytes(): BacklogBytes {
    return { held: this.#held, unread: this.#unread };
  }

  /**
   * So much is held for the peer, and so much is unread by it in all. Where a process leaves more than one peer may, those
   * of its peers that read nothing are not asked for more, long before they would be cut at their share: a crowd of them
   * would come back together and be answered anew each time.
   */
  backlog(held: number, unread: number): void {
    const { unread: pool, cuts } = this.#budgets;
    this.#held = held;
    // What the kernel has taken is charged if there is room; whether the peer is cut depends on our own memory only.
    const hasRoom = this.#charge('unread', unread);
    if (!hasRoom && !this.#charge('unread', held)) return this.#peer.connection.destroy();
    if (unread < this.#unread) this.#stopUnreadDeadline();
    this.#unread = unread;
    const isPaused = this.#pausedBy.includes('unread');
    const isTooMuch = !hasRoom || pool.heldBy(this.#actor) > this.#limits.unreadBytes;
    if (unread >= BURDEN_BYTES && (isPaused || isTooMuch)) {
      this.pause('unread');
      this.#unreadDeadline ??= startDeadline(this.#limits.unreadMs, () => {
        this.#unreadDeadline = startDeadline(cuts.take(performance.now()), () =>
          this.#peer.connection.destroy(),
        );
      });
    } else if (isPaused) {
      // Not in the middle of whatever tells this, which may be the answer to a frame.
      setImmediate(() => this.#unread < BURDEN_BYTES && this.resume('unread'));
    }
  }

  /**
   * So many bytes wait until the peer has read what is unread: no more is read from it. False when that is more than its
   * share, for which it is dropped.
   */
  waiting(bytes: number): boolean {
    if (!this.#charge('waiting', bytes)) {
      this.#peer.connection.destroy();
      return false;
    }
    if (bytes > 0) this.pause('waiting');
    else this.resume('waiting');
    return true;
  }

  pause(why: Reason): void {
    if (!this.#pausedBy.includes(why)) this.#pausedBy = [...this.#pausedBy, why];
    // What is not being read cannot be completed.
    this.#stopPartialDeadline();
    this.#peer.connection.pause();
  }

  resume(why: Reason): void {
    if (!this.#pausedBy.includes(why)) return;
    this.#pausedBy = this.#pausedBy.filter((reason) => reason !== why);
    if (this.#pausedBy.length === 0) this.#peer.connection.resume();
  }

  /** The peer has left: gives back what it was charged. */
  dispose(): void {
    this.#stopPartialDeadline();
    this.#stopUnreadDeadline();
    this.#account.forget(this);
    this.#budgets.turns.forget(this);
    this.#budgets.accounts.leave(this.#actor);
    this.#charge('partial', 0);
    this.#charge('unread', 0);
    this.#charge('waiting', 0);
  }

  #charge(pool: Pool, bytes: number): boolean {
    const before = this.#charged[pool];
    if (bytes > before && !this.#budgets[pool].charge(this.#actor, bytes - before)) return false;
    if (bytes < before) this.#budgets[pool].release(this.#actor, before - bytes);
    this.#charged[pool] = bytes;
    return true;
  }

  #stopUnreadDeadline(): void {
    this.#unreadDeadline?.cancel();
    this.#unreadDeadline = undefined;
  }

  #stopPartialDeadline(): void {
    this.#partialDeadline?.cancel();
    this.#partialDeadline = undefined;
  }
}
