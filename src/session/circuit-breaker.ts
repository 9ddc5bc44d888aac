import { ErrorCode } from '../protocol/error-code.ts';
import { RpcError } from '../protocol/errors.ts';
import type { Cancellation } from './cancellation.ts';
import { startDeadline } from './deadline.ts';

/**
 * A value that is available at once, or later. An immediate value costs no turn of the event loop, no timer and no
 * promise.
 */
export type Awaitable<T> = T | Promise<T>;

/** Whether it comes later. Any object with `then` counts: a core may use other promises than ours. */
export function isLater<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** How long the core may take, and whether it answers itself or waits for the user. */
export interface AnswerDeadline {
  /** Milliseconds. */
  readonly ms: number;
  /** `person`: a late answer proves nothing about the core. */
  readonly waitsFor: 'core' | 'person';
}

/** Caller that waits for the answer to a call. */
export interface Waiter {
  /** Ends when the call is late. */
  readonly cancellation: Cancellation;
  /** Reports the core's own deadline: at once where it is known, otherwise when it is. */
  onDeadline?(listener: (deadline: AnswerDeadline) => void): void;
}

/** After a time-out a command fails at once for this long, then one request tries it again (ms). */
const PAUSE_MS = 5000;
/** The same for all commands of a core that answered nothing at all meanwhile. */
const SILENT_PAUSE_MS = 1000;
/** Key of the breaker for every command. */
const ALL = '';
/** Names that a relayed app invents must not fill the memory. */
const MAX_BROKEN = 256;

/**
 * Protects a session from its client core: each call has a time-out, and a command that hangs is not called again for
 * every app. One time-out stops its command for a while; if no other command was answered meanwhile, it stops every
 * command.
 */
export class CircuitBreaker {
  /** By command: when one request may try again. */
  readonly #retryAt = new Map<string, number>();
  #lastAnswer = Number.NEGATIVE_INFINITY;

  /**
   * Runs `task`. Throws the task's error, or RpcError 1001 when it is late or would be. An immediate result is returned
   * at once.
   */
  run<T>(cmd: string, deadline: AnswerDeadline, task: () => Awaitable<T>, waiter?: Waiter): Awaitable<T> {
    this.#admit(cmd, deadline.ms);
    const begun = performance.now();
    let answer: Awaitable<T>;
    try {
      answer = task();
    } catch (error) {
      this.#answered(cmd, begun);
      throw error;
    }
    if (isLater(answer)) return this.#inTime(cmd, deadline, answer, begun, waiter);
    this.#answered(cmd, begun);
    return answer;
  }

  async #inTime<T>(
    cmd: string,
    patience: AnswerDeadline,
    answer: Promise<T>,
    begun: number,
    waiter: Waiter | undefined,
  ): Promise<T> {
    const cancellation = waiter?.cancellation;
    const watched = this.#watched(cmd, answer, cancellation);
    return new Promise<T>((resolve, reject) => {
      const start = ({ ms, waitsFor }: AnswerDeadline) =>
        startDeadline(ms, () => {
          if (waitsFor === 'core') this.#break(cmd, begun);
          reject(unavailable(`The client did not answer ${cmd} in time`));
          cancellation?.end();
        });
      let deadline = start(patience);
      waiter?.onDeadline?.((longer) => {
        // A command that waits for the user has answered, too: others need not wait for it.
        this.#answered(cmd, performance.now());
        deadline.cancel();
        deadline = start(longer);
      });
      watched.then(resolve, reject).finally(() => deadline.cancel());
    });
  }

  /**
   * Any end but silence is an answer, also one that is too late for the app that sent the request; but not a failure
   * that follows from our own cancellation.
   */
  async #watched<T>(cmd: string, answer: Promise<T>, cancellation: Cancellation | undefined): Promise<T> {
    try {
      const value = await answer;
      this.#answered(cmd, performance.now());
      return value;
    } catch (error) {
      if (!cancellation?.over) this.#answered(cmd, performance.now());
      throw error;
    }
  }

  #answered(cmd: string, now: number): void {
    this.#lastAnswer = now;
    if (this.#retryAt.size === 0) return;
    this.#retryAt.delete(cmd);
    this.#retryAt.delete(ALL);
  }

  #admit(cmd: string, ms: number): void {
    if (this.#retryAt.size === 0) return;
    const now = performance.now();
    const closed = [cmd, ALL].filter((key) => this.#retryAt.has(key));
    if (closed.some((key) => (this.#retryAt.get(key) ?? 0) > now)) {
      throw unavailable(`The client does not answer ${cmd} at the moment; try again later`);
    }
    // The first request after the pause tries the command; the others fail at once until it has ended.
    for (const key of closed) this.#retryAt.set(key, now + ms);
  }

  #break(cmd: string, begun: number): void {
    const now = performance.now();
    if (this.#retryAt.size < MAX_BROKEN) this.#retryAt.set(cmd, now + PAUSE_MS);
    if (this.#lastAnswer < begun) this.#retryAt.set(ALL, now + SILENT_PAUSE_MS);
  }
}

function unavailable(message: string): RpcError {
  return new RpcError(ErrorCode.SERVICE_UNAVAILABLE, message);
}
