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

/** Spreads callbacks that are due at the same time: each gets a time of its own, one after the other. */
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

/** Budgets that all peers share; see {@link Limits}. */
export interface Budgets {
  readonly accounts: Accounts;
  readonly turns: Pick<TurnShares, 'admits' | 'worked' | 'forget'>;
  readonly partial: PoolShare;
  readonly unread: PoolShare;
  /** Frames that wait behind unread bytes. */
  readonly waiting: PoolShare;
  /** When peers that read nothing are cut: peers that fell silent together must not reconnect together. */
  readonly cuts: Spacing;
}

/** Gap between two cuts of peers that read nothing (ms): long enough for the cost of one reconnect. */
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

/** Peer whose flow is controlled. */
export interface FlowingPeer {
  readonly connection: Pick<Connection, 'pause' | 'resume' | 'destroy'>;
  /** The peer has exceeded a limit. */
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

/** A peer that leaves less than this unread is no burden, even if its process leaves more unread elsewhere (bytes). */
const BURDEN_BYTES = 16 * 1024;

/** Bounds the cost of one peer: how fast it is read, how much of it may be half received or unread. */
export class FlowControl implements Waiter {
  readonly #peer: FlowingPeer;
  readonly #actor: string;
  readonly #limits: Limits;
  readonly #budgets: Budgets;
  /** Shared with the other connections of the same process. */
  readonly #account: Account;
  /** Why the peer's socket is not being read at the moment. */
  #pausedBy: readonly Reason[] = NOTHING;
  /** Bytes charged for it, by pool. */
  readonly #charged = { partial: 0, unread: 0, waiting: 0 };
  /** Bytes that wait in our memory, and all bytes the peer has not read, as its connection reported them last. */
  #held = 0;
  #unread = 0;
  #partialDeadline: { cancel(): void } | undefined;
  #unreadDeadline: { cancel(): void } | undefined;

  /** `actor` is the account it is charged to: connections of one process share. */
  constructor(peer: FlowingPeer, actor: string, limits: Limits, budgets: Budgets) {
    this.#peer = peer;
    this.#actor = actor;
    this.#limits = limits;
    this.#budgets = budgets;
    this.#account = budgets.accounts.join(actor, limits);
  }

  /**
   * Whether the next frame may be taken, after `bytes` of it have come; if not, the socket is paused until its turn
   * comes.
   */
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

  /**
   * Counts processing time (ms) of the peer's requests; `bytes` is the size of the frame if all of it went into
   * one.
   */
  worked(ms: number, now: number, bytes = 0): void {
    this.#budgets.turns.worked(this.#account.turnShare, ms, bytes);
    this.#account.worked(ms, now);
  }

  /** `bytes` of an incomplete frame are in memory. */
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
   * Updates the backlog: `held` bytes wait for the peer, and `unread` bytes are unread by it in all. Where a process
   * leaves more unread than one peer may, no more is read from those of its peers that read nothing, long before they
   * would be cut at their share: a crowd of them would reconnect together and be answered anew each time.
   */
  backlog(held: number, unread: number): void {
    const { unread: pool, cuts } = this.#budgets;
    this.#held = held;
    // Bytes that the kernel has taken are charged if there is room; whether the peer is cut depends on our own memory
    // only.
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
      // Deferred: the caller may be answering a frame.
      setImmediate(() => this.#unread < BURDEN_BYTES && this.resume('unread'));
    }
  }

  /**
   * `bytes` wait until the peer has read the unread ones: no more is read from it. False when that exceeds its share,
   * for which it is dropped.
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
    // A frame cannot be completed while the socket is not read.
    this.#stopPartialDeadline();
    this.#peer.connection.pause();
  }

  resume(why: Reason): void {
    if (!this.#pausedBy.includes(why)) return;
    this.#pausedBy = this.#pausedBy.filter((reason) => reason !== why);
    if (this.#pausedBy.length === 0) this.#peer.connection.resume();
  }

  /** The peer has left: returns its charges to the pools. */
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
