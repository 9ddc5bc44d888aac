import type { ClientCore, CoreSession, EventTarget, LogFields, Target } from '../core/core.ts';
import type { Call } from '../protocol/command.ts';
import { RpcError } from '../protocol/errors.ts';
import { encodePayload, MAX_SENT_BYTES, type Request, readRequest } from '../protocol/payload.ts';
import { type EventName, findEvent } from '../protocol/registry.ts';
import { allows, describeRule, PRIVATE_LIMITED_SCOPE, PRIVATE_SCOPE, type Scope } from '../protocol/scope.ts';
import { CloseError } from '../wire/close-error.ts';
import { CloseCode, ErrorCode, Opcode } from '../wire/codes.ts';
import type { Connection } from '../wire/connection.ts';
import { type EncodedFrame, encodeFrame } from '../wire/frame.ts';
import { isClientSite } from '../wire/origin.ts';
import { startDeadline } from './deadline.ts';
import { answer, checkArgs } from './dispatch.ts';
import { Identity } from './identity.ts';
import type { Limits } from './limits.ts';
import { type Effect, type Input, initialState, type State, step } from './state.ts';
import { type Subscription, Subscriptions } from './subscriptions.ts';

/** What a session needs of the server. */
export interface SessionHost {
  readonly core: Pick<ClientCore, 'open'>;
  readonly limits: Limits;
  log(level: 'debug' | 'info' | 'warn' | 'error', message: string, fields: LogFields): void;
  /** The handshake is done. */
  ready(session: Session): void;
  /** The last call about this session. */
  closed(session: Session): void;
}

/** An event on its way to many sessions; encoded once. */
export interface Dispatch {
  readonly evt: EventName;
  readonly data: unknown;
  readonly frame: EncodedFrame;
}

/** One connected peer: runs the state machine's effects, serves requests, holds subscriptions. */
export class Session {
  readonly id: string;
  readonly connection: Connection;
  readonly #host: SessionHost;
  readonly #identity: Identity;
  readonly #subscriptions: Subscriptions;
  readonly #gone = new AbortController();
  readonly #handshakeDeadline: { cancel(): void };
  #state: State = initialState;
  #clientId: string | undefined;
  #core: CoreSession | undefined;
  #inFlight = 0;
  /** Why the peer's socket is not being read at the moment. */
  readonly #pausedBy = new Set<'held' | 'busy'>();
  #onIdle: (() => void) | undefined;

  constructor(id: string, connection: Connection, host: SessionHost) {
    this.id = id;
    this.connection = connection;
    this.#host = host;
    this.#identity = identityOf(connection);
    this.#subscriptions = new Subscriptions(host.limits.subscriptions);
    this.#handshakeDeadline = startDeadline(host.limits.handshakeMs, () => {
      if (this.#state.kind !== 'handshaking') return;
      this.close(new CloseError(CloseCode.ABNORMAL, 'No handshake within the time limit'));
    });
    connection.start({
      frame: (frame) => this.#step({ kind: 'frame', frame }),
      broken: (error) => this.close(error),
      ended: () => this.#step({ kind: 'ended' }),
    });
  }

  get state(): State['kind'] {
    return this.#state.kind;
  }

  get clientId(): string | undefined {
    return this.#clientId;
  }

  get scopes(): ReadonlySet<Scope> {
    return this.#identity.scopes;
  }

  get subscriptionCount(): number {
    return this.#subscriptions.size;
  }

  get requestsInFlight(): number {
    return this.#inFlight;
  }

  /** Ends the session with a CLOSE frame. An error that is no CloseError is a fault of ours: 1003. */
  close(error: Error): void {
    const known = error instanceof CloseError;
    if (!known) this.#report('', error);
    this.#step({
      kind: 'close',
      error: known ? error : new CloseError(CloseCode.UNSUPPORTED, 'The frame could not be read'),
    });
  }

  /** Whether `to` means this session. */
  isMeantBy(to: Target): boolean {
    if (this.#state.kind !== 'ready') return false;
    if (to.sessionId !== undefined && to.sessionId !== this.id) return false;
    if (to.clientId !== undefined && to.clientId !== this.#clientId) return false;
    return to.token === undefined || to.token === this.#identity.token;
  }

  /** Sends the event once per matching subscription, if the session's scopes still allow it. */
  dispatch(event: Dispatch, filter: EventTarget['filter']): number {
    const definition = findEvent(event.evt);
    if (this.#state.kind !== 'ready' || !definition || !allows(definition.scope, this.scopes)) return 0;
    const times = this.#subscriptions.match(event.evt, filter, event.data);
    for (let i = 0; i < times; i++) this.connection.send(event.frame);
    return times;
  }

  /** Dispatches an event whose subscription another server keeps. */
  relay(evt: string, data: unknown): void {
    if (this.#state.kind === 'ready') this.#sendEvent(evt, data);
  }

  /** Whether an event of this name would reach the session. */
  subscribes(evt: EventName, filter: EventTarget['filter']): boolean {
    return this.#subscriptions.some(evt, filter);
  }

  grant(scopes: readonly Scope[]): void {
    this.#identity.grant(scopes);
  }

  /** Resolves when no request is being served. */
  async idle(): Promise<void> {
    if (this.#inFlight === 0) return;
    await new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
  }

  #step(input: Input): void {
    const [state, effects] = step(this.#state, input, this.#host.limits);
    this.#state = state;
    for (const effect of effects) this.#run(effect);
  }

  #run(effect: Effect): void {
    switch (effect.kind) {
      case 'pong':
        return this.connection.send(encodeFrame(Opcode.PONG, effect.body));
      case 'open':
        this.#handshakeDeadline.cancel();
        this.#clientId = effect.handshake.clientId;
        void this.#open(effect.handshake.clientId);
        return;
      case 'welcome':
        return this.#welcome();
      case 'request':
        void this.#serve(effect.body);
        return;
      case 'pause':
        return this.#pause('held');
      case 'resume':
        return this.#resume('held');
      case 'close':
        this.#handshakeDeadline.cancel();
        this.connection.close(effect.code, effect.message);
        return;
      case 'dispose':
        this.#handshakeDeadline.cancel();
        this.#gone.abort();
        if (this.#core) void this.#letGo(this.#core);
        return this.#host.closed(this);
    }
  }

  async #open(clientId: string): Promise<void> {
    const { kind, origin, peer } = this.connection;
    try {
      const core = await this.#host.core.open({
        sessionId: this.id,
        clientId,
        transport: kind,
        signal: this.#gone.signal,
        ...(origin === undefined ? {} : { origin }),
        ...(peer === undefined ? {} : { credentials: peer }),
      });
      // The peer may have left while the core was busy.
      if (this.#state.kind !== 'identifying') return await this.#letGo(core);
      this.#core = core;
      this.connection.setFrameLimit(this.#host.limits.frameBytes);
      this.#step({ kind: 'accepted' });
    } catch (error) {
      if (!(error instanceof CloseError)) this.#report('HANDSHAKE', error);
      const refusal =
        error instanceof CloseError
          ? error
          : new CloseError(CloseCode.ABNORMAL, 'The client cannot be reached');
      this.#step({ kind: 'close', error: refusal });
    }
  }

  /** A core that fails at letting go must not take the process along. */
  async #letGo(core: CoreSession): Promise<void> {
    try {
      const done: unknown = core.close();
      await done;
    } catch (error) {
      this.#report('', error);
    }
  }

  #welcome(): void {
    const ready = this.#core?.ready;
    const data = this.connection.readyUser === false ? { ...ready, user: undefined } : ready;
    this.connection.send(encodePayload({ cmd: 'DISPATCH', data, evt: 'READY', nonce: null }));
    this.#host.ready(this);
  }

  async #serve(body: Uint8Array): Promise<void> {
    const core = this.#core;
    if (core === undefined) return;
    this.#inFlight += 1;
    if (this.#inFlight >= this.#host.limits.requestsInFlight) this.#pause('busy');
    const afterReply: (() => void)[] = [];
    try {
      const frame = await answer(readRequest(body), {
        core,
        scopes: this.scopes,
        transport: this.connection.kind,
        report: (cmd, error) => this.#report(cmd, error),
        call: (request, forward) => this.#call(core, request, forward, afterReply),
      });
      if (this.#state.kind !== 'ready') return;
      this.connection.send(frame);
      for (const task of afterReply) task();
    } catch (error) {
      this.close(error as Error);
    } finally {
      this.#inFlight -= 1;
      this.#resume('busy');
      if (this.#inFlight === 0) this.#onIdle?.();
    }
  }

  #call(
    core: CoreSession,
    request: Request,
    forward: (args: unknown) => Promise<unknown>,
    afterReply: (() => void)[],
  ): Call {
    return {
      clientId: this.#clientId ?? '',
      transport: this.connection.kind,
      evt: request.evt,
      signal: this.#gone.signal,
      forward,
      exclusively: (step, task) => this.#identity.exclusively(step, task),
      authenticated: ({ token, scopes }) => this.#identity.authenticated(token, scopes),
      subscribe: async (evt, rawArgs) => {
        const { name, args } = this.#event(evt, rawArgs);
        const subscription = this.#subscriptions.add(name, args);
        // The very same subscription exists: success, and nothing is added or replayed.
        if (subscription === undefined) return;
        try {
          const current: unknown = (await core.subscribe?.(name, args)) ?? [];
          if (!Array.isArray(current)) {
            throw new RpcError(ErrorCode.UNKNOWN_ERROR, 'The client gave no valid answer to SUBSCRIBE', {
              detail: 'current values: expected a list',
            });
          }
          afterReply.push(() => this.#activate(name, subscription, current));
        } catch (error) {
          this.#subscriptions.cancel(subscription);
          throw error;
        }
      },
      unsubscribe: async (evt, rawArgs) => {
        const { name, args } = this.#event(evt, rawArgs, { scopeNeeded: false });
        if (this.#subscriptions.remove(name, args)) await core.unsubscribe?.(name, args);
      },
    };
  }

  #event(evt: string, rawArgs: unknown, { scopeNeeded = true } = {}): { name: EventName; args: unknown } {
    const definition = findEvent(evt);
    if (definition === undefined || definition.kind === 'unsubscribable') {
      throw new RpcError(ErrorCode.INVALID_EVENT, 'evt: names no event that can be subscribed to');
    }
    if (scopeNeeded && !allows(definition.scope, this.scopes)) {
      throw new RpcError(
        ErrorCode.INVALID_PERMISSIONS,
        `${evt} needs the scope ${describeRule(definition.scope)}; AUTHORIZE and AUTHENTICATE first`,
      );
    }
    return { name: evt as EventName, args: checkArgs(definition.args(), rawArgs) };
  }

  /** Replays state, then sends what happened between SUBSCRIBE and its answer. */
  #activate(evt: EventName, subscription: Subscription, current: readonly unknown[]): void {
    const waiting = this.#subscriptions.activate(subscription);
    // UNSUBSCRIBE cancels a SUBSCRIBE that is still being answered (protocol 4.3).
    if (waiting === undefined) return;
    for (const data of [...current, ...waiting]) this.#sendEvent(evt, data);
  }

  /** What the core gives may be too large for a frame, or no JSON at all: that costs this one event. */
  #sendEvent(evt: string, data: unknown): void {
    try {
      const frame = encodeEvent(evt, data);
      if (frame === undefined) throw new Error('event too large');
      this.connection.send(frame);
    } catch (error) {
      this.#report(evt, error);
    }
  }

  #pause(why: 'held' | 'busy'): void {
    this.#pausedBy.add(why);
    this.connection.pause();
  }

  #resume(why: 'held' | 'busy'): void {
    if (this.#pausedBy.delete(why) && this.#pausedBy.size === 0) this.connection.resume();
  }

  #report(cmd: string, error: unknown): void {
    const detail = error instanceof RpcError ? error.detail : undefined;
    const reason = detail ?? (error instanceof Error ? `${error.name}: ${error.message}` : 'unknown');
    this.#host.log('warn', 'request failed inside the client core', { session: this.id, cmd, reason });
  }
}

/** What a peer may do before it authenticates: only one on a socket of this machine's user is local. */
function identityOf({ kind, origin }: Connection): Identity {
  const identity = new Identity((kind === 'ipc' || kind === 'memory') && origin === undefined);
  if (origin !== undefined && isClientSite(origin)) identity.grant([PRIVATE_SCOPE, PRIVATE_LIMITED_SCOPE]);
  return identity;
}

/** One DISPATCH frame, or undefined when it would exceed what clients survive. */
export function encodeEvent(evt: string, data: unknown): EncodedFrame | undefined {
  const frame = encodePayload({ cmd: 'DISPATCH', data, evt, nonce: null });
  return frame.body.byteLength > MAX_SENT_BYTES ? undefined : frame;
}
