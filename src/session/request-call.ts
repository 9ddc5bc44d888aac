import type { Awaitable } from '../base/later.ts';
import type { CoreCall } from '../core/core.ts';
import type { Call, Command } from '../protocol/command.ts';
import type { Request } from '../protocol/payload.ts';
import type { Scope } from '../protocol/scope.ts';
import type { TransportKind } from '../wire/connection.ts';
import { Cancellation } from './cancellation.ts';
import type { AnswerDeadline, Waiter } from './circuit-breaker.ts';

/** Services of the session that a request uses. */
export interface CallHost {
  readonly clientId: string;
  readonly transport: TransportKind;
  readonly scopes: ReadonlySet<Scope>;
  /** How long the user may take. */
  readonly consentDeadline: AnswerDeadline;
  /** Calls the core. */
  forward(call: RequestCall, args: unknown): Awaitable<unknown>;
  exclusively<T>(step: 'authorizing' | 'authenticating', task: () => Promise<T>): Promise<T>;
  authenticated(token: string, scopes: readonly Scope[]): readonly Scope[];
  subscribe(call: RequestCall, evt: string, args: unknown): Awaitable<void>;
  unsubscribe(call: RequestCall, evt: string, args: unknown): Awaitable<void>;
}

/**
 * One request in flight. It offers the session's functions to the command, and is the context of the request for the
 * core.
 */
export class RequestCall implements Call, CoreCall, Waiter {
  readonly request: Request;
  readonly command: Command;
  readonly #host: CallHost;
  #cancellation: Cancellation | undefined;
  #afterReply: (() => void)[] | undefined;
  #isAsking = false;
  #listener: ((deadline: AnswerDeadline) => void) | undefined;

  constructor(request: Request, command: Command, host: CallHost) {
    this.request = request;
    this.command = command;
    this.#host = host;
  }

  get clientId(): string {
    return this.#host.clientId;
  }

  get transport(): TransportKind {
    return this.#host.transport;
  }

  get evt(): string | undefined {
    return this.request.evt;
  }

  get rawArgs(): unknown {
    return this.request.args;
  }

  get scopes(): ReadonlySet<Scope> {
    return this.#host.scopes;
  }

  /** Created on first access, because most requests are answered at once. */
  get cancellation(): Cancellation {
    this.#cancellation ??= new Cancellation();
    return this.#cancellation;
  }

  get signal(): AbortSignal {
    return this.cancellation.signal;
  }

  waitsForConsent(): void {
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.#listener?.(this.#host.consentDeadline);
  }

  onDeadline(listener: (deadline: AnswerDeadline) => void): void {
    if (this.#isAsking) listener(this.#host.consentDeadline);
    else this.#listener = listener;
  }

  forward(args: unknown): Awaitable<unknown> {
    return this.#host.forward(this, args);
  }

  exclusively<T>(step: 'authorizing' | 'authenticating', task: () => Promise<T>): Promise<T> {
    return this.#host.exclusively(step, task);
  }

  authenticated({
    token,
    scopes,
  }: {
    readonly token: string;
    readonly scopes: readonly Scope[];
  }): readonly Scope[] {
    return this.#host.authenticated(token, scopes);
  }

  subscribe(evt: string, args: unknown): Awaitable<void> {
    return this.#host.subscribe(this, evt, args);
  }

  unsubscribe(evt: string, args: unknown): Awaitable<void> {
    return this.#host.unsubscribe(this, evt, args);
  }

  /** Adds a task that runs after the answer was sent. */
  afterReply(task: () => void): void {
    this.#afterReply ??= [];
    this.#afterReply.push(task);
  }

  /** The answer has been sent. */
  replied(): void {
    if (this.#afterReply) for (const task of this.#afterReply) task();
  }
}
