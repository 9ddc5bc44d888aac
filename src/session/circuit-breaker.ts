import { type Awaitable, isLater } from '../base/later.ts';
import { ErrorCode } from '../protocol/error-code.ts';
import { RpcError } from '../protocol/errors.ts';
import { startDeadline } from '../scheduling/deadline.ts';
import type { Cancellation } from './cancellation.ts';

/** Time limit of the core's answer, and whether the core answers itself or waits for the user. */
export interface AnswerDeadline {
  /** Milliseconds. */
  readonly ms: number;
  /** With `person`, a late answer does not mean that the core hangs. */
  readonly waitsFor: 'core' | 'person';
}

/** Caller that waits for the answer to a call. */
export interface Waiter {
  /** Ends when the call is late. */
  readonly cancellation: Cancellation;
  /**
   * Reports the core's own deadline to the listener: at once when it is known already, otherwise as soon as it is
   * known.
   */
  onDeadline?(listener: (deadline: AnswerDeadline) => void): void;
}

/** Time for which a command fails at once after a time-out; after it, one request tries the command again (ms). */
const PAUSE_MS = 5000;
/** Time for which all commands fail at once when the core has answered nothing since a time-out began (ms). */
const SILENT_PAUSE_MS = 1000;
/** Key under which the breaker stores a pause of all commands. */
const ALL = '';
/** Maximum number of paused commands: a relayed app may invent names, which must not fill the memory. */
const MAX_BROKEN = 256;

/**
 * Protects sessions from their client core: each call has a time-out, and a command that hangs is not called again for
 * every app. A time-out pauses its command for a while. If the core answered no other command during that time, the
 * time-out also pauses every command.
 */
export class CircuitBreaker {
  /** Time at which one request may try a paused command again, by command. */
  readonly #retryAt = new Map<string, number>();
  #lastAnswer = Number.NEGATIVE_INFINITY;

  /**
   * Runs `task`. Throws the task's error; throws RpcError 1001 when the task is late or when its command is paused.
   * Returns an immediate result at once.
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
    answerDeadline: AnswerDeadline,
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
      let deadline = start(answerDeadline);
      waiter?.onDeadline?.((longer) => {
        // Waiting for the user counts as an answer of the core, so the other commands are not paused.
        this.#answered(cmd, performance.now());
        deadline.cancel();
        deadline = start(longer);
      });
      watched.then(resolve, reject).finally(() => deadline.cancel());
    });
  }

  /**
   * Records an answer when the call ends, even if the end is an error or too late for the app. A failure after our own
   * cancellation is no answer, because the cancellation may have caused it.
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
    // After the pause the first request tries the command; further requests fail at once until that request has ended.
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
