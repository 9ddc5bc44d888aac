import type { Duplex } from 'node:stream';
import { ErrorCode } from '../../protocol/error-code.ts';
import { RpcError } from '../../protocol/errors.ts';
import { isObject, type JsonObject } from '../../protocol/json.ts';
import { CloseError } from '../../wire/close-error.ts';
import { CloseCode, Opcode } from '../../wire/codes.ts';
import type { Ready, RelayedRequest } from '../core.ts';
import { closeCodeOf, type Greeted, shakeHands } from './handshake.ts';
import { SessionMemory } from './memory.ts';
import { ReturnAttempts } from './return-attempts.ts';
import type { CloseReason, LinkListener, WireLink } from './wire-link.ts';

/** Connection to the upstream, and the callbacks of a relay. */
export interface RelayOptions {
  readonly clientId: string;
  /** Connects to the upstream; rejects while no upstream is available. */
  connect(signal: AbortSignal): Promise<Duplex>;
  /** Sends an event to the app. */
  event(evt: string, data: unknown): void;
  /** Called when the upstream has sent text that is not valid UTF-8. */
  garbled?(): void;
  /** AUTHENTICATE has succeeded. */
  authenticated(scopes: readonly string[]): void;
  /** Called when the upstream has closed this app's session permanently. */
  refused(error: CloseError): void;
  /** Timeout for a repeated AUTHENTICATE after a restart (ms). */
  readonly restoreMs?: number | undefined;
}

/** Timeout for READY (ms): the reference server delays READY, up to a minute, for an app that connects often. */
const READY_MS = 70_000;
/**
 * Timeout for the answer to a repeated AUTHENTICATE after a restart (ms); after it the rest of the state is restored.
 */
const RESTORE_MS = 5000;
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
  #user: string | undefined;
  #requests = 0;
  #nonces = 0;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#listener = {
      payload: (payload) => this.#receive(payload),
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
    return ready;
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
      if (this.#state.kind !== 'ready') throw away();
      const data = await this.#send(this.#state.link, request, signal);
      this.#memory.note(request, order);
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
    if (state.kind === 'ready' || state.kind === 'restoring') {
      state.link.send(Opcode.CLOSE, { code: CloseCode.NORMAL, message: 'The app has left' });
      state.link.leave();
    }
    this.#failPending();
  }

  async #greet(): Promise<Greeted> {
    const { signal } = this.#closed;
    const { clientId } = this.#options;
    const stream = await this.#options.connect(signal);
    return shakeHands(stream, { clientId, signal, timeoutMs: READY_MS, next: this.#listener });
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
        this.#pending.set(nonce, { resolve, reject });
        signal?.addEventListener('abort', forget);
        link.send(Opcode.FRAME, { cmd, args, nonce, evt });
      });
    } finally {
      signal?.removeEventListener('abort', forget);
    }
  }

  #receive({ nonce, evt, data }: JsonObject): void {
    if (typeof nonce !== 'string') {
      // READY is not passed on, because an app accepts only one READY.
      if (typeof evt !== 'string' || evt === 'READY' || this.#state.kind === 'closed') return;
      return this.#options.event(evt, data ?? null);
    }
    // The nonce of an answer without a request has no entry.
    const pending = this.#pending.get(nonce);
    this.#pending.delete(nonce);
    if (evt === 'ERROR') pending?.reject(upstreamError(data));
    else pending?.resolve(data ?? null);
  }

  #lost(link: WireLink, reason: CloseReason | undefined): void {
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
    }
  }

  /**
   * Repeats handshake, authentication, subscriptions and presence. Never rejects. `unproved`: continue even if the
   * token is not accepted.
   */
  async #restore(unproved: boolean): Promise<'done' | 'failed' | 'refused' | 'turned away'> {
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
    if (userOf(ready) !== this.#user) {
      this.#refuse(new CloseError(CloseCode.NORMAL, 'User logout'));
      return 'failed';
    }
    const proof = await this.#prove(link);
    // The link was lost, the token was revoked, or the app has left.
    if (!this.#holds(link)) return 'failed';
    if (proof === 'refused' && !unproved) {
      this.#state = { kind: 'away' };
      link.destroy();
      return 'refused';
    }
    // The answers are not awaited, because they may never arrive, and a refusal now (for a channel that was removed)
    // belongs to no request of the app. All requests are sent in the same turn, so that a subscription that the app
    // ends meanwhile is not restored.
    this.#state = { kind: 'ready', link };
    if (proof !== 'silence') this.#repeat(link, this.#memory.subscriptions);
    const { presence } = this.#memory;
    if (presence) this.#repeat(link, [presence]);
    return 'done';
  }

  /** Repeats AUTHENTICATE and waits for its answer, with a timeout. */
  async #prove(link: WireLink): Promise<Proof> {
    const { authentication } = this.#memory;
    if (authentication === undefined) return 'taken';
    const answer = this.#send(link, authentication).then(
      (): Proof => 'taken',
      (error: unknown): Proof => {
        if (error instanceof RpcError && error.code === ErrorCode.INVALID_TOKEN)
          this.#refuse(new CloseError(CloseCode.TOKEN_REVOKED, 'Token revoked'));
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
    if (state.kind === 'ready' || state.kind === 'restoring') state.link.leave();
    this.#options.refused(error);
  }

  #failPending(): void {
    for (const pending of this.#pending.values()) pending.reject(away());
    this.#pending.clear();
  }
}

function away(): RpcError {
  return new RpcError(
    ErrorCode.SERVICE_UNAVAILABLE,
    'The chat client is away; try again once it has restarted',
  );
}

function upstreamError(data: unknown): RpcError {
  // The reference server may omit the message, and sometimes all data.
  const { code, message } = isObject(data) ? data : {};
  return new RpcError(
    (typeof code === 'number' ? code : ErrorCode.UNKNOWN_ERROR) as ErrorCode,
    typeof message === 'string' && message !== '' ? message : 'The chat client gave no reason',
  );
}

function userOf(ready: Ready): string | undefined {
  return isObject(ready.user) && typeof ready.user.id === 'string' ? ready.user.id : undefined;
}

function scopesOf(data: unknown): string[] {
  const scopes = isObject(data) && Array.isArray(data.scopes) ? data.scopes : [];
  return scopes.filter((scope) => typeof scope === 'string');
}
