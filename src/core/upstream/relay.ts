import type { Duplex } from 'node:stream';
import { RpcError } from '../../protocol/errors.ts';
import { PROTOCOL_VERSION } from '../../protocol/handshake.ts';
import { isObject } from '../../protocol/json.ts';
import { CloseError } from '../../wire/close-error.ts';
import { CloseCode, ErrorCode, Opcode } from '../../wire/codes.ts';
import type { Ready, RelayedRequest } from '../core.ts';
import { type Repeated, SessionMemory } from './memory.ts';
import { WireLink } from './wire-link.ts';

/** How a relay reaches its upstream, and whom it tells. */
export interface RelayOptions {
  readonly clientId: string;
  /** Connects to the upstream; rejects while there is none. */
  connect(): Promise<Duplex>;
  /** An event for the app. */
  event(evt: string, data: unknown): void;
  /** AUTHENTICATE has succeeded. */
  authenticated(scopes: readonly string[]): void;
  /** The upstream ended this app's session for good. */
  refused(error: CloseError): void;
}

const CONNECT_MS = 5000;
/** First retry and largest gap between retries (ms). */
const RETRY_MS = { first: 100, most: 1000 };
/** Unread bytes after which an upstream counts as hung. */
const MAX_WAITING_BYTES = 1024 * 1024;

interface Pending {
  resolve(data: unknown): void;
  reject(error: Error): void;
}

type Link =
  | { readonly kind: 'away'; retry: NodeJS.Timeout | undefined }
  | { readonly kind: 'restoring' | 'ready'; readonly wire: WireLink }
  | { readonly kind: 'closed' };

/** One app's own connection to the upstream, with the app's own client id; rebuilt when the upstream restarts. */
export class Relay {
  readonly #options: RelayOptions;
  readonly #memory = new SessionMemory();
  readonly #pending = new Map<string, Pending>();
  #link: Link = { kind: 'away', retry: undefined };
  #user: string | undefined;
  #nonce = 0;

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  /** Shakes hands for the first time. Throws CloseError as the upstream says it. */
  async open(): Promise<Ready> {
    const ready = await this.#handshake();
    this.#link = { kind: 'ready', wire: ready.wire };
    this.#user = userOf(ready.data);
    return ready.data;
  }

  /** Relays one request; the answer is the upstream's, an ERROR included. Fails at once while it is away. */
  async request({ cmd, args, evt }: RelayedRequest): Promise<unknown> {
    if (this.#link.kind !== 'ready') throw away();
    const data = await this.#send(this.#link.wire, { cmd, args, evt });
    this.#memory.note({ cmd, args, evt });
    if (cmd === 'AUTHENTICATE') this.#options.authenticated(scopesOf(data));
    return data;
  }

  close(): void {
    const link = this.#link;
    this.#link = { kind: 'closed' };
    if (link.kind === 'away') clearTimeout(link.retry);
    if (link.kind === 'ready' || link.kind === 'restoring') {
      link.wire.send(Opcode.CLOSE, { code: CloseCode.NORMAL, message: 'The app has left' });
      link.wire.destroy();
    }
    this.#failPending();
  }

  async #handshake(): Promise<{ wire: WireLink; data: Ready }> {
    const stream = await this.#options.connect();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        wire.destroy();
      }, CONNECT_MS);
      const wire: WireLink = new WireLink(stream, {
        payload: (payload) => {
          if (payload.evt === 'READY' && isObject(payload.data)) {
            clearTimeout(timer);
            resolve({ wire, data: payload.data as unknown as Ready });
          } else {
            this.#receive(payload);
          }
        },
        ended: (reason) => {
          clearTimeout(timer);
          reject(
            new CloseError(
              closeCode(reason?.code),
              reason?.message || 'The chat client did not answer the handshake',
            ),
          );
          this.#lost(wire, reason);
        },
      });
      wire.send(Opcode.HANDSHAKE, { v: PROTOCOL_VERSION, client_id: this.#options.clientId });
    });
  }

  async #send(wire: WireLink, request: Repeated): Promise<unknown> {
    if (wire.waitingBytes > MAX_WAITING_BYTES) throw away();
    this.#nonce += 1;
    const nonce = `footbridge-${this.#nonce}`;
    return new Promise((resolve, reject) => {
      this.#pending.set(nonce, { resolve, reject });
      const { cmd, args, evt } = request;
      wire.send(Opcode.FRAME, { cmd, args, nonce, ...(evt === undefined ? {} : { evt }) });
    });
  }

  #receive(payload: { readonly [key: string]: unknown }): void {
    const { nonce, evt, data } = payload;
    if (typeof nonce !== 'string') {
      if (typeof evt === 'string') this.#options.event(evt, data ?? null);
      return;
    }
    const pending = this.#pending.get(nonce);
    this.#pending.delete(nonce);
    if (evt === 'ERROR') pending?.reject(upstreamError(data));
    else pending?.resolve(data ?? null);
  }

  #lost(wire: WireLink, reason: { readonly code: number; readonly message: string } | undefined): void {
    if (this.#link.kind === 'closed' || this.#link.kind === 'away' || this.#link.wire !== wire) return;
    this.#link = { kind: 'away', retry: undefined };
    this.#failPending();
    // 4000-4005 are verdicts about this app or its token: coming back would not change them.
    if (reason && reason.code >= CloseCode.INVALID_CLIENT_ID) {
      this.#options.refused(new CloseError(closeCode(reason.code), reason.message));
      return;
    }
    this.#retry(RETRY_MS.first);
  }

  #retry(gap: number): void {
    if (this.#link.kind !== 'away') return;
    const jittered = gap * (0.75 + Math.random() / 2);
    this.#link.retry = setTimeout(() => void this.#restore(Math.min(gap * 2, RETRY_MS.most)), jittered);
    this.#link.retry.unref();
  }

  /** Handshake, authentication, subscriptions, presence: what the app had before the upstream went away. */
  async #restore(nextGap: number): Promise<void> {
    if (this.#link.kind === 'away') this.#link.retry = undefined;
    try {
      const { wire, data } = await this.#handshake();
      if (this.#link.kind !== 'away') return wire.destroy();
      this.#link = { kind: 'restoring', wire };
      if (userOf(data) !== this.#user) {
        this.#options.refused(new CloseError(CloseCode.NORMAL, 'User logout'));
        return;
      }
      const { authentication } = this.#memory;
      if (authentication) await this.#send(wire, authentication);
      await Promise.allSettled(this.#memory.repeats().map((request) => this.#send(wire, request)));
      if (this.#link.kind === 'restoring' && this.#link.wire === wire) this.#link = { kind: 'ready', wire };
    } catch (error) {
      if (this.#link.kind === 'restoring') {
        this.#options.refused(new CloseError(CloseCode.TOKEN_REVOKED, 'Token revoked', { cause: error }));
      } else if (error instanceof CloseError && error.code >= CloseCode.INVALID_CLIENT_ID) {
        this.#options.refused(error);
      } else if (this.#link.kind === 'away' && this.#link.retry === undefined) {
        this.#retry(nextGap);
      }
    }
  }

  #failPending(): void {
    for (const pending of this.#pending.values()) pending.reject(away());
    this.#pending.clear();
  }
}

function away(): RpcError {
  return new RpcError(
    ErrorCode.SERVICE_UNAVAILABLE,
    'The chat client is away; it will be back when it has restarted',
  );
}

function upstreamError(data: unknown): RpcError {
  const { code, message } = isObject(data) ? data : {};
  return new RpcError(
    (typeof code === 'number' ? code : ErrorCode.UNKNOWN_ERROR) as ErrorCode,
    typeof message === 'string' ? message : 'The chat client gave no reason',
  );
}

const known: readonly number[] = Object.values(CloseCode);

function closeCode(code: number | undefined): CloseCode {
  return (code !== undefined && known.includes(code) ? code : CloseCode.ABNORMAL) as CloseCode;
}

function userOf(ready: Ready): string | undefined {
  return isObject(ready.user) && typeof ready.user.id === 'string' ? ready.user.id : undefined;
}

function scopesOf(data: unknown): string[] {
  const scopes = isObject(data) && Array.isArray(data.scopes) ? data.scopes : [];
  return scopes.filter((scope) => typeof scope === 'string');
}
