import { RpcError } from '../protocol/errors.ts';
import { ErrorCode } from '../wire/codes.ts';
import { startDeadline } from './deadline.ts';
import type { Waiting } from './waiting.ts';

/** How long the core may take, and whether it answers or asks a person. */
export interface Patience {
  /** Milliseconds. */
  readonly ms: number;
  /** `person`: being late says nothing about the core. */
  readonly waitsFor: 'core' | 'person';
}

/** After a time-out a command fails at once for so long, then one request tries it again (ms). */
const PAUSE_MS = 5000;
/** The same for all commands of a core that answered nothing at all meanwhile. */
const SILENT_PAUSE_MS = 1000;
/** Key of the breaker that stands for every command. */
const ALL = '';
/** Names that a relayed app makes up must not fill the memory. */
const MOST_BROKEN = 256;

/**
 * The border to a client core: each call has a time-out, and what hangs is not asked again for every app that
 * comes. One time-out stops its command for a while; when nothing else was answered meanwhile either, every command.
 */
export class CoreGuard {
  /** By command: when one request may try again. */
  readonly #retryAt = new Map<string, number>();
  #lastAnswer = Number.NEGATIVE_INFINITY;

  /** Runs `task`. Throws what it throws, or RpcError 1001 when it is late or would be; `waiting` ends then. */
  async run<T>(cmd: string, patience: Patience, task: () => T | Promise<T>, waiting?: Waiting): Promise<T> {
    this.#admit(cmd, patience.ms);
    const begun = performance.now();
    const answer = this.#watched(cmd, task, waiting);
    return new Promise<T>((resolve, reject) => {
      const deadline = startDeadline(patience.ms, () => {
        if (patience.waitsFor === 'core') this.#break(cmd, begun);
        reject(unavailable(`The client did not answer ${cmd} in time`));
        waiting?.end();
      });
      answer.then(resolve, reject).finally(() => deadline.cancel());
    });
  }

  /**
   * Any end but silence is an answer, also one that comes too late for the app that asked; but not a failure that
   * follows from our own giving up.
   */
  async #watched<T>(cmd: string, task: () => T | Promise<T>, waiting: Waiting | undefined): Promise<T> {
    try {
      const value = await task();
      this.#answered(cmd);
      return value;
    } catch (error) {
      if (!waiting?.over) this.#answered(cmd);
      throw error;
    }
  }

  #answered(cmd: string): void {
    this.#lastAnswer = performance.now();
    this.#retryAt.delete(cmd);
    this.#retryAt.delete(ALL);
  }

  #admit(cmd: string, ms: number): void {
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
    if (this.#retryAt.size < MOST_BROKEN) this.#retryAt.set(cmd, now + PAUSE_MS);
    if (this.#lastAnswer < begun) this.#retryAt.set(ALL, now + SILENT_PAUSE_MS);
  }
}

function unavailable(message: string): RpcError {
  return new RpcError(ErrorCode.SERVICE_UNAVAILABLE, message);
}
