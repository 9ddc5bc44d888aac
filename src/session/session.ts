import { printExact } from '../base/exact-json.ts';
import { type Awaitable, isLater } from '../base/later.ts';
import type { ClientCore, CoreSession, EventTarget, LogFields, Target } from '../core/core.ts';
import { isSession } from '../core/is-session.ts';
import { type EventName, findEvent } from '../protocol/registry.ts';
import { allows, type Scope } from '../protocol/scope.ts';
import { startDeadline } from '../scheduling/deadline.ts';
import { CloseError, isCloseError } from '../wire/close-error.ts';
import { CloseCode, Opcode } from '../wire/codes.ts';
import type { Connection, ConnectionListener } from '../wire/connection.ts';
import { type EncodedFrame, encodeFrame, type Frame } from '../wire/frame.ts';
import { Cancellation } from './cancellation.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { ConnectedPeer } from './connected-peer.ts';
import {
  checkedEvent,
  closeCore,
  type Dispatch,
  encodeEvent,
  type ReadyFrames,
  refusalOf,
  sendable,
} from './core-output.ts';
import { type BacklogBytes, type Budgets, FlowControl } from './flow-control.ts';
import { type Identity, identityOf } from './identity.ts';
import type { Limits } from './limits.ts';
import { masked, reasonOf, refusedFields } from './log-text.ts';
import { Requests } from './requests.ts';
import type { SessionOptions } from './session-options.ts';
import { type Effect, type Input, initialState, type State, step } from './state.ts';

/** Services of the server that a session needs. */
export interface SessionHost {
  readonly core: Pick<ClientCore, 'open' | 'openMs'>;
  readonly limits: Limits;
  readonly budgets: Budgets;
  readonly breaker: CircuitBreaker;
  readonly readyFrames: ReadyFrames;
  log(level: 'debug' | 'info' | 'warn' | 'error', message: string, fields: LogFields): void;
  /** A PING with this body has come. */
  pinged(body: Uint8Array): void;
  /** A valid HANDSHAKE has come. */
  identified(session: Session): void;
  /** READY has been sent. */
  ready(session: Session): void;
  /** Called once, when the peer has sent text that is not valid UTF-8. */
  garbled(session: Session): void;
  /** Called when the session is closed; no other call for this session follows. */
  closed(session: Session): void;
}

/**
 * One connected peer. Runs the effects of the state machine and listens to its connection. Thousands of sessions may be
 * idle at a time, so objects that only requests need are created with the first request.
 */
export class Session implements ConnectionListener {
  readonly id: string;
  #connection: Connection;
  readonly #host: SessionHost;
  readonly #own: SessionOptions;
  readonly #identity: Identity;
  readonly #closed = new Cancellation();
  #handshakeDeadline: { cancel(): void } | undefined;
  #state: State = initialState;
  #clientId: string | undefined;
  readonly #flow: FlowControl;
  #core: CoreSession | undefined;
  /** READY, encoded before the session becomes ready, because the core's READY may be invalid. */
  #ready: EncodedFrame | undefined;
  #requests: Requests | undefined;
  /** Encoding of the texts that the peer has sent so far. */
  #encoding: 'UTF-8' | 'garbled' = 'UTF-8';
  #inFlight = 0;
  /** Bytes of frames that wait until the peer has read earlier ones. */
  #waitingBytes = 0;
  #onIdle: readonly (() => void)[] = NOBODY;

  constructor(id: string, connection: Connection, host: SessionHost, own: SessionOptions) {
    this.#own = own;
    this.id = id;
    this.#connection = connection;
    this.#host = host;
    this.#identity = identityOf(connection, own.entrance?.permission);
    this.#handshakeDeadline = startDeadline(host.limits.handshakeMs, () => {
      if (this.#state.kind !== 'handshaking') return;
      this.close(new CloseError(CloseCode.ABNORMAL, 'No handshake within the time limit'));
    });
    this.#flow = new FlowControl(this, own.actor, host.limits, host.budgets);
    connection.start(this);
  }

  /** The transport's own connection, or its wrapper while traffic is observed or faults are injected. */
  get connection(): Connection {
    return this.#connection;
  }

  /** Replaces the connection object; the new one has the same peer, with other wrappers. */
  redirect(connection: Connection): void {
    this.#connection = connection;
    connection.redirect(this);
  }

  /** Bytes that wait for the peer, as its connection last reported them. */
  get backlogBytes(): BacklogBytes {
    return this.#flow.backlogBytes;
  }

  admits(bytes: number): boolean {
    return this.#flow.admits(bytes);
  }

  frame(frame: Frame): void {
    const begun = performance.now();
    this.#flow.frame(frame, begun);
    this.#step({ kind: 'frame', frame });
    const now = performance.now();
    this.#flow.worked(now - begun, now, frame.body.byteLength);
  }

  partial(bytes: number): void {
    this.#flow.partial(bytes);
  }

  backlog(held: number, unread = held): void {
    this.#flow.backlog(held, unread);
    this.#requests?.backlog(unread);
  }

  /** Handles a half-close by the peer: requests in flight are still answered, within the connection's own timeout. */
  halfClosed(): void {
    void this.idle().then(() => this.connection.end());
  }

  broken(error: Error): void {
    this.close(error);
  }

  ended(): void {
    this.#step({ kind: 'ended' });
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
    return this.#requests?.subscriptions.size ?? 0;
  }

  get requestsInFlight(): number {
    return this.#inFlight;
  }

  /** Ends the session with a CLOSE frame. An error that is not a CloseError is a defect of ours and sends code 1003. */
  close(error: Error): void {
    const known = isCloseError(error);
    if (!known) this.#report('', error);
    this.#step({
      kind: 'close',
      error: known ? sendable(error) : new CloseError(CloseCode.UNSUPPORTED, 'The frame could not be read'),
    });
  }

  /** Whether this session is a receiver of `to`. */
  isMeantBy(to: Target): boolean {
    return this.#state.kind === 'ready' && this.#identity.isMeantBy(to, this);
  }

  /** Sends the event once per matching subscription, if the session's scopes still allow it. */
  dispatch(event: Dispatch, filter: EventTarget['filter']): number {
    const definition = findEvent(event.evt);
    if (this.#state.kind !== 'ready' || !definition || !allows(definition.scope, this.scopes)) return 0;
    const times = this.#requests?.subscriptions.match(event.evt, filter, event.frame) ?? 0;
    for (let i = 0; i < times; i++) this.#dispatchFrame(event.frame);
    return times;
  }

  /** Sends an event for which another server manages the subscriptions. */
  relay(evt: string, data: unknown): void {
    if (this.#state.kind === 'ready') this.#sendEvent(evt, data);
  }

  /** Whether a subscription of the session matches this event. */
  subscribes(evt: EventName, filter: EventTarget['filter']): boolean {
    return this.#requests?.subscriptions.some(evt, filter) ?? false;
  }

  grant(scopes: readonly Scope[]): void {
    this.#identity.grant(scopes);
  }

  /** Resolves when no request is being served, and no frame waits for the peer to read. */
  async idle(): Promise<void> {
    if (this.#isIdle) return;
    await new Promise<void>((resolve) => {
      this.#onIdle = [...this.#onIdle, resolve];
    });
  }

  get #isIdle(): boolean {
    return this.#inFlight === 0 && this.#waitingBytes === 0;
  }

  #step(input: Input): void {
    const [state, effects] = step(this.#state, input, this.#host.limits);
    this.#state = state;
    for (const effect of effects) this.#run(effect);
  }

  #run(effect: Effect): void {
    switch (effect.kind) {
      case 'pong':
        this.#host.pinged(effect.body);
        return this.connection.send(encodeFrame(Opcode.PONG, effect.body));
      case 'unpace':
        return this.connection.unpace?.();
      case 'open':
        this.#stopHandshakeDeadline();
        this.#clientId = effect.handshake.clientId;
        if (effect.handshake.garbled) this.#garbled();
        this.connection.setFrameLimit(this.#host.limits.frameBytes);
        this.#host.identified(this);
        // An injected fault may answer the handshake with CLOSE, after which the core is not called.
        return this.#state.kind === 'identifying' ? this.#open(effect.handshake.clientId) : undefined;
      case 'welcome':
        return this.#welcome();
      case 'request':
        this.#requests ??= this.#startRequests();
        this.#requests?.serve(effect.body);
        return;
      case 'pause':
        return this.#flow.pause('held');
      case 'resume':
        return this.#flow.resume('held');
      case 'close':
        this.#stopHandshakeDeadline();
        this.#log('session is sent away', { code: effect.code, reason: masked(effect.message) });
        return this.connection.close(effect.code, effect.message);
      case 'dispose':
        this.#stopHandshakeDeadline();
        this.#flow.dispose();
        this.#closed.end();
        this.#requests?.end();
        if (this.#core) this.#letGo(this.#core);
        return this.#host.closed(this);
    }
  }

  /** Stops the deadline and releases it, because a session may live for days. */
  #stopHandshakeDeadline(): void {
    this.#handshakeDeadline?.cancel();
    this.#handshakeDeadline = undefined;
  }

  /** Opens the core's session. A core that opens it synchronously needs no timer, promise or further turn. */
  #open(clientId: string): void {
    try {
      const peer = new ConnectedPeer(this.id, clientId, this.connection, this.#closed, this.#own.entrance);
      const opened: Awaitable<CoreSession> = this.#host.core.open(peer);
      if (isLater(opened)) void this.#await(opened);
      else this.#opened(opened);
    } catch (error) {
      this.#refuse(error);
    }
  }

  async #await(opening: Promise<CoreSession>): Promise<void> {
    const late = startDeadline(this.#host.core.openMs ?? this.#host.limits.openMs, () => {
      if (this.#state.kind !== 'identifying') return;
      this.close(new CloseError(CloseCode.ABNORMAL, 'The client did not answer in time'));
    });
    try {
      const core = await opening;
      late.cancel();
      this.#opened(core);
    } catch (error) {
      late.cancel();
      this.#refuse(error);
    }
  }

  #opened(core: CoreSession): void {
    if (!isSession(core)) throw new TypeError('open() gave no session with handlers and close()');
    // While the core was busy, the peer may have disconnected or been closed.
    if (this.#state.kind !== 'identifying') return this.#letGo(core);
    const isPaced = this.connection.isPaced === true;
    this.#ready = this.#host.readyFrames.of(core, { withUser: this.#own.readyUser ?? true, isPaced });
    if (this.#ready === undefined) {
      this.#letGo(core);
      this.#report('HANDSHAKE', new Error('no valid READY'));
      throw new CloseError(CloseCode.ABNORMAL, 'The client gave no valid READY');
    }
    this.#core = core;
    if (this.#encoding === 'garbled') core.garbled?.();
    this.#step({ kind: 'accepted' });
  }

  #refuse(error: unknown): void {
    if (!isCloseError(error)) this.#report('HANDSHAKE', error);
    this.#step({ kind: 'close', error: refusalOf(error) });
  }

  #startRequests(): Requests | undefined {
    if (this.#core === undefined || this.#clientId === undefined) return undefined;
    return new Requests({
      clientId: this.#clientId,
      peer: this,
      core: this.#core,
      identity: this.#identity,
      entrance: this.#own.entrance,
      breaker: this.#host.breaker,
      limits: this.#host.limits,
      isOpen: () => this.#state.kind === 'ready',
      inFlight: (count) => this.#countInFlight(count),
      waiting: (bytes) => {
        this.#waitingBytes = bytes;
        return this.#flow.waiting(bytes);
      },
      replay: (evt, data) => this.#replay(evt, data),
      worked: (ms, now) => this.#flow.worked(ms, now),
      garbled: () => this.#garbled(),
      report: (cmd, error) => this.#report(cmd, error),
      refused: (request, error) => this.#log('request refused', refusedFields(request, error)),
      close: (error) => this.close(error),
    });
  }

  /** Reports once that the app sends text that is not UTF-8: it is still served, and its author can find the cause. */
  #garbled(): void {
    if (this.#encoding === 'garbled') return;
    this.#encoding = 'garbled';
    this.#host.garbled(this);
    this.#core?.garbled?.();
  }

  #countInFlight(count: number): void {
    this.#inFlight = count;
    if (count >= this.#host.limits.requestsInFlight) this.#flow.pause('busy');
    else this.#flow.resume('busy');
    if (!this.#isIdle) return;
    const waiting = this.#onIdle;
    this.#onIdle = NOBODY;
    for (const resolve of waiting) resolve();
  }

  #letGo(core: CoreSession): void {
    closeCore(core, (error) => this.#report('', error));
  }

  #welcome(): void {
    if (this.#ready) this.connection.send(this.#ready);
    this.#ready = undefined;
    this.#host.ready(this);
  }

  /** Sends a current value that the core returned at SUBSCRIBE. */
  #replay(evt: EventName, data: unknown): void {
    const frame = checkedEvent(evt, data);
    if (typeof frame !== 'string') return this.#dispatchFrame(frame);
    this.#host.log('warn', 'event dropped', { session: this.id, evt, reason: frame });
  }

  /** Sends an event. Data that are too large for a frame, or not JSON, only prevent this one event. */
  #sendEvent(evt: string, data: unknown): void {
    try {
      const frame = encodeEvent(evt, data, printExact);
      if (frame === undefined) throw new Error('event too large');
      this.#dispatchFrame(frame);
    } catch (error) {
      this.#report(evt, error);
    }
  }

  /** Sends an event after the answers that wait for the peer to read. */
  #dispatchFrame(frame: EncodedFrame): void {
    if (this.#requests) this.#requests.sendEvent(frame);
    else this.connection.send(frame);
  }

  #log(message: string, fields: LogFields): void {
    const who = this.#clientId === undefined ? {} : { clientId: this.#clientId };
    this.#host.log('debug', message, { session: this.id, ...who, ...fields });
  }

  #report(cmd: string, error: unknown): void {
    const fields = { session: this.id, cmd, reason: reasonOf(error) };
    this.#host.log('warn', 'request failed inside the client core', fields);
  }
}

const NOBODY: readonly (() => void)[] = [];
