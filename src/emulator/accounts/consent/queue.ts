import { randomInt } from 'node:crypto';
import type {
  Answerer,
  AnswerRule,
  Decider,
  Decision,
  Settlement,
  WaitingRequest,
} from '../../api/waiting-request.ts';
import type { Clock } from '../../kernel/clock.ts';
import { plainText } from './display.ts';

/** The fields that the queue adds to each request. */
export type Ticket = Pick<WaitingRequest, 'id' | 'requestedAt' | 'expiresAt'>;

/** Timeout of requests, and callbacks for the start and the end of a request. */
export interface RequestQueueOptions {
  readonly clock: Clock;
  /** Milliseconds. */
  readonly timeoutMs: number;
  readonly added: (request: WaitingRequest) => void;
  readonly settled: (request: WaitingRequest, settlement: Settlement) => void;
}

interface Entry {
  readonly request: WaitingRequest;
  readonly end: (settlement: Settlement) => void;
}

/**
 * The queue of requests that wait for the operator: consent, dialogs, links, purchases. A request that is not answered
 * in time is denied.
 */
export class RequestQueue {
  readonly #options: RequestQueueOptions;
  readonly #waiting = new Map<string, Entry>();

  constructor(options: RequestQueueOptions) {
    this.#options = options;
  }

  /** Open requests, oldest first. */
  list(): WaitingRequest[] {
    return [...this.#waiting.values()].map(({ request }) => request);
  }

  /** Number of open requests of one kind: those of one application, or of all applications without `clientId`. */
  count(kind: WaitingRequest['kind'], clientId?: string): number {
    return this.list().filter(
      (request) => request.kind === kind && (clientId === undefined || request.clientId === clientId),
    ).length;
  }

  /**
   * Adds a request, which stays until it is answered, times out or its app disconnects. `settled` is called before any
   * other code can act on the outcome. The caller limits the number of requests.
   */
  enqueue(
    describe: (ticket: Ticket) => WaitingRequest,
    signal: AbortSignal,
    settled: (settlement: Settlement) => void = () => {},
  ): Promise<Settlement> {
    const { clock, timeoutMs } = this.#options;
    const now = clock.now();
    const request = describe({ id: this.#freeId(), requestedAt: now, expiresAt: now + timeoutMs });
    const { id } = request;
    return new Promise((resolve) => {
      const leave = () => this.#settle(id, { outcome: 'withdrawn', reason: 'the app left' });
      const cancelTimer = clock.setTimeout(() => this.#settle(id, { outcome: 'timed-out' }), timeoutMs);
      this.#waiting.set(id, {
        request,
        end: (settlement) => {
          cancelTimer();
          signal.removeEventListener('abort', leave);
          settled(settlement);
          resolve(settlement);
        },
      });
      signal.addEventListener('abort', leave, { once: true });
      this.#options.added(request);
      if (signal.aborted) leave();
    });
  }

  /**
   * Answers an open request and returns it; undefined when there is none with this id.
   * @throws Error with the reason of `mayAnswer` when the process may not allow it; the request stays open.
   */
  answer(
    id: string,
    { answer, always = false, by }: Decision,
    mayAnswer: AnswerRule,
  ): WaitingRequest | undefined {
    const request = this.#waiting.get(id)?.request;
    if (request === undefined) return undefined;
    const refusal = answer === 'allow' ? mayAnswer(request, by) : undefined;
    if (refusal !== undefined) throw new Error(refusal);
    const decided = {
      by: deciderOf(by),
      ...(by.forProcesses === undefined ? {} : { forOthers: true as const }),
    };
    this.#settle(
      id,
      answer === 'allow' ? { outcome: 'allowed', ...decided, always } : { outcome: 'denied', ...decided },
    );
    return request;
  }

  /** Withdraws one open request; ignores an unknown id. */
  withdraw(id: string, reason: string): void {
    this.#settle(id, { outcome: 'withdrawn', reason });
  }

  /** Withdraws every open request. */
  withdrawAll(reason: string): void {
    for (const id of [...this.#waiting.keys()]) this.withdraw(id, reason);
  }

  #settle(id: string, settlement: Settlement): void {
    const entry = this.#waiting.get(id);
    if (entry === undefined) return;
    this.#waiting.delete(id);
    entry.end(settlement);
    this.#options.settled(entry.request, settlement);
  }

  #freeId(): string {
    return typeableId((id) => this.#waiting.has(id));
  }
}

/** Ids contain no 0/o and no 1/l/i, so that they are readable in any font. */
const TYPEABLE = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A five-character id that is easy to type; `taken` rejects ids in use. */
export function typeableId(taken: (id: string) => boolean): string {
  for (;;) {
    const id = Array.from({ length: 5 }, () => TYPEABLE[randomInt(TYPEABLE.length)]).join('');
    if (!taken(id)) return id;
  }
}

/** The decider to record: its texts are sanitized, and an invalid process id is omitted. */
function deciderOf({ pid, program, via }: Answerer): Decider {
  return {
    kind: 'person',
    via: plainText(via),
    ...(pid !== undefined && Number.isSafeInteger(pid) && pid >= 0 ? { pid } : {}),
    ...(program === undefined ? {} : { program: plainText(program, 256) }),
  };
}
