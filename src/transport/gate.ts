import type { IncomingMessage } from 'node:http';
import { isOurHost } from '../loopback/host.ts';
import { CloseCode, Opcode } from '../wire/codes.ts';
import { encodeFrame, type Frame } from '../wire/frame.ts';
import { originText, type RefusedPage } from './refused-page.ts';

/** Whether pages of an origin may act for an app. An undefined client id stands for any app. */
export type OriginPolicy = (clientId: string | undefined, origin: string) => boolean;

/** Request fields that the gate checks before a byte is answered. */
export type GateRequest = Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders'>;

/** Configuration that the gate compares a request with. */
export interface Gate {
  /** The port we listen on, which a Host header must name. */
  readonly port: number;
  readonly originAllowed: OriginPolicy;
}

/** An app that may speak to us, if it is also a process of our own user. */
export interface Admission {
  readonly kind: 'open';
  readonly origin: string;
  /** Undefined when the query names no id. */
  readonly clientId: string | undefined;
  /** `{v, client_id}` of the query as a HANDSHAKE frame; the session validates it. */
  readonly handshake: Frame;
}

/** Decision about a request for a WebSocket. */
export type UpgradeVerdict =
  | Admission
  /** Not a WebSocket request for us: the constant answer. */
  | { readonly kind: 'not-found' }
  /** The Host header names another host: DNS rebinding to this machine. */
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
  /** No such request: the constant answer. */
  | { readonly kind: 'not-found' }
  /** From a page that is not allowed, or to another Host: the same answer. */
  | { readonly kind: 'refused'; readonly page: RefusedPage };

/**
 * Validates an upgrade: shape, Host, Origin, encoding, in this order. A refused Origin gets the same 4001 for any
 * query, so that a page learns nothing of apps, users or permissions.
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

/** Validates `POST /rpc`, or the preflight that precedes it: shape, Host, Origin, in this order. */
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

/** The value of a header that was sent exactly once. */
function only({ rawHeaders }: GateRequest, name: string): string | undefined {
  const values = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === name);
  return values.length === 1 ? values[0] : undefined;
}

/** RFC 6455 4.2.1, version 13: the key if the request has every member of a WebSocket handshake. */
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

/** Undefined when the query has no id; the session then reports the error, to a known origin only. */
function clientIdOf(query: URLSearchParams): string | undefined {
  const value = query.get('client_id') ?? '';
  return /^[1-9]\d{0,19}$/.test(value) ? value : undefined;
}

function handshakeOf(query: URLSearchParams): Frame {
  // As in a handshake over IPC, a `v` that is not there is accepted and an empty one is not: real servers do the same.
  const body = { v: query.get('v') ?? undefined, client_id: query.get('client_id') };
  return encodeFrame(Opcode.HANDSHAKE, JSON.stringify(body));
}
