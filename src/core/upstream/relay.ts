import { ErrorCode } from '../../protocol/error-code.ts';
import { RpcError } from '../../protocol/errors.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { CloseError } from '../../wire/close-error.ts';
import { CloseCode, Opcode } from '../../wire/codes.ts';
import type { Ready, RelayedRequest } from '../core.ts';
import { away, scopesOf, upstreamError, userOf } from './answers.ts';
import { closeCodeOf, type Greeted, shakeHands } from './handshake.ts';
import { SessionMemory, showsActivity } from './memory.ts';
import type { Move, RelayOptions } from './relay-options.ts';
import { ReturnAttempts } from './return-attempts.ts';
import type { CloseReason, LinkListener, WireLink } from './wire-link.ts';

/** Timeout for READY (ms): the reference server delays READY, up to a minute, for an app that connects often. */
const READY_MS = 70_000;
/**
 * Timeout for the answer to a repeated AUTHENTICATE after a restart (ms); after it the rest of the state is restored.
 */
const RESTORE_MS = 5000;
/** Timeout for a change to another client (ms), and for requests in flight at the client before (ms). */
const MOVE_MS = 10_000;
const RETIRE_MS = 5000;
/**
 * Time for which a session whose token no other client accepts waits for its own client (ms): longer than a client
 * takes to restart with an update.
 */
const OWN_CLIENT_MS = 60_000;
/** Maximum number of errors for a repeated AUTHENTICATE that do not reject the token. */
const MAX_REFUSALS = 3;
/** Pauses between attempts to reconnect (ms); `refused` applies once the upstream has refused the session. */
const RETRY_MS = { first: 50, max: 1000, refused: 10_000 } as const;
/** Maximum of unread data (bytes); an upstream with more counts as hung. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** Close codes that refuse the app or its token for good: another attempt would have the same result. */
const FINAL: readonly number[] = [
  CloseCode.INVALID_ORIGIN,
  CloseCode.TOKEN_REVOKED,
  CloseCode.INVALID_VERSION,
  CloseCode.INVALID_ENCODING,
];

interface Pending {
  readonly link: WireLink;
  resolve(data: unknown): void;
  reject(error: Error): void;
}

/** Outcome of a repeated AUTHENTICATE. */
type Proof = 'taken' | 'refused' | 'silence';

type State =
  | { readonly kind: 'opening' }
  /** There is no upstream; attempts to reconnect are under way. */
  | { readonly kind: 'away' }
  /** The handshake has been repeated; the app's token is being repeated. */
  | { readonly kind: 'restoring'; readonly link: WireLink }
  | { readonly kind: 'ready'; readonly link: WireLink }
  | { readonly kind: 'closed' };

/** One app's own connection to the upstream, with the app's own client id; reconnects when the upstream restarts. */
export class Relay {
  readonly #options: RelayOptions;
  readonly #memory = new SessionMemory();
  readonly #pending = new Map<string, Pending>();
  readonly #attempts = new ReturnAttempts();
  readonly #closed = new AbortController();
  readonly #listener: LinkListener;
  #state: State = { kind: 'opening' };
  /** Links of clients before, with requests in flight. */
  readonly #retired = new Map<WireLink, NodeJS.Timeout>();
  #user: string | undefined;
  #requests = 0;
  #nonces = 0;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#listener = {
      payload: (payload, link) => this.#receive(payload, link),
      garbled: () => this.#options.garbled?.(),
      ended: (reason, link) => this.#lost(link, reason),
    };
  }

  /** Performs the first handshake. Rejects with the upstream's CloseError, else with an Error. */
  async open(): Promise<Ready> {
    const { link, ready } = await this.#greet();
    if (this.#state.kind === 'closed' || link.ended) {
      link.destroy();
      throw new Error('the chat client left right after READY');
    }
    this.#state = { kind: 'ready', link };
    this.#user = userOf(ready);
    this.#options.route?.taken(ready);
    return ready;
  }

  /** Whether the upstream shows an activity of this app, or will once it is back. */
  get hasPresence(): boolean {
    return this.#memory.presence !== undefined;
  }

  /**
   * Changes to the client to which `connect` leads, while the session goes on. A session without a token is moved
   * silently, also to another account, because READY is not repeated.
   */
  async move(connect: RelayOptions['connect']): Promise<Move> {
    const before = this.#state;
    if (before.kind !== 'ready') return 'failed';
    const greeted = await this.#greet(connect, MOVE_MS).catch(() => undefined);
    if (greeted === undefined) return 'failed';
    const { link, ready } = greeted;
    const proof = await this.#prove(link, () => {});
    if (this.#state !== before || link.ended || proof === 'silence') {
      link.destroy();
      return 'failed';
    }
    if (proof === 'refused') {
      link.destroy();
      this.#refuse(new CloseError(CloseCode.NORMAL, 'Another chat client answers now; connect again'));
      return 'refused';
    }
    this.#state = { kind: 'ready', link };
    this.#user = userOf(ready);
    this.#options.route?.taken(ready);
    this.#repeatState(link);
    this.#retired.set(
      before.link,
      setTimeout(() => this.#leave(before.link), RETIRE_MS),
    );
    this.#leaveIfIdle(before.link);
    return 'moved';
  }

  /**
   * Relays one request and returns the upstream's answer, also an ERROR. While the upstream is away, the request
   * triggers the next attempt to reconnect, waits for that attempt, and fails if it fails. An answer that arrives after
   * `signal` has aborted is ignored.
   */
  async request(request: RelayedRequest, signal?: AbortSignal): Promise<unknown> {
    this.#requests += 1;
    const order = this.#requests;
    this.#memory.intend(request, order);
    try {
      if (this.#state.kind !== 'ready') await this.#attempts.next();
      if (this.#state.kind !== 'ready' || (showsActivity(request) && !this.#mayShow)) throw away();
      const { link } = this.#state;
      const data = await this.#send(link, request, signal);
      this.#memory.note(request, order);
      // The session may have moved to another client meanwhile.
      if (this.#retired.has(link) || link.ended) this.#repeatLate(link, request);
      if (request.cmd === 'AUTHENTICATE') this.#options.authenticated(scopesOf(data));
      return data;
    } catch (error) {
      this.#memory.failed(request, order);
      throw error;
    }
  }

  /** The app has left. */
  close(): void {
    const state = this.#state;
    this.#state = { kind: 'closed' };
    this.#closed.abort();
    this.#attempts.ended();
    for (const link of this.#retired.keys()) this.#leave(link);
    if (state.kind === 'ready' || state.kind === 'restoring') farewell(state.link);
    this.#failPending();
  }

  async #greet(connect = this.#options.connect, timeoutMs = READY_MS): Promise<Greeted> {
    const { signal } = this.#closed;
    const { clientId } = this.#options;
    const stream = await connect(signal);
    return shakeHands(stream, { clientId, signal, timeoutMs, next: this.#listener });
  }

  /** Ends a link of a client before. */
  #leave(link: WireLink): void {
    clearTimeout(this.#retired.get(link));
    this.#retired.delete(link);
    farewell(link);
    this.#failPending(link);
  }

  #leaveIfIdle(link: WireLink): void {
    if (![...this.#pending.values()].some((pending) => pending.link === link)) this.#leave(link);
  }

  /** Repeats a request that the client before has answered, where it is still part of the state. */
  #repeatLate(link: WireLink, request: RelayedRequest): void {
    const state = this.#state;
    if (state.kind !== 'ready' || state.link === link) return;
    const { presence, subscriptions, authentication } = this.#memory;
    if (presence === request || authentication === request || subscriptions.includes(request))
      this.#repeat(state.link, [request]);
  }

  async #send(link: WireLink, { cmd, args, evt }: RelayedRequest, signal?: AbortSignal): Promise<unknown> {
    if (link.ended || link.waitingBytes > MAX_WAITING_BYTES) throw away();
    this.#nonces += 1;
    // The nonce is our own, because two requests of an app may have the same nonce.
    const nonce = String(this.#nonces);
    const forget = (): void => {
      this.#pending.get(nonce)?.reject(away());
      this.#pending.delete(nonce);
    };
    try {
      return await new Promise((resolve, reject) => {
        this.#pending.set(nonce, { link, resolve, reject });
        signal?.addEventListener('abort', forget);
        link.send(Opcode.FRAME, { cmd, args, nonce, evt });
      });
    } finally {
      signal?.removeEventListener('abort', forget);
    }
  }

  #receive({ nonce, evt, data }: JsonObject, link: WireLink): void {
    if (typeof nonce !== 'string') {
      // READY is not passed on, because an app accepts only one READY.
      if (typeof evt !== 'string' || evt === 'READY' || this.#state.kind === 'closed') return;
      if (this.#retired.has(link)) return;
      return this.#options.event(evt, data ?? null);
    }
    // The nonce of an answer without a request has no entry.
    const pending = this.#pending.get(nonce);
    this.#pending.delete(nonce);
    if (evt === 'ERROR') pending?.reject(upstreamError(data));
    else pending?.resolve(data ?? null);
    if (this.#retired.has(link)) this.#leaveIfIdle(link);
  }

  #lost(link: WireLink, reason: CloseReason | undefined): void {
    if (this.#retired.has(link)) return this.#leave(link);
    this.#failPending(link);
    const { kind } = this.#state;
    if ((kind !== 'ready' && kind !== 'restoring') || this.#state.link !== link) return;
    this.#state = { kind: 'away' };
    this.#failPending();
    if (reason && FINAL.includes(reason.code)) {
      this.#refuse(new CloseError(closeCodeOf(reason.code), reason.message));
    } else if (kind === 'ready') {
      void this.#comeBack();
    }
  }

  /** Reconnects until the app's state is restored or the session ends. */
  async #comeBack(): Promise<void> {
    let gap: number = RETRY_MS.first;
    let refusals = 0;
    const patience = performance.now() + OWN_CLIENT_MS;
    /** No other client accepts the token. */
    let isAlone = false;
    while (this.#state.kind === 'away') {
      // Many sessions lose their upstream at once, so jitter spreads their reconnects.
      const jittered = gap * (0.5 + Math.random());
      await this.#attempts.pause(jittered, gap === RETRY_MS.refused ? 'long' : 'short', this.#closed.signal);
      // The app has left during the pause.
      if (this.#closed.signal.aborted) return;
      gap = Math.min(gap * 2, RETRY_MS.max);
      const outcome = await this.#restore(refusals >= MAX_REFUSALS);
      this.#attempts.ended();
      if (outcome === 'turned away') gap = RETRY_MS.refused;
      if (outcome === 'refused') refusals += 1;
      if (outcome === 'unfit') isAlone = true;
      if (isAlone && performance.now() > patience)
        this.#refuse(new CloseError(CloseCode.NORMAL, 'Another chat client answers now; connect again'));
    }
  }

  /**
   * Repeats handshake, authentication, subscriptions and presence. Never rejects. `unproved`: continue even if the
   * token is not accepted.
   */
  async #restore(unproved: boolean): Promise<'done' | 'failed' | 'refused' | 'turned away' | 'unfit'> {
    let greeted: Greeted;
    try {
      greeted = await this.#greet();
    } catch (error) {
      if (!(error instanceof CloseError)) return 'failed';
      if (FINAL.includes(error.code)) this.#refuse(error);
      // The code of an unknown application is not final: the client looks applications up on the network, so a known
      // application may be unknown for a while.
      return error.code >= CloseCode.INVALID_CLIENT_ID ? 'turned away' : 'failed';
    }
    const { link, ready } = greeted;
    if (this.#state.kind !== 'away' || link.ended) {
      link.destroy();
      return 'failed';
    }
    this.#state = { kind: 'restoring', link };
    const isOther = this.#options.route?.isOther() === true;
    if (userOf(ready) !== this.#user && !isOther) {
      this.#refuse(new CloseError(CloseCode.NORMAL, 'User logout'));
      return 'failed';
    }
    const proof = await this.#prove(link, isOther ? () => {} : undefined);
    // The link was lost, the token was revoked, or the app has left.
    if (!this.#holds(link)) return 'failed';
    if (isOther && proof !== 'taken') {
      this.#state = { kind: 'away' };
      link.destroy();
      this.#options.route?.unfit();
      return 'unfit';
    }
    if (proof === 'refused' && !unproved) {
      this.#state = { kind: 'away' };
      link.destroy();
      return 'refused';
    }
    // The answers are not awaited, because they may never arrive, and a refusal now (for a channel that was removed)
    // belongs to no request of the app. All requests are sent in the same turn, so that a subscription that the app
    // ends meanwhile is not restored.
    this.#state = { kind: 'ready', link };
    this.#user = userOf(ready);
    this.#options.route?.taken(ready);
    this.#repeatState(link, proof !== 'silence');
    this.#options.route?.restored();
    return 'done';
  }

  #repeatState(link: WireLink, subscriptions = true): void {
    if (subscriptions) this.#repeat(link, this.#memory.subscriptions);
    const { presence } = this.#memory;
    if (presence === undefined) return;
    if (this.#mayShow) this.#repeat(link, [presence]);
    else this.#memory.forgetPresence();
  }

  /** Another client than before may be one that the user has left out. */
  get #mayShow(): boolean {
    return this.#options.route?.mayShow() !== false;
  }

  /**
   * Repeats AUTHENTICATE and waits for its answer, with a timeout. `invalid` is called for a token that is not valid,
   * which by default ends the session.
   */
  async #prove(
    link: WireLink,
    invalid: () => void = () => this.#refuse(new CloseError(CloseCode.TOKEN_REVOKED, 'Token revoked')),
  ): Promise<Proof> {
    const { authentication } = this.#memory;
    if (authentication === undefined) return 'taken';
    const answer = this.#send(link, authentication).then(
      (): Proof => 'taken',
      (error: unknown): Proof => {
        if (error instanceof RpcError && error.code === ErrorCode.INVALID_TOKEN) invalid();
        return 'refused';
      },
    );
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<Proof>((resolve) => {
      timer = setTimeout(() => resolve('silence'), this.#options.restoreMs ?? RESTORE_MS);
    });
    const proof = await Promise.race([answer, silence]);
    clearTimeout(timer);
    // If the token is accepted late, the requests that need it are repeated then.
    if (proof === 'silence')
      void answer.then((late) => late === 'taken' && this.#repeat(link, this.#memory.subscriptions));
    return proof;
  }

  #repeat(link: WireLink, requests: readonly RelayedRequest[]): void {
    for (const request of requests) this.#send(link, request).catch(() => {});
  }

  /** Whether this link is in use. */
  #holds(link: WireLink): boolean {
    return 'link' in this.#state && this.#state.link === link;
  }

  #refuse(error: CloseError): void {
    const state = this.#state;
    if (state.kind === 'closed') return;
    this.#state = { kind: 'closed' };
    this.#closed.abort();
    this.#attempts.ended();
    for (const link of this.#retired.keys()) this.#leave(link);
    if (state.kind === 'ready' || state.kind === 'restoring') state.link.leave();
    this.#options.refused(error);
  }

  /** Rejects the requests in flight, by default those of every link. */
  #failPending(link?: WireLink): void {
    for (const [nonce, pending] of this.#pending) {
      if (link !== undefined && pending.link !== link) continue;
      this.#pending.delete(nonce);
      pending.reject(away());
    }
  }
}

function farewell(link: WireLink): void {
  link.send(Opcode.CLOSE, { code: CloseCode.NORMAL, message: 'The app has left' });
  link.leave();
}
