import { PoolShare } from '../shares/pool-share.ts';
import { CloseError } from '../wire/close-error.ts';
import { CloseCode, Opcode } from '../wire/codes.ts';
import type { Connection } from '../wire/connection.ts';
import { type Frame, HEADER_BYTES } from '../wire/frame.ts';
import type { Account, Waiter } from './account.ts';
import { Accounts } from './accounts.ts';
import { startDeadline } from './deadline.ts';
import { LargeFrames } from './large-frames.ts';
import type { Limits } from './limits.ts';

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
  readonly large: LargeFrames;
  readonly partial: PoolShare;
  readonly unread: PoolShare;
  /** When peers that read nothing are cut: those that fell silent together are not to come back together. */
  readonly cuts: Spacing;
}

/** So far apart are two peers cut for reading nothing (ms): long enough for all that one more takes when it comes back. */
const CUT_GAP_MS = 100;

/** The pools of one server. */
export function createBudgets({ partialBytes, unreadTotalBytes }: Limits): Budgets {
  return {
    accounts: new Accounts(),
    large: new LargeFrames(),
    partial: new PoolShare(partialBytes),
    unread: new PoolShare(unreadTotalBytes),
    cuts: new Spacing(CUT_GAP_MS),
  };
}

/** What {@link FlowControl} works with. */
export interface FlowControlOptions {
  readonly connection: Connection;
  readonly limits: Limits;
  readonly budgets: Budgets;
  /** Who is charged: connections of one process share. */
  readonly actor: string;
  /** The peer has gone beyond what is tolerated. */
  close(error: CloseError): void;
}

type Reason = 'held' | 'busy' | 'rate' | 'unread';

/** A peer that leaves less than this unread is no burden, whatever its process leaves elsewhere (bytes). */
const BURDEN_BYTES = 16 * 1024;

/** Bounds what one peer costs: how fast it is read, how much of it may be half received or unread. */
export class FlowControl implements Waiter {
  readonly #options: FlowControlOptions;
  /** Shared with the other connections of the same process. */
  readonly #account: Account;
  /** Why the peer's socket is not being read at the moment. */
  #pausedBy: readonly Reason[] = [];
  readonly #charged = { partial: 0, unread: 0 };
  /** What the peer has not read, as told last. */
  #unread = 0;
  #partialDeadline: { cancel(): void } | undefined;
  #unreadDeadline: { cancel(): void } | undefined;

  constructor(options: FlowControlOptions) {
    this.#options = options;
    this.#account = options.budgets.accounts.join(options.actor, options.limits);
  }

  /** Whether a frame may be taken now, when so many bytes have come; if not, the socket is paused until its turn comes. */
  admits(bytes: number): boolean {
    const { actor, budgets } = this.#options;
    if (this.#account.admits(this) && budgets.large.admits(actor, this, bytes)) return true;
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
    this.#options.close(new CloseError(CloseCode.RATE_LIMITED, 'Too many messages for too long'));
  }

  /** Counts time (ms) that went into what the peer asked for, in a frame of so many bytes if just in that. */
  worked(ms: number, now: number, bytes = 0): void {
    this.#options.budgets.large.worked(ms, bytes);
    this.#account.worked(ms, now);
  }

  /** So much of an incomplete frame is held in memory. */
  partial(bytes: number): void {
    if (bytes === 0 && this.#charged.partial === 0) return this.#stopPartialDeadline();
    if (!this.#charge('partial', bytes)) {
      this.#options.close(
        new CloseError(CloseCode.ABNORMAL, 'Too many bytes of incomplete frames; try again later'),
      );
    } else if (bytes === 0) {
      this.#stopPartialDeadline();
    } else {
      this.#partialDeadline ??= startDeadline(this.#options.limits.partialFrameMs, () => {
        this.#options.close(
          new CloseError(CloseCode.UNSUPPORTED, 'A frame was not completed within the time limit'),
        );
      });
    }
  }

  /**
   * So much is held for the peer, and so much is unread by it in all. Where a process leaves more than one peer may, those
   * of its peers that read nothing are not asked for more, long before they would be cut at their share: a crowd of them
   * would come back together and be answered anew each time.
   */
  backlog(held: number, unread: number): void {
    const { actor, budgets, connection, limits } = this.#options;
    // What the kernel has taken is charged if there is room; whether the peer is cut depends on our own memory only.
    const hasRoom = this.#charge('unread', unread);
    if (!hasRoom && !this.#charge('unread', held)) return connection.destroy();
    if (unread < this.#unread) this.#stopUnreadDeadline();
    this.#unread = unread;
    const isPaused = this.#pausedBy.includes('unread');
    const isTooMuch = !hasRoom || budgets.unread.heldBy(actor) > limits.unreadBytes;
    if (unread >= BURDEN_BYTES && (isPaused || isTooMuch)) {
      this.pause('unread');
      this.#unreadDeadline ??= startDeadline(limits.unreadMs, () => {
        this.#unreadDeadline = startDeadline(budgets.cuts.take(performance.now()), () =>
          connection.destroy(),
        );
      });
    } else if (isPaused) {
      // Not in the middle of whatever tells this, which may be the answer to a frame.
      setImmediate(() => this.#unread < BURDEN_BYTES && this.resume('unread'));
    }
  }

  pause(why: Reason): void {
    if (!this.#pausedBy.includes(why)) this.#pausedBy = [...this.#pausedBy, why];
    // What is not being read cannot be completed.
    this.#stopPartialDeadline();
    this.#options.connection.pause();
  }

  resume(why: Reason): void {
    if (!this.#pausedBy.includes(why)) return;
    this.#pausedBy = this.#pausedBy.filter((reason) => reason !== why);
    if (this.#pausedBy.length === 0) this.#options.connection.resume();
  }

  /** The peer has left: gives back what it was charged. */
  dispose(): void {
    this.#stopPartialDeadline();
    this.#stopUnreadDeadline();
    this.#account.forget(this);
    this.#options.budgets.large.forget(this);
    this.#options.budgets.accounts.leave(this.#options.actor);
    this.#charge('partial', 0);
    this.#charge('unread', 0);
  }

  #charge(pool: 'partial' | 'unread', bytes: number): boolean {
    const { actor, budgets } = this.#options;
    const before = this.#charged[pool];
    if (bytes > before && !budgets[pool].charge(actor, bytes - before)) return false;
    if (bytes < before) budgets[pool].release(actor, before - bytes);
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
