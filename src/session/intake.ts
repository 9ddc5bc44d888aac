import { CloseError } from '../wire/close-error.ts';
import { CloseCode } from '../wire/codes.ts';
import type { Connection } from '../wire/connection.ts';
import { type Frame, HEADER_BYTES } from '../wire/frame.ts';
import { startDeadline } from './deadline.ts';
import type { Ledger } from './ledger.ts';
import type { Limits } from './limits.ts';
import { Throttle } from './throttle.ts';

/** Pools that all peers share; see {@link Limits}. */
export interface Budgets {
  readonly partial: Ledger;
  readonly unread: Ledger;
}

/** What {@link Intake} works with. */
export interface IntakeOptions {
  readonly connection: Connection;
  readonly limits: Limits;
  readonly budgets: Budgets;
  /** Who is charged: connections of one process share. */
  readonly actor: string;
  /** The peer has gone beyond what is tolerated. */
  close(error: CloseError): void;
}

type Reason = 'held' | 'busy' | 'rate';

/** Bounds what one peer costs: how fast it is read, how much of it may be half received or unread. */
export class Intake {
  readonly #options: IntakeOptions;
  readonly #throttle: Throttle;
  /** Why the peer's socket is not being read at the moment. */
  #pausedBy: readonly Reason[] = [];
  readonly #charged = { partial: 0, unread: 0 };
  #partialDeadline: { cancel(): void } | undefined;
  #rateTimer: NodeJS.Timeout | undefined;

  constructor(options: IntakeOptions) {
    this.#options = options;
    const { messagesBurst, messagesPerSecond, bytesPerSecond, floodMs, frameBytes } = options.limits;
    this.#throttle = new Throttle(
      {
        messages: { burst: messagesBurst, perSecond: messagesPerSecond },
        // The largest frame must not count as a debt by itself.
        bytes: { burst: Math.max(bytesPerSecond, frameBytes + HEADER_BYTES), perSecond: bytesPerSecond },
        floodMs,
      },
      performance.now(),
    );
  }

  /** Counts a frame that was taken; the socket is paused while the peer is above its rate. */
  frame(frame: Frame): void {
    this.#stopPartialDeadline();
    const verdict = this.#throttle.take(HEADER_BYTES + frame.body.byteLength, performance.now());
    if (verdict.kind === 'flood') {
      this.#options.close(new CloseError(CloseCode.RATE_LIMITED, 'Too many messages for too long'));
    } else if (verdict.kind === 'wait') {
      this.pause('rate');
      clearTimeout(this.#rateTimer);
      this.#rateTimer = setTimeout(() => this.resume('rate'), verdict.ms);
      this.#rateTimer.unref();
    }
  }

  /** So much of an incomplete frame is held in memory. */
  partial(bytes: number): void {
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

  /** So much waits for the peer to read. */
  backlog(bytes: number): void {
    if (!this.#charge('unread', bytes)) this.#options.connection.destroy();
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
    clearTimeout(this.#rateTimer);
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

  #stopPartialDeadline(): void {
    this.#partialDeadline?.cancel();
    this.#partialDeadline = undefined;
  }
}
