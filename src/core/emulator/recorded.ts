import type { Clock } from '../../emulator/clock.ts';
import type { ConsentPolicy } from '../../emulator/fixture/fixture.ts';
import { plainText } from '../../emulator/oauth2/display.ts';
import { typeableId } from '../../emulator/oauth2/random.ts';
import type { Recorded, Refusal } from '../../protocol/command.ts';
import { RpcError } from '../../protocol/errors.ts';
import { isObject } from '../../protocol/json.ts';
import { commands } from '../../protocol/registry.ts';
import type { CoreCall, CoreHandlers, Peer } from '../core.ts';

/** A command that waits for a person. Texts are safe to print on one line. */
export interface RecordedRequest {
  readonly kind: 'command';
  readonly id: string;
  readonly clientId: string;
  readonly applicationName: string;
  readonly cmd: string;
  /** What is asked, in plain words. */
  readonly what: string;
  /** The arguments in short; values that may be secrets are left out. */
  readonly details: readonly string[];
  readonly pid: number | null;
  /** Milliseconds since the Unix epoch. */
  readonly requestedAt: number;
  readonly expiresAt: number;
}

/** What the queue needs of its surroundings. */
export interface RecordedOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
  policy(clientId: string): ConsentPolicy;
  /** Whether another queue uses this id already. */
  taken(id: string): boolean;
  /** Told of each request that begins or ends to wait. */
  changed(event: 'added' | 'settled', request: RecordedRequest): void;
}

/** More than this many at a time, or of one app, and the next is declined unseen: nobody reads such a list. */
const MOST_WAITING = 64;
const MOST_WAITING_EACH = 8;

/** Dialogs, links and purchases: an offline service cannot do them, a person or a test answers for it. */
export class RecordedRequests {
  readonly #options: RecordedOptions;
  readonly #waiting = new Map<string, { request: RecordedRequest; settle(accepted: boolean): void }>();

  constructor(options: RecordedOptions) {
    this.#options = options;
  }

  list(): readonly RecordedRequest[] {
    return [...this.#waiting.values()].map(({ request }) => request);
  }

  /** Ends the wait; false when no request has this id. */
  answer(id: string, accepted: boolean): RecordedRequest | undefined {
    const waiting = this.#waiting.get(id);
    waiting?.settle(accepted);
    return waiting?.request;
  }

  /** Handlers for every recorded and every refused command. */
  handlers(peer: Peer, applicationName: string): CoreHandlers {
    const handlers: Record<string, unknown> = {};
    for (const [cmd, { recorded, refusal }] of Object.entries(commands)) {
      if (refusal) handlers[cmd] = () => refuse(refusal);
      if (recorded) {
        handlers[cmd] = (args: unknown, call: CoreCall) =>
          this.#ask(cmd, recorded as Recorded, args, peer, applicationName, call.signal);
      }
    }
    return handlers as CoreHandlers;
  }

  async #ask(
    cmd: string,
    recorded: Recorded,
    args: unknown,
    peer: Peer,
    applicationName: string,
    signal: AbortSignal,
  ): Promise<unknown> {
    const policy = this.#options.policy(peer.clientId);
    const accepted =
      policy === 'ask'
        ? await this.#wait(this.#record(cmd, recorded.what, args, peer, applicationName), signal)
        : policy === 'allow';
    if (accepted) return recorded.accepted(args);
    return 'data' in recorded.declined ? recorded.declined.data : refuse(recorded.declined);
  }

  #record(cmd: string, what: string, args: unknown, peer: Peer, applicationName: string): RecordedRequest {
    const now = this.#options.clock.now();
    return {
      kind: 'command',
      id: typeableId((id) => this.#waiting.has(id) || this.#options.taken(id)),
      clientId: peer.clientId,
      applicationName: plainText(applicationName),
      cmd,
      what,
      details: detailsOf(args),
      pid: peer.credentials?.pid ?? null,
      requestedAt: now,
      expiresAt: now + this.#options.timeoutMs,
    };
  }

  #wait(request: RecordedRequest, signal: AbortSignal): Promise<boolean> {
    const own = this.list().filter(({ clientId }) => clientId === request.clientId);
    if (signal.aborted || this.#waiting.size >= MOST_WAITING || own.length >= MOST_WAITING_EACH) {
      return Promise.resolve(false);
    }
    return new Promise((resolve) => {
      const settle = (accepted: boolean): void => {
        if (!this.#waiting.delete(request.id)) return;
        cancel();
        signal.removeEventListener('abort', left);
        this.#options.changed('settled', request);
        resolve(accepted);
      };
      const left = (): void => settle(false);
      const cancel = this.#options.clock.setTimeout(left, this.#options.timeoutMs);
      signal.addEventListener('abort', left);
      this.#waiting.set(request.id, { request, settle });
      this.#options.changed('added', request);
    });
  }
}

function refuse(refusal: Refusal): never {
  throw new RpcError(refusal.code, refusal.message);
}

const SECRET_KEY = /token|code|secret|state|fingerprint|query/i;

function detailsOf(args: unknown): string[] {
  if (!isObject(args)) return [];
  return Object.entries(args)
    .slice(0, 16)
    .map(([key, value]) => {
      if (SECRET_KEY.test(key)) return `${plainText(key)}: (not shown)`;
      return `${plainText(key)}: ${plainText(typeof value === 'string' ? value : JSON.stringify(value), 120)}`;
    });
}
