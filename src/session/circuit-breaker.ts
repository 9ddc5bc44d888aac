import { ErrorCode } from '../protocol/error-code.ts';
import { RpcError } from '../protocol/errors.ts';
import type { Cancellation } from './cancellation.ts';
import { startDeadline } from './deadline.ts';

/** A value that is there at once, or later. What is there at once costs no turn of the event loop, no timer and no promise. */
export type Awaitable<T> = T | Promise<T>;

/** Whether it comes later. Any object with `then` does: a core may be written with other promises than ours. */
export function isLater<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/** How long the core may take, and whether it answers or asks a person. */
export interface AnswerDeadline {
  /** Milliseconds. */
  readonly ms: number;
  /** `person`: being late says nothing about the core. */
  readonly waitsFor: 'core' | 'person';
}

/** Who waits for the answer to a call. */
export interface Waiter {
  /** Ends when the call is late. */
  readonly cancellation: Cancellation;
  /** Has the core's own word on what it waits for heard: at once where it is out, or else when it comes. */
  onDeadline?(listener: (deadline: AnswerDeadline) => void): void;
}

/** After a time-out a command fails at once for so long, then one request tries it again (ms). */
const PAUSE_MS = 5000;
/** The same for all commands of a core that answered nothing at all meanwhile. */
const SILENT_PAUSE_MS = 1000;
/** Key of the breaker that stands for every command. */
const ALL = '';
/** Names that a relayed app makes up must not fill the memory. */
const MAX_BROKEN = 256;

/**
 * What stands between a session and its client core: each call has a time-out, and what hangs is not asked again for every app that
 * comes. One time-out stops its command for a while; when nothing else was answered meanwhile either, every command.
 */
export class CircuitBreaker {
  /** By command: when one request may try again. */
  readonly #retryAt = new Map<string, number>();
  #lastAnswer = Number.NEGATIVE_INFINITY;

  /**
   * Runs `task`. Throws what it throws, or RpcError 1001 when it is late or would be. What it gives at once is given at once.
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
        // Also what asks a person has answered: others need not wait for them.
        this.#answered(cmd, performance.now());
        deadline.cancel();
        deadline = start(longer);
      });
      watched.then(resolve, reject).finally(() => deadline.cancel());
    });
  }

  /**
   * Any end but silence is an answer, also one that comes too late for the app that asked; but not a failure that
   * follows from our own giving up.
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
    // Whoever comes first after the pause tries it; the others go on failing at once until that has ended.
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
