import type { IncomingMessage } from 'node:http';
import { isOurHost } from '../loopback/host.ts';
import { CloseCode, Opcode } from '../wire/codes.ts';
import { encodeFrame, type Frame } from '../wire/frame.ts';
import { originText, type RefusedPage } from './refused-page.ts';

/** Decides whether pages of an origin may act for an app. An undefined client id stands for any app. */
export type OriginPolicy = (clientId: string | undefined, origin: string) => boolean;

/** Request fields that the gate checks before a byte is answered. */
export type GateRequest = Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders'>;

/** Configuration that the gate compares a request with. */
export interface Gate {
  /** The port we listen on, which a Host header must name. */
  readonly port: number;
  readonly originAllowed: OriginPolicy;
}

/**
 * Verdict for a request that may become a session; the caller also checks that the peer belongs to this machine's user.
 */
export interface Admission {
  readonly kind: 'open';
  readonly origin: string;
  /** Client id in the query; undefined when the query has no valid one. */
  readonly clientId: string | undefined;
  /** `{v, client_id}` of the query as a HANDSHAKE frame, which the session validates. */
  readonly handshake: Frame;
}

/** Decision about a request for a WebSocket. */
export type UpgradeVerdict =
  | Admission
  /** The request is no WebSocket request for this endpoint, and gets the constant 404. */
  | { readonly kind: 'not-found' }
  /** The Host header names another host, as in DNS rebinding to this machine. */
  | { readonly kind: 'wrong-host'; readonly page: RefusedPage }
  /** Upgraded only to be closed with the documented code. */
  | {
      readonly kind: 'closed';
      readonly key: string;
      readonly code: CloseCode;
      readonly message: string;
      readonly page: RefusedPage;
    };

/** Decision about a request for `/rpc`. */
export type RpcVerdict =
  | Admission
  /** The request is no request for `/rpc`, and gets the constant 404. */
  | { readonly kind: 'not-found' }
  /** The request comes from a page that is not allowed, or names another Host; it gets the same constant 404. */
  | { readonly kind: 'refused'; readonly page: RefusedPage };

/**
 * Validates an upgrade in this order: shape, Host, Origin, encoding. A refused Origin gets the same 4001 for any query,
 * so that a page learns nothing about apps, users or permissions.
 */
export function checkUpgrade(request: GateRequest, gate: Gate): UpgradeVerdict {
  const { path, query } = target(request);
  const key = webSocketKey(request);
  if (path !== '/' || key === undefined) return { kind: 'not-found' };
  const origin = only(request, 'origin');
  const clientId = clientIdOf(query);
  const refused = (why: RefusedPage['why']): RefusedPage => refusedPage('websocket', why, origin, clientId);
  if (!isOurHost(only(request, 'host'), gate.port)) return { kind: 'wrong-host', page: refused('host') };
  if (origin === undefined || !gate.originAllowed(clientId, origin)) {
    const message = 'Invalid Origin';
    return { kind: 'closed', key, code: CloseCode.INVALID_ORIGIN, message, page: refused('origin') };
  }
  if ((query.get('encoding') ?? 'json') !== 'json') {
    const message = 'Invalid Encoding: only json is served';
    return { kind: 'closed', key, code: CloseCode.INVALID_ENCODING, message, page: refused('encoding') };
  }
  return { kind: 'open', origin, clientId, handshake: handshakeOf(query) };
}

/** Validates `POST /rpc`, or the preflight before it, in this order: shape, Host, Origin. */
export function checkRpc(request: GateRequest, gate: Gate): RpcVerdict {
  const { path, query } = target(request);
  if (path !== '/rpc' || (request.method !== 'POST' && request.method !== 'OPTIONS')) {
    return { kind: 'not-found' };
  }
  const origin = only(request, 'origin');
  const clientId = clientIdOf(query);
  const isOurs = isOurHost(only(request, 'host'), gate.port);
  if (!isOurs || origin === undefined || !gate.originAllowed(clientId, origin)) {
    return { kind: 'refused', page: refusedPage('http', isOurs ? 'origin' : 'host', origin, clientId) };
  }
  return { kind: 'open', origin, clientId, handshake: handshakeOf(query) };
}

function refusedPage(
  over: RefusedPage['over'],
  why: RefusedPage['why'],
  origin: string | undefined,
  clientId: string | undefined,
): RefusedPage {
  return { over, why, origin: origin === undefined ? undefined : originText(origin), clientId };
}

/** Returns the value of a header that was sent exactly once; else undefined. */
function only({ rawHeaders }: GateRequest, name: string): string | undefined {
  const values = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name);
  return values.length === 1 ? values[0] : undefined;
}

/**
 * Returns the key of a complete WebSocket handshake of version 13 (RFC 6455 4.2.1); undefined for any other request.
 */
function webSocketKey(request: GateRequest): string | undefined {
  const key = only(request, 'sec-websocket-key');
  const complete =
    request.method === 'GET' &&
    only(request, 'upgrade')?.toLowerCase() === 'websocket' &&
    only(request, 'sec-websocket-version') === '13' &&
    key !== undefined &&
    /^[+/\dA-Za-z]{22}==$/.test(key);
  return complete ? key : undefined;
}

function target({ url = '' }: GateRequest): { path: string; query: URLSearchParams } {
  const mark = url.indexOf('?');
  if (mark === -1) return { path: url, query: new URLSearchParams() };
  return { path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)) };
}

/**
 * Returns the client id in the query; undefined when the query has no valid id. The session then reports the error, and
 * only to an allowed origin.
 */
function clientIdOf(query: URLSearchParams): string | undefined {
  const value = query.get('client_id') ?? '';
  return /^[1-9]\d{0,19}$/.test(value) ? value : undefined;
}

function handshakeOf(query: URLSearchParams): Frame {
  // A missing `v` is accepted and an empty `v` is not, as in a handshake over IPC: real servers do the same.
  const body = { v: query.get('v') ?? undefined, client_id: query.get('client_id') };
  return encodeFrame(Opcode.HANDSHAKE, JSON.stringify(body));
}
