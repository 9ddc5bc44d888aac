import { largeNumberIn, parseExact, printExact } from '../base/exact-json.ts';
import { type Awaitable, isLater } from '../base/later.ts';
import type { CoreCall, CoreSession } from '../core/core.ts';
import { acceptArgs, checkResult, quoted } from '../protocol/check-shapes.ts';
import { ErrorCode } from '../protocol/error-code.ts';
import { isRpcError, RpcError } from '../protocol/errors.ts';
import { isObject, type Reading } from '../protocol/json.ts';
import { errorPayload, type RejectedRequest, type Request, readRequest } from '../protocol/payload.ts';
import { findCommand } from '../protocol/registry.ts';
import { missingRight, permits } from '../protocol/rights.ts';
import { allows, describeRule, type Scope } from '../protocol/scope.ts';
import { isCloseError } from '../wire/close-error.ts';
import type { TransportKind } from '../wire/connection.ts';
import type { EncodedFrame } from '../wire/frame.ts';
import { Cancellation } from './cancellation.ts';
import { type AnswerDeadline, CircuitBreaker } from './circuit-breaker.ts';
import { LateFrames } from './late-frames.ts';
import { type CallHost, RequestCall } from './request-call.ts';
import type { RequestsOptions } from './requests-options.ts';
import { encodeAnswer, encodeReply } from './result.ts';
import { SubscriptionRequests } from './subscription-requests.ts';
import { Subscriptions } from './subscriptions.ts';

/** Extra time beyond an app's own timeout (ms), so that a core that enforces this timeout reports it first. */
const EXTRA_MS = 1000;

/**
 * Serves the requests of one session. Each request gets exactly one answer, which is sent before the events that the
 * request causes. When the core answers immediately, the answer was sent by the time {@link serve} returns.
 */
export class Requests implements CallHost {
  readonly subscriptions: Subscriptions;
  readonly #options: RequestsOptions;
  readonly #subscribing: SubscriptionRequests;
  /**
   * Circuit breaker. A relay has its own: behind it is a separate server for each session, so that a call that hangs
   * there does not affect other sessions.
   */
  readonly #breaker: CircuitBreaker;
  /** Cancellation of each request that waits for the core. */
  readonly #cancellations = new Set<Cancellation>();
  readonly #reading: Reading;
  readonly #late: LateFrames;

  constructor(options: RequestsOptions) {
    this.#options = options;
    this.#breaker = options.core.relay ? new CircuitBreaker() : options.breaker;
    this.#reading = { garbled: options.garbled, parse: options.core.relay && parseRelayed };
    this.#late = new LateFrames({
      maxUnread: options.limits.unreadBytes,
      send: (frame) => options.isOpen() && options.peer.connection.send(frame),
      changed: () => this.#countWaiting(),
    });
    this.subscriptions = new Subscriptions(options.limits.subscriptions);
    this.#subscribing = new SubscriptionRequests(this.subscriptions, this.#breaker, options, (frame) =>
      this.sendEvent(frame),
    );
  }

  get clientId(): string {
    return this.#options.clientId;
  }

  get #vouched(): boolean {
    return this.#options.core.trusted ?? false;
  }

  get transport(): TransportKind {
    return this.#options.peer.connection.kind;
  }

  get scopes(): ReadonlySet<Scope> {
    return this.#options.identity.scopes;
  }

  get consentDeadline(): AnswerDeadline {
    return { ms: this.#options.limits.personMs, waitsFor: 'person' };
  }

  /** The peer has left. */
  end(): void {
    for (const cancellation of this.#cancellations) cancellation.end();
    this.#late.end();
    this.#countWaiting();
  }

  /** Updates the number of bytes that the peer has not read. */
  backlog(unread: number): void {
    this.#late.backlog(unread);
  }

  /** Sends an event after the answers that were created before it. */
  sendEvent(frame: EncodedFrame): void {
    this.#late.send(frame, 'event');
  }

  /**
   * Serves the body of one FRAME. Checks in the documented order: envelope, rights of the endpoint, command name, scope,
   * arguments. An error that ends the session goes to `close`.
   */
  serve(body: Uint8Array): void {
    try {
      const request = readRequest(body, this.#reading);
      if ('error' in request) return this.#fail(request, request.error);
      const { core, entrance } = this.#options;
      if (!permits(entrance?.permission, request)) return this.#fail(request, this.#notPermitted(request));
      if (core.relay) this.#relay(request, core.relay.bind(core));
      else this.#answer(request);
    } catch (error) {
      this.#options.close(error as Error);
    }
  }

  #relay(request: Request, relay: NonNullable<CoreSession['relay']>): void {
    const { cmd, args, evt, nonce } = request;
    const command = findCommand(cmd);
    const cancellation = new Cancellation();
    try {
      if (command?.notOver === this.transport) throw this.#notOver(cmd);
      const data = this.#breaker.run(
        cmd,
        this.#deadlineFor(request, command?.recorded !== undefined),
        () => relay({ cmd, args, evt }, cancellation),
        { cancellation },
      );
      const reply = (value: unknown): void => {
        const within = cmd === 'AUTHENTICATE' ? this.#withinRights(value) : value;
        this.#send(encodeReply({ cmd, data: within, evt: null, nonce }, printExact));
      };
      this.#reply(request, data, reply, { cancellation });
    } catch (error) {
      this.#fail(request, error);
    }
  }

  /** The answer of another server to AUTHENTICATE, whose scopes are those of the token. */
  #withinRights(data: unknown): unknown {
    if (this.#options.entrance?.permission === undefined) return data;
    if (!isObject(data) || !Array.isArray(data['scopes'])) return data;
    const scopes = data['scopes'].filter((scope) => typeof scope === 'string');
    return { ...data, scopes: this.#options.identity.answered(scopes) };
  }

  #answer(request: Request): void {
    const { cmd } = request;
    try {
      const command = findCommand(cmd);
      if (command === undefined) {
        throw new RpcError(ErrorCode.INVALID_COMMAND, `Unknown command: ${quoted(cmd)}`);
      }
      if (command.notOver === this.transport) throw this.#notOver(cmd);
      if (!allows(command.scope, this.scopes)) {
        throw new RpcError(
          ErrorCode.INVALID_PERMISSIONS,
          `${cmd} needs the scope ${describeRule(command.scope)}; AUTHORIZE and AUTHENTICATE first`,
        );
      }
      const call = new RequestCall(request, command, this);
      const args = acceptArgs(command, request.args);
      command.check?.(args, call);
      const data: Awaitable<unknown> = command.handle ? command.handle(call, args) : this.forward(call, args);
      const reply = (value: unknown): void => {
        if (this.#send(encodeAnswer(request, command, value, this.#vouched))) call.replied();
      };
      this.#reply(request, data, reply, call);
    } catch (error) {
      this.#fail(request, error);
    }
  }

  forward(call: RequestCall, args: unknown): Awaitable<unknown> {
    const { core } = this.#options;
    const { command, request } = call;
    const { cmd } = request;
    const { handlers } = core;
    const handler = handlers[cmd as keyof typeof handlers] as
      | ((args: unknown, call: CoreCall) => Awaitable<unknown>)
      | undefined;
    if (handler === undefined) {
      throw new RpcError(ErrorCode.INVALID_COMMAND, `${cmd} is not offered by this client`);
    }
    const deadline = this.#deadlineFor(request, command.recorded !== undefined);
    const result = this.#breaker.run(cmd, deadline, () => handler.call(handlers, args, call), call);
    if (this.#vouched) return result;
    return isLater(result)
      ? result.then((value) => checkResult(command, cmd, value))
      : checkResult(command, cmd, result);
  }

  exclusively<T>(step: 'authorizing' | 'authenticating', task: () => Promise<T>): Promise<T> {
    return this.#options.identity.exclusively(step, task);
  }

  authenticated(token: string, scopes: readonly Scope[]): readonly Scope[] {
    const { identity } = this.#options;
    identity.authenticated(token, scopes);
    return identity.answered(scopes);
  }

  subscribe(call: RequestCall, evt: string, args: unknown): Awaitable<void> {
    return this.#subscribing.subscribe(call, evt, args);
  }

  unsubscribe(_call: RequestCall, evt: string, args: unknown): Awaitable<void> {
    return this.#subscribing.unsubscribe(evt, args);
  }

  #reply(
    request: Request,
    data: Awaitable<unknown>,
    reply: (value: unknown) => void,
    call: { readonly cancellation: Cancellation },
  ): void {
    if (isLater(data)) this.#await(request, data, reply, call.cancellation);
    else reply(data);
  }

  /** Counts the request as in flight until the core has answered it. */
  #await(
    request: Request,
    data: Promise<unknown>,
    reply: (value: unknown) => void,
    cancellation: Cancellation,
  ): void {
    this.#cancellations.add(cancellation);
    this.#countInFlight();
    const end = (answer: () => void): void => {
      const begun = performance.now();
      try {
        answer();
      } catch (error) {
        this.#options.close(error as Error);
      }
      this.#cancellations.delete(cancellation);
      this.#countInFlight();
      const now = performance.now();
      // The processing time before the wait was counted with the frame.
      this.#options.worked(now - begun, now);
    };
    data.then(
      (value) =>
        end(() => {
          try {
            if (this.#options.isOpen()) reply(value);
          } catch (error) {
            this.#fail(request, error);
          }
        }),
      (error: unknown) => end(() => this.#fail(request, error)),
    );
  }

  #countWaiting(): void {
    if (!this.#options.waiting(this.#late.bytes)) this.#late.end();
    this.#countInFlight();
  }

  #countInFlight(): void {
    this.#options.inFlight(this.#cancellations.size + this.#late.answers);
  }

  /** Sends an answer, or queues it; returns false when the peer has disconnected. */
  #send(frame: EncodedFrame): boolean {
    if (!this.#options.isOpen()) return false;
    this.#late.send(frame, 'answer');
    return true;
  }

  /** Answers with ERROR. Rethrows a CloseError, with which the core ends the session. */
  #fail(request: Request | RejectedRequest, error: unknown): void {
    if (isCloseError(error)) throw error;
    const { cmd, nonce } = request;
    const refusal = this.#toRpcError(cmd ?? '', error);
    this.#options.refused(request, refusal);
    const print = this.#options.core.relay && printExact;
    this.#send(encodeReply(errorPayload(cmd, nonce, refusal), print));
  }

  #toRpcError(cmd: string, error: unknown): RpcError {
    if (isRpcError(error)) {
      if (error.detail !== undefined) this.#options.report(cmd, error);
      return error;
    }
    const refusal = this.#options.core.refusal?.(error);
    if (refusal !== undefined) return refusal;
    this.#options.report(cmd, error);
    return new RpcError(ErrorCode.UNKNOWN_ERROR, `${cmd} failed inside the client; the reason is in its log`);
  }

  #notPermitted({ cmd, evt }: Request): RpcError {
    const what = evt === undefined ? quoted(cmd) : `${quoted(cmd)} to ${quoted(evt)}`;
    const { name = '', remedy } = this.#options.entrance ?? {};
    const extended = remedy?.(missingRight({ cmd, evt })) ?? '';
    return new RpcError(
      ErrorCode.INVALID_PERMISSIONS,
      `${what} is not permitted at the endpoint "${name}": its rights do not include it. The operator can extend them: ${extended}`,
    );
  }

  #notOver(cmd: string): RpcError {
    return new RpcError(ErrorCode.INVALID_COMMAND, `${cmd} is not available over ${this.transport}`);
  }

  /**
   * Returns the deadline of a request. Commands that the user decides, and commands for which the app has set a
   * timeout, may take longer than commands that the core answers itself.
   */
  #deadlineFor({ cmd, args }: Request, recorded: boolean): AnswerDeadline {
    if (recorded || waitsForConsent(cmd, args)) return this.consentDeadline;
    const { answerMs, personMs } = this.#options.limits;
    const seconds = isObject(args) && typeof args.timeout === 'number' ? args.timeout : 0;
    const own = Math.min(seconds * 1000 + EXTRA_MS, personMs);
    return { ms: seconds > 0 ? Math.max(answerMs, own) : answerMs, waitsFor: 'core' };
  }
}

/**
 * Whether a command prompts the user. AUTHENTICATE without a token obtains a token and prompts as AUTHORIZE does; for
 * AUTHENTICATE with a token, the core reports whether it prompts.
 */
function waitsForConsent(cmd: string, args: unknown): boolean {
  return cmd === 'AUTHORIZE' || (cmd === 'AUTHENTICATE' && !(isObject(args) && args.access_token));
}

/**
 * Reads a request for a relay. A large number in place of a text of the envelope remains a number, so that the request
 * is refused for it.
 */
function parseRelayed(json: string): unknown {
  const body = parseExact(json);
  if (!isObject(body)) return body;
  const numbers = ['cmd', 'evt', 'nonce'].flatMap((key) => {
    const number = largeNumberIn(body[key]);
    return number === undefined ? [] : [[key, number] as const];
  });
  return numbers.length === 0 ? body : { ...body, ...Object.fromEntries(numbers) };
}
