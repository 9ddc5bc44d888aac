import type { Clock } from '../clock.ts';
import type { FixtureApplication } from '../fixture/fixture.ts';
import { plainText } from './display.ts';
import { OAuth2Error } from './error.ts';
import { typeableId } from './random.ts';
import { describeScope } from './scopes.ts';
import { PromptThrottle } from './throttle.ts';

/** Who asks. Everything but `transport` is a claim of the operating system or of the peer itself. */
export interface RequestPeer {
  readonly pid?: number | undefined;
  readonly program?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Transport class, part of a grant's key: `ipc`, or `websocket https://origin.example`. */
  readonly transport: string;
}

/** A scope with the sentence that a person reads before deciding. */
interface RequestedScope {
  readonly name: string;
  readonly description: string;
}

/** An authorization request that waits for a person. Texts are safe to print on one line of a terminal. */
export interface AuthorizationRequest {
  /** Five lower-case letters and digits, easy to type. */
  readonly id: string;
  readonly clientId: string;
  readonly applicationName: string;
  readonly userId: string;
  readonly scopes: readonly RequestedScope[];
  readonly peer: RequestPeer & { readonly verified: false };
  /** Milliseconds since the Unix epoch. */
  readonly requestedAt: number;
  /** When the request is denied by itself. */
  readonly expiresAt: number;
}

/** Who decided: the person who typed the answer, or the policy. */
export type Decider =
  | { readonly kind: 'policy' }
  | {
      readonly kind: 'person';
      readonly pid?: number | undefined;
      readonly program?: string | undefined;
      readonly via: string;
    };

/** How a request ended. */
export type Settlement =
  | { readonly outcome: 'allowed'; readonly by: Decider; readonly always: boolean }
  | { readonly outcome: 'denied'; readonly by: Decider }
  | { readonly outcome: 'timed-out' }
  /** The peer left, the account changed, or the emulator is closing. */
  | { readonly outcome: 'withdrawn'; readonly reason: string };

/** A request that is about to be put to a person. */
export interface Question {
  readonly application: FixtureApplication;
  readonly userId: string;
  readonly scopes: readonly string[];
  readonly peer: RequestPeer;
  readonly signal: AbortSignal;
}

interface Waiting {
  readonly request: AuthorizationRequest;
  readonly question: Question;
  /** Throttle keys that the answer counts for. */
  readonly keys: readonly string[];
  readonly end: (settlement: Settlement) => void;
}

/** Most requests that wait at the same time, whoever asks. */
const mostOpen = 16;

/** How the queue tells of its requests, and its limits. */
export interface ConsentQueueOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly promptsPerMinute: number;
  readonly added: (request: AuthorizationRequest) => void;
  readonly settled: (request: AuthorizationRequest, settlement: Settlement) => void;
}

/** The requests that wait for a person. What is not answered with yes is a no. */
export class ConsentQueue {
  readonly #options: ConsentQueueOptions;
  readonly #throttle: PromptThrottle;
  readonly #waiting = new Map<string, Waiting>();

  constructor(options: ConsentQueueOptions) {
    this.#options = options;
    this.#throttle = new PromptThrottle(options.clock, options.promptsPerMinute);
  }

  /** Open requests, oldest first. */
  list(): AuthorizationRequest[] {
    return [...this.#waiting.values()].map(({ request }) => request);
  }

  /** An open request as it was asked and as it is shown. */
  find(id: string): { readonly question: Question; readonly request: AuthorizationRequest } | undefined {
    return this.#waiting.get(id);
  }

  /**
   * Parks a request until somebody settles it, time runs out or the peer leaves.
   * @throws OAuth2Error `access_denied` without asking when this application or process asks too often.
   */
  async ask(question: Question): Promise<Settlement> {
    const { application, peer } = question;
    if (this.list().some((request) => request.clientId === application.id)) {
      throw new OAuth2Error(
        'access_denied',
        'A request of this application is already waiting for the user.',
      );
    }
    if (this.#waiting.size >= mostOpen) {
      throw new OAuth2Error('access_denied', 'Too many requests are waiting for the user.');
    }
    // Peers without a process id share one budget, or a new connection would bring a new one.
    const client = `client ${application.id}`;
    const process = `process ${peer.pid ?? 'unknown'}`;
    const wait = this.#throttle.wait([client, process]);
    if (wait > 0) {
      const seconds = Math.ceil(wait / 1000);
      throw new OAuth2Error(
        'access_denied',
        `Too many requests; the user may be asked again in ${seconds} s.`,
      );
    }
    this.#throttle.prompted([client, process]);
    // The shared budget gets no pause: one unknown process must not silence all the others.
    const paused = peer.pid === undefined ? [client] : [client, process];
    return this.#park(question, paused);
  }

  #park(question: Question, keys: readonly string[]): Promise<Settlement> {
    const { signal } = question;
    const request = this.#describe(question);
    return new Promise((resolve) => {
      const leave = () => this.settle(request.id, { outcome: 'withdrawn', reason: 'the app left' });
      const cancelTimer = this.#options.clock.setTimeout(
        () => this.settle(request.id, { outcome: 'timed-out' }),
        this.#options.timeoutMs,
      );
      this.#waiting.set(request.id, {
        request,
        question,
        keys,
        end: (settlement) => {
          cancelTimer();
          signal.removeEventListener('abort', leave);
          resolve(settlement);
        },
      });
      signal.addEventListener('abort', leave, { once: true });
      this.#options.added(request);
      if (signal.aborted) leave();
    });
  }

  #describe({ application, userId, scopes, peer }: Question): AuthorizationRequest {
    const now = this.#options.clock.now();
    return {
      id: typeableId((id) => this.#waiting.has(id)),
      clientId: application.id,
      applicationName: plainText(application.name),
      userId,
      scopes: scopes.map((name) => ({ name, description: describeScope(name) })),
      peer: {
        ...peer,
        // An Origin header and a program's path are as hostile as a name; a path is longer, though.
        transport: plainText(peer.transport, 256),
        program: peer.program === undefined ? undefined : plainText(peer.program, 256),
        verified: false,
      },
      requestedAt: now,
      expiresAt: now + this.#options.timeoutMs,
    };
  }

  /** Ends an open request; false when none has this id. */
  settle(id: string, settlement: Settlement): boolean {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return false;
    this.#waiting.delete(id);
    // Nobody answering counts as a no: prompts that go unread must not keep coming.
    if (settlement.outcome === 'allowed') this.#throttle.allowed(waiting.keys);
    else if (settlement.outcome !== 'withdrawn') this.#throttle.denied(waiting.keys);
    waiting.end(settlement);
    this.#options.settled(waiting.request, settlement);
    return true;
  }

  /** Ends every open request without an answer. */
  withdrawAll(reason: string): void {
    for (const id of [...this.#waiting.keys()]) this.settle(id, { outcome: 'withdrawn', reason });
  }
}
