import {
  Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { systemCode } from '../../base/local-error.ts';
import { parseUrl } from '../../base/url.ts';
import type { FrameTarget } from './directory.ts';
import { frameHeader } from './page.ts';

/** Time limit for a target to begin its answer (ms). */
const ANSWER_MS = 60_000;
/** Maximum number of concurrent connections to targets, and of concurrent WebSockets through the proxy. */
const MAX_REQUESTS = 64;

/** Headers that concern a single connection and are not forwarded (RFC 9110 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

type Headers = readonly (readonly [name: string, value: string])[];

const UPGRADE: Headers = [
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
];

/**
 * Forwards requests of an activity's frame to its targets, with the app's own cookies and headers. The bridge adds
 * nothing of its own to them.
 */
export class FrameProxy {
  readonly #agent = new Agent({
    keepAlive: true,
    maxSockets: MAX_REQUESTS,
    maxFreeSockets: 8,
    timeout: ANSWER_MS,
  });
  /** Both ends of each WebSocket. */
  readonly #upgraded = new Set<Socket>();

  /** `host` is that of the frame. */
  serve(request: IncomingMessage, response: ServerResponse, target: FrameTarget, host: string): void {
    const upstreamRequest = this.#request(request, target, requestHeaders(request, target));
    upstreamRequest.on('response', (answer) => {
      const status = statusOf(answer);
      if (status === undefined) return void upstreamRequest.destroy(noHttp());
      // The target's reason phrase is dropped: it may contain characters that Node does not write, and no browser
      // displays it.
      response.writeHead(status, answerHeaders(answer.rawHeaders, target, host).flat());
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    // No upgrade was requested.
    upstreamRequest.on('upgrade', (_answer, other) => {
      other.destroy();
      badGateway(response, target, noHttp());
    });
    upstreamRequest.on('error', (error) => badGateway(response, target, error));
    response.on('close', () => upstreamRequest.destroy());
    request.pipe(upstreamRequest);
  }

  /** Forwards a WebSocket; calls `admit` when the upgrade has succeeded. */
  upgrade(
    request: IncomingMessage,
    socket: Socket,
    head: Buffer,
    target: FrameTarget,
    admit: () => void,
  ): void {
    if (this.#upgraded.size >= 2 * MAX_REQUESTS) return void socket.destroy();
    const upstreamRequest = this.#request(request, target, [...requestHeaders(request, target), ...UPGRADE]);
    upstreamRequest.on('upgrade', (answer, other, first) => {
      admit();
      const peer = other as Socket;
      const lines = [...forwardedHeaders(answer.rawHeaders), ...UPGRADE].map(
        ([name, value]) => `${name}: ${value}\r\n`,
      );
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`, 'latin1');
      if (first.byteLength > 0) socket.write(first);
      if (head.byteLength > 0) peer.write(head);
      this.#join(socket, peer);
      this.#join(peer, socket);
      socket.pipe(peer).pipe(socket);
    });
    upstreamRequest.on('response', (answer) => {
      answer.resume();
      socket.end(bare(statusOf(answer) ?? 502));
    });
    upstreamRequest.on('error', () => socket.end(bare(502)));
    socket.on('close', () => upstreamRequest.destroy());
    upstreamRequest.end();
  }

  close(): void {
    this.#agent.destroy();
    for (const socket of this.#upgraded) socket.destroy();
  }

  #request({ method }: IncomingMessage, target: FrameTarget, headers: Headers): ClientRequest {
    const { host, port, path } = target;
    const upstreamRequest = httpRequest({
      agent: this.#agent,
      host,
      port,
      path,
      method: method ?? 'GET',
      setHost: false,
      headers: headers.flat(),
      timeout: ANSWER_MS,
    });
    upstreamRequest.on('timeout', () =>
      upstreamRequest.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })),
    );
    return upstreamRequest;
  }

  #join(socket: Duplex, other: Duplex): void {
    this.#upgraded.add(socket as Socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      this.#upgraded.delete(socket as Socket);
      other.destroy();
    });
  }
}

/** Returns the status of an answer; undefined for a number that Node's parser accepts but Node does not write. */
function statusOf({ statusCode = 0 }: IncomingMessage): number | undefined {
  return statusCode >= 200 && statusCode <= 999 ? statusCode : undefined;
}

/** Returns an error for an answer that cannot be read, with the code of Node's parser. */
function noHttp(): Error {
  return Object.assign(new Error(), { code: 'HPE_INVALID_STATUS' });
}

/** Returns the headers that may be forwarded to another connection. */
function forwardedHeaders(raw: readonly string[]): Headers {
  const headers: (readonly [string, string])[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) headers.push([raw[i] ?? '', raw[i + 1] ?? '']);
  const named = headers
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((name) => name.trim());
  return headers.filter(([name]) => {
    const lower = name.toLowerCase();
    // `content-length` is kept even if `Connection` names it: without it, the body would be read as the connection's
    // next request.
    return !HOP_BY_HOP.has(lower) && (lower === 'content-length' || !named.includes(lower));
  });
}

function requestHeaders({ rawHeaders, headers }: IncomingMessage, { authority }: FrameTarget): Headers {
  return [
    ...forwardedHeaders(rawHeaders).filter(([name]) => !['host', 'expect'].includes(name.toLowerCase())),
    ['Host', authority],
    // A body of unknown length is forwarded in chunks.
    ...(headers['transfer-encoding'] === undefined ? [] : ([['Transfer-Encoding', 'chunked']] as const)),
  ];
}

function answerHeaders(raw: readonly string[], target: FrameTarget, host: string): Headers {
  return [
    ...forwardedHeaders(raw).map(([name, value]): readonly [string, string] =>
      name.toLowerCase() === 'location' ? [name, inFrame(value, target, host)] : [name, value],
    ),
    ['Content-Security-Policy', frameHeader(host)],
  ];
}

/**
 * Maps a redirect target to a path of the frame. A redirect to another host stays unchanged, and the page does not
 * display its target.
 */
function inFrame(location: string, { authority, base, prefix, path }: FrameTarget, host: string): string {
  const url = parseUrl(location, `http://${authority}${path}`);
  if (url === undefined || url.protocol !== 'http:' || url.host !== authority) return location;
  const rest = url.pathname;
  if (rest !== base && !rest.startsWith(`${base}/`)) return location;
  return `http://${host}${prefix}${rest.slice(base.length) || '/'}${url.search}${url.hash}`;
}

function bare(status: number): string {
  return `HTTP/1.1 ${status} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
}

function badGateway(response: ServerResponse, { authority, prefix }: FrameTarget, error: Error): void {
  if (response.headersSent) return void response.destroy();
  const what = systemCode(error) ?? 'no answer';
  const from = prefix === '' ? '/' : prefix;
  response.writeHead(502, { 'Content-Type': 'text/plain; charset=utf-8' });
  const why = what.startsWith('HPE_')
    ? `whose answer is no HTTP: ${what}. Is it another kind of server, or one that wants HTTPS?`
    : `which cannot be reached: ${what}. Is it running?`;
  response.end(`The URL mapping of ${from} leads to ${authority}, ${why}\n`);
}
