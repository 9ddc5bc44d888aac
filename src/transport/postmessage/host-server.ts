import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { MAX_BACKLOG } from '../../../platform/endpoint/backlog.ts';
import { BoundedHttpServer } from '../../loopback/bounded-http-server.ts';
import { limitConnections, withoutNodesTimes } from '../../loopback/connection-limit.ts';
import { LOOPBACK } from '../../loopback/host.ts';
import type { OwnerCheck } from '../../loopback/owner.ts';
import { refuse } from '../../loopback/raw-answer.ts';
import { originText, type RefusedPage, refusalText } from '../refused-page.ts';
import { loadUpgrader } from '../websocket/upgrader.ts';
import type { ActivityDirectory } from './directory.ts';
import type { FrameConnection } from './frame-connection.ts';
import { FrameProxy } from './frame-proxy.ts';
import { HostPage } from './host-page.ts';
import { OURS, PAGE_FILES, pageHeaders } from './page.ts';

/**
 * Maximum number of concurrent connections that are not host pages. A browser opens six of them for each of its pages.
 */
const MAX_CONNECTIONS = 128;
/** Host pages at a time. */
const MAX_PAGES = 64;
/** Time limit for a peer to send its request (ms). */
const RECEIVE_MS = 10_000;

/** Dependencies of the server that serves host pages. */
export interface HostServerOptions {
  readonly directory: ActivityDirectory;
  readonly refusedOwner: OwnerCheck;
  readonly handshakeFrameBytes: number;
  readonly frameBytes: number;
  readonly unreadBytes: number;
  /** Called when a peer is refused; `page` is present when the peer is a web page. */
  onRefused(reason: string, page?: RefusedPage): void;
  onConnection(connection: FrameConnection): void;
}

/** A server of host pages, on a free port of 127.0.0.1. */
export interface HostServer {
  readonly port: number;
  /** Accepts no new pages; open pages stay open. */
  stopAccepting(): void;
  close(): void;
}

/**
 * Serves the host pages of activities. As on the platform, each application has a host of its own, `<id>.localhost`:
 * paths below {@link OURS} belong to the host page, and every other path is mapped by the application's URL mappings.
 */
export async function startHostServer(options: HostServerOptions): Promise<HostServer> {
  const { directory } = options;
  const proxy = new FrameProxy();
  const pages = new Set<HostPage>();
  let upgrader: ReturnType<typeof loadUpgrader> | undefined;
  const port = () => (server.address() as AddressInfo | null)?.port ?? 0;

  const refusePage = (page: RefusedPage): void => options.onRefused(refusalText(page), page);

  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const frame = frameOf(request, port());
    if (frame === undefined || !directory.isActivity(frame.application)) {
      return text(response, 404, 'There is no activity on this host.');
    }
    const { url = '/' } = request;
    if (url.startsWith(OURS)) return servePage(request, response, frame.host);
    if (isFromElsewhere(request)) return text(response, 403, 'This is for the page of the activity itself.');
    // A service worker of the app is refused, because it would also control the host page, which has the same origin.
    if (request.headers['service-worker'] === 'script') {
      return text(response, 403, 'Service workers are not offered in an activity.');
    }
    const target = directory.proxied(frame.application, url);
    if (target === undefined) {
      return text(response, 404, 'No URL mapping of the application leads anywhere from this path.');
    }
    proxy.serve(request, response, target, frame.host);
  };

  const onUpgrade = async (request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> => {
    const frame = frameOf(request, port());
    if (frame === undefined || !directory.isActivity(frame.application)) return refuse(socket, 404);
    const { origin } = request.headers;
    if (origin !== `http://${frame.host}`) {
      const sent = origin === undefined ? undefined : originText(origin);
      refusePage({ over: 'postmessage', why: 'origin', origin: sent, clientId: frame.application });
      return refuse(socket, 403);
    }
    const { url = '/' } = request;
    if (url.startsWith(OURS)) return openPage(request, socket, head, frame);
    const target = directory.proxied(frame.application, url);
    if (target === undefined) return refuse(socket, 404);
    proxy.upgrade(request, socket, head, target, () => limit.release(socket));
  };

  const openPage = async (
    request: IncomingMessage,
    socket: Socket,
    head: Buffer,
    { application, host }: ActivityHost,
  ): Promise<void> => {
    const [path, query] = (request.url ?? '').split('?');
    const key = new URLSearchParams(query).get('key');
    if (path !== `${OURS}rpc` || key === null || key.length > 64) return refuse(socket, 404);
    // The limit includes `[1,` and `]` around the largest frame.
    upgrader ??= loadUpgrader(options.frameBytes + 4);
    const webSockets = await upgrader;
    if (socket.destroyed || pages.size >= MAX_PAGES) return void socket.destroy();
    const channel = directory.enter(application, key);
    if (channel === undefined) return refuse(socket, 403);
    socket.once('close', () => channel.leave());
    limit.release(socket);
    webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      const page = new HostPage(webSocket, {
        ...options,
        channel,
        application,
        onWrongFrame: (clientId) =>
          refusePage({ over: 'postmessage', why: 'frame', origin: `http://${host}`, clientId }),
      });
      pages.add(page);
      webSocket.on('close', () => pages.delete(page));
    });
  };

  const http = createServer(
    { ...withoutNodesTimes, maxHeaderSize: 16_384, keepAliveTimeout: 5_000, requireHostHeader: false },
    onRequest,
  );
  http.on('upgrade', (request, duplex, head) => {
    const socket = duplex as Socket;
    // Node has removed its own listeners from the socket; without this listener a reset would end the process.
    socket.on('error', () => {});
    onUpgrade(request, socket, head).catch(() => socket.destroy());
  });
  http.on('clientError', (_error, duplex) => {
    duplex.on('error', () => {});
    refuse(duplex as Socket, 400);
  });
  http.on('connect', (_request, duplex) => void duplex.destroy());
  const limit = limitConnections(http, { slots: MAX_CONNECTIONS, receiveMs: RECEIVE_MS });
  const { refusedOwner } = options;
  const onRefused = (reason: string): void => options.onRefused(reason);
  const rule = { refusedOwner, refusal: 404, unidentified: MAX_CONNECTIONS, onRefused } as const;
  const server = new BoundedHttpServer(() => http, rule);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: 0, host: LOOPBACK, backlog: MAX_BACKLOG }, () => {
      server.off('error', reject);
      // After the start, errors affect only single connections.
      server.on('error', () => {});
      resolve();
    });
  });
  // The server alone must not keep the process alive.
  server.unref();
  return {
    port: port(),
    stopAccepting: () => void server.close(),
    close() {
      server.close();
      for (const page of pages) page.end('The bridge is shutting down.');
      proxy.close();
      limit.destroyAll();
    },
  };
}

/** Host of one application's activity. */
interface ActivityHost {
  readonly application: string;
  readonly host: string;
}

/** Returns the application of the host in the Host header; undefined when the header names none of our hosts. */
function frameOf({ headers: { host } }: IncomingMessage, port: number): ActivityHost | undefined {
  const [, application] = /^([1-9]\d{0,18})\.localhost:\d{1,5}$/.exec(host ?? '') ?? [];
  if (host === undefined || application === undefined || !host.endsWith(`:${port}`)) return undefined;
  return { application, host };
}

/**
 * Whether the browser reports that a page of another origin sent the request. Such a page may navigate to the activity,
 * as at the end of a log-in, but must not frame it.
 */
function isFromElsewhere({ headers }: IncomingMessage): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest } = headers;
  if (site === undefined || site === 'same-origin' || site === 'none') return false;
  return mode !== 'navigate' || dest !== 'document';
}

function servePage(request: IncomingMessage, response: ServerResponse, host: string): void {
  const { method, url = '', headers } = request;
  const name = url.slice(OURS.length).split('?')[0] ?? '';
  const file = PAGE_FILES.get(name);
  if (file === undefined || method !== 'GET') return text(response, 404, 'There is nothing here.');
  // The host page must be the top-level document of a window, and its other files must be requested by that page.
  const { 'sec-fetch-dest': dest = 'document', 'sec-fetch-site': site } = headers;
  const isWanted = name === 'activity' ? dest === 'document' : site === undefined || site === 'same-origin';
  if (!isWanted) return text(response, 403, 'This page is shown in a window of its own.');
  response.writeHead(200, { ...pageHeaders(host), 'Content-Type': file.type }).end(file.text);
}

function text(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(`${body}\n`);
}
