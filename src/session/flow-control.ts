import { startDeadline } from '../scheduling/deadline.ts';
import { PoolShare } from '../scheduling/pool-share.ts';
import { type Claim, Scheduler, type Waiter } from '../scheduling/scheduler.ts';
import { CloseError } from '../wire/close-error.ts';
import { CloseCode, Opcode } from '../wire/codes.ts';
import type { Connection } from '../wire/connection.ts';
import { type Frame, HEADER_BYTES } from '../wire/frame.ts';
import type { Account } from './account.ts';
import { Accounts } from './accounts.ts';
import type { Limits } from './limits.ts';

/** Spreads callbacks that are due at the same time: they run one after the other with a gap between them. */
export class Spacing {
  readonly #gapMs: number;
  #nextAt = -Infinity;

  constructor(gapMs: number) {
    this.#gapMs = gapMs;
  }

  /** Reserves the next free time and returns the delay until then (ms). `now` is in ms of a monotonic clock. */
  take(now: number): number {
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + this.#gapMs;
    return at - now;
  }
}

/** Budgets that all peers share; see {@link Limits}. */
export interface Budgets {
  readonly accounts: Accounts;
  readonly scheduler: Scheduler;
  readonly partial: PoolShare;
  readonly unread: PoolShare;
  /** Bytes of frames that wait until their peer has read previous frames. */
  readonly waiting: PoolShare;
  /**
   * Times at which peers that read nothing are dropped: peers that became silent together must not reconnect together.
   */
  readonly cuts: Spacing;
}

/** Gap between two such drops (ms); it is long enough for the cost of one reconnect. */
const CUT_GAP_MS = 100;

/** The pools of one server. */
export function createBudgets({ partialBytes, unreadTotalBytes, waitingTotalBytes }: Limits): Budgets {
  return {
    accounts: new Accounts(),
    scheduler: new Scheduler(),
    partial: new PoolShare(partialBytes),
    unread: new PoolShare(unreadTotalBytes),
    waiting: new PoolShare(waitingTotalBytes),
    cuts: new Spacing(CUT_GAP_MS),
  };
}

/** Peer whose input and output {@link FlowControl} limits. */
export interface FlowingPeer {
  readonly connection: Pick<Connection, 'pause' | 'resume' | 'destroy'>;
  /** Closes the peer because it has exceeded a limit. */
  close(error: CloseError): void;
}

/** Bytes that wait for a peer: `held` in our own memory, and `unread` including those that the kernel has taken. */
export interface BacklogBytes {
  readonly held: number;
  readonly unread: number;
}

type Reason = 'held' | 'busy' | 'rate' | 'unread' | 'waiting';

type Pool = 'partial' | 'unread' | 'waiting';

const NOTHING: readonly Reason[] = [];

/**
 * A peer with fewer unread bytes than this stays unpaused, even if its process has more unread bytes on other
 * connections.
 */
const BURDEN_BYTES = 16 * 1024;

/** Limits the cost of one peer: the rate at which it is read, and the bytes that are incomplete or unread. */
export class FlowControl implements Waiter {
  readonly #peer: FlowingPeer;
  readonly #actor: string;
  readonly #limits: Limits;
  readonly #budgets: Budgets;
  /** Account of the peer's process; other connections of the process share it. */
  readonly #account: Account;
  /** Claim to processing time of the process. */
  readonly #claim: Claim;
  /** Why the peer's socket is not being read at the moment. */
  #pausedBy: readonly Reason[] = NOTHING;
  /** Bytes charged for this peer, by pool. */
  readonly #charged = { partial: 0, unread: 0, waiting: 0 };
  /** Bytes that wait in our memory, and all bytes that the peer has not read, as the connection last reported them. */
  #held = 0;
  #unread = 0;
  #partialDeadline: { cancel(): void } | undefined;
  #unreadDeadline: { cancel(): void } | undefined;

  /** `actor` is the key of the account that is charged; connections of one process share the account. */
  constructor(peer: FlowingPeer, actor: string, limits: Limits, budgets: Budgets) {
    this.#peer = peer;
    this.#actor = actor;
    this.#limits = limits;
    this.#budgets = budgets;
    this.#account = budgets.accounts.join(actor, limits);
    this.#claim = budgets.scheduler.join(actor);
  }

  /**
   * Whether the next frame may be taken, of which `bytes` have arrived. If not, the socket is paused until the peer's
   * turn comes.
   */
  admits(bytes: number): boolean {
    if (this.#account.admits(this) && this.#budgets.scheduler.admits(this.#claim, this, bytes)) return true;
    this.pause('rate');
    return false;
  }

  goOn(): void {
    this.resume('rate');
  }

  /** Counts a frame that was taken. `now` is in ms of a monotonic clock. */
  frame(frame: Frame, now: number): void {
    this.#stopPartialDeadline();
    // A handshake is counted as a connect instead.
    const messages = frame.opcode === Opcode.HANDSHAKE ? 0 : 1;
    if (this.#account.take(messages, HEADER_BYTES + frame.body.byteLength, now) !== 'flood') return;
    this.#peer.close(new CloseError(CloseCode.RATE_LIMITED, 'Too many messages for too long'));
  }

  /**
   * Counts processing time (ms) of the peer's requests. `bytes` is the size of the frame when the whole time was spent
   * on one frame.
   */
  worked(ms: number, now: number, bytes = 0): void {
    this.#budgets.scheduler.spent(this.#claim, ms, bytes);
    this.#account.worked(ms, now);
  }

  /** Updates the number of bytes of an incomplete frame that are in memory. */
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
   * Updates the backlog: `held` bytes wait in our memory, and the peer has not read `unread` bytes in all. When a
   * process leaves more bytes unread than one peer may, those of its peers that read nothing are no longer read from.
   * This happens long before they exceed their share and are dropped, because many dropped peers would reconnect
   * together and cause the same answers again.
   */
  backlog(held: number, unread: number): void {
    const { unread: pool, cuts } = this.#budgets;
    this.#held = held;
    // Bytes that the kernel has taken are charged if the pool has room. Only bytes in our own memory can cause the peer
    // to be dropped.
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
      // The resume is deferred, because the caller may be sending an answer.
      setImmediate(() => this.#unread < BURDEN_BYTES && this.resume('unread'));
    }
  }

  /**
   * Updates the number of bytes that wait until the peer has read its unread bytes. While bytes wait, the peer is not
   * read from. When they exceed its share, the peer is dropped and the result is false.
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
    // While the socket is not read, a frame cannot be completed, so its deadline is stopped.
    this.#stopPartialDeadline();
    this.#peer.connection.pause();
  }

  resume(why: Reason): void {
    if (!this.#pausedBy.includes(why)) return;
    this.#pausedBy = this.#pausedBy.filter((reason) => reason !== why);
    if (this.#pausedBy.length === 0) this.#peer.connection.resume();
  }

  /** Returns the peer's charges to the pools, because the peer has disconnected. */
  dispose(): void {
    this.#stopPartialDeadline();
    this.#stopUnreadDeadline();
    this.#account.forget(this);
    this.#budgets.scheduler.forget(this);
    this.#budgets.scheduler.leave(this.#claim);
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
