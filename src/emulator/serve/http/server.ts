import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { MAX_BACKLOG } from '../../../../platform/endpoint/backlog.ts';
import { BoundedHttpServer } from '../../../loopback/bounded-http-server.ts';
import {
  type ConnectionLimit,
  limitConnections,
  withoutNodesTimes,
} from '../../../loopback/connection-limit.ts';
import { isOurHost, LOOPBACK } from '../../../loopback/host.ts';
import { type OwnerCheck, ownerCheck } from '../../../loopback/owner.ts';
import { type RawStatus, refuse, refuseAsApi } from '../../../loopback/raw-answer.ts';
import { notFound } from '../../api/api-error.ts';
import type { Log } from '../../kernel/log.ts';
import type { Answered } from './app.ts';
import { FORBIDDEN, mayRequest, type PageRule, preflight, readableBy } from './browser.ts';
import { Exchange, RepeatedHeaders } from './exchange.ts';
import type { Routes } from './routes.ts';
import { send } from './send.ts';
import { type Served, Site } from './site.ts';
import { Sites } from './sites.ts';
import { isForGateway, withoutUpgrade } from './upgrade.ts';

/** A running API server on the loopback interface, or a world behind one. */
export interface TokenEndpoint {
  readonly port: number;
  /** Base URL without a trailing slash, such as `http://127.0.0.1:4000/api`. */
  readonly url: string;
  /** Unsupported requests with their counts. */
  missing(): ReadonlyMap<string, number>;
  /** Number of requests without an answer yet, and of all requests so far. */
  requests(): { readonly open: number; readonly all: number };
  /** Loads the code of the API, which the first request would otherwise wait for. */
  load(): void;
  /** Stops listening and closes all connections; of a world, only the path below which it answers. */
  close(): Promise<void>;
}

/** A running server that others share. */
export interface SharedEndpoint<Platform extends Served> extends TokenEndpoint {
  /** Serves another emulator below `/w/NAME`, and for requests with its tokens. */
  mount(name: string, platform: Platform): TokenEndpoint;
}

/** Default maximum number of connections, and timeout of a request in milliseconds. */
const MAX_CONNECTIONS = 64;
const RECEIVE_MS = 10_000;

/** Maximum number of pending requests per connection. Node's own backpressure covers only unread requests. */
const MAX_PENDING_REQUESTS = 256;

/** Statuses for errors of Node's parser, which occur before a request exists; all other errors get 400. */
const BROKEN: Readonly<Record<string, RawStatus>> = {
  HPE_HEADER_OVERFLOW: 431,
};

const REFUSED: Answered = { reply: FORBIDDEN };

/** Message for a page that connects to the gateway without permission. */
const NOT_FOR_PAGES =
  'not for web pages but those of “footbridge origins” and rpc_origins; name 127.0.0.1 in Host';

/** Options of the server. */
export interface ListenOptions {
  /** Port on 127.0.0.1; 0 selects a free port. */
  readonly port: number;
  /**
   * Limits the connections of the server and their durations; called before the first connection. By default 64
   * connections are allowed, not counting those of the gateway.
   */
  bound?(server: Server): ConnectionLimit;
  /**
   * Checks the owner of a connection. By default, the daemon's own user and root are accepted, as on all its loopback
   * ports.
   */
  readonly refusedOwner?: OwnerCheck | undefined;
  /** Maximum number of connections whose owner is still being determined; default 64. */
  readonly unidentified?: number;
  /** Pages that may request data and use the gateway; by default none. */
  readonly pageRule?: PageRule;
  /** Called for each refused page with the value of its Origin header. */
  onRefusedPage?(over: 'api' | 'gateway', origin: string): void;
}

/**
 * Starts the API server on 127.0.0.1 only.
 * @throws the error of `listen`, such as EADDRINUSE.
 */
export async function listenOnLoopback<Platform extends Served>(
  options: ListenOptions & {
    readonly platform: Platform;
    /** Loads the routes; called with the first request at the latest. */
    readonly routes: () => Promise<Routes<Platform>>;
    readonly log: Log;
  },
): Promise<SharedEndpoint<Platform>> {
  const { log, pageRule = () => false, routes } = options;
  const bound = { port: options.port };
  const siteOf = (platform: Platform, prefix: string): Site<Platform> =>
    new Site(platform, prefix, {
      pageRule,
      routes,
      url: () => `http://${LOOPBACK}:${bound.port}${prefix}/api`,
    });
  const sites = new Sites(siteOf(options.platform, ''));
  const headers = new RepeatedHeaders();
  const handle = async (
    request: IncomingMessage,
    response: ServerResponse,
    site: Site<Platform>,
    lost: string | undefined,
  ): Promise<void> => {
    const { platform } = site;
    const journal = lost === undefined ? platform.journal : undefined;
    const exchange = journal?.isOn ? new Exchange(journal, request, headers) : undefined;
    const isOurs = isOurHost(request.headers.host, bound.port);
    const readable = isOurs ? readableBy(request.headers, pageRule) : undefined;
    const { host, origin } = request.headers;
    // Forms on the emulator's own pages send the API's own origin, which must not be reported.
    if (isOurs && origin !== undefined && readable === undefined && origin !== `http://${host}`) {
      options.onRefusedPage?.('api', origin);
    }
    const now = (): number => platform.clock.now();
    const allowance = readable && preflight(request);
    if (allowance !== undefined) return send(response, allowance, now(), { exchange, readable });
    if (lost !== undefined) {
      const { reply } = isOurs ? notFound(lost) : REFUSED;
      return send(response, reply, now(), { readable });
    }
    const answer = async (): Promise<Answered> => (isOurs ? site.answer(request, exchange) : REFUSED);
    if (!platform.faults.isEmpty) {
      const { answerWithFaults } = await import('./fault-replies.ts');
      const recognize = async (): Promise<void> => {
        if (isOurs) await site.recognize(request, exchange);
      };
      return answerWithFaults({ platform, request, response, exchange, readable, recognize, answer });
    }
    const { reply, limits, sent } = await answer();
    send(response, reply, now(), { exchange, readable, limits });
    sent?.();
  };
  const waiting = new WeakMap<Socket, number>();
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { socket } = request;
    const count = waiting.get(socket) ?? 0;
    if (count === MAX_PENDING_REQUESTS) return void socket.destroy();
    waiting.set(socket, count + 1);
    const found = sites.of(request);
    const [site, lost] = typeof found === 'string' ? [sites.own, found] : [found];
    site.requests.open += 1;
    site.requests.all += 1;
    await handle(request, response, site, lost).catch(() => response.destroy());
    site.requests.open -= 1;
    waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
  };
  const broken = new WeakSet<Socket>();
  const refuseBroken = (socket: Socket, status: RawStatus): void => {
    // Node reports an error for every further chunk, so only the first error is answered.
    if (broken.has(socket)) return;
    broken.add(socket);
    // Node has removed its listeners. Without this listener, a reset would end the process.
    socket.on('error', () => {});
    refuseAsApi(socket, status);
  };
  /** Server for requests to upgrade to an unsupported protocol, which it handles as ordinary requests. */
  let plain: Server | undefined;
  const upgrade = async (request: IncomingMessage, socket: Socket, head: Buffer, limit: ConnectionLimit) => {
    // Node has removed its listeners. Without this listener, a reset would end the process.
    socket.on('error', () => {});
    const { url } = request;
    const site = sites.of(request);
    if (!isForGateway(request)) {
      limit.release(socket);
      request.url = url;
      socket.unshift(withoutUpgrade(request, head));
      plain ??= limitedServer().http;
      return void plain.emit('connection', socket);
    }
    limit.beginAnswer(socket);
    const isOurs = isOurHost(request.headers.host, bound.port);
    if (!isOurs || !mayRequest(request.headers, pageRule)) {
      const { origin } = request.headers;
      if (isOurs && origin !== undefined) options.onRefusedPage?.('gateway', origin);
      return refuse(socket, 403, NOT_FOR_PAGES);
    }
    if (typeof site === 'string') return refuse(socket, 404, site);
    await site.platform.gateway.open(request, socket, head, site.url);
    // From now on, the gateway counts the connection.
    limit.release(socket);
  };
  const makeServer = (): Server => {
    const http = createServer(
      {
        ...withoutNodesTimes,
        maxHeaderSize: 16_384,
        keepAliveTimeout: 5_000,
        // The API itself answers a missing Host header, in the same way as a wrong one.
        requireHostHeader: false,
      },
      (request, response) => void take(request, response),
    );
    http.on('clientError', (error: NodeJS.ErrnoException, duplex) =>
      refuseBroken(duplex as Socket, BROKEN[error.code ?? ''] ?? 400),
    );
    return http;
  };
  const limitedServer = (): { readonly http: Server; readonly limit: ConnectionLimit } => {
    const http = makeServer();
    const late = (socket: Socket): void => refuseBroken(socket, 408);
    const limit =
      options.bound?.(http) ??
      limitConnections(http, { slots: MAX_CONNECTIONS, receiveMs: RECEIVE_MS, late });
    return { http, limit };
  };
  const server = new BoundedHttpServer(
    () => {
      const { http, limit } = limitedServer();
      http.on('upgrade', (request, duplex, head) => {
        const socket = duplex as Socket;
        upgrade(request, socket, head, limit).catch(() => socket.destroy());
      });
      return http;
    },
    {
      refusedOwner: options.refusedOwner ?? ownerCheck(process.getuid?.()),
      refusal: 404,
      unidentified: options.unidentified ?? MAX_CONNECTIONS,
      onRefused: (reason) => log.warn(`the token endpoint refused a connection: ${reason}`),
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: options.port, host: LOOPBACK, backlog: MAX_BACKLOG }, () => {
      server.off('error', reject);
      server.on('error', (error) => log.warn(`the token endpoint reports: ${error.name}`));
      resolve();
    });
  });
  bound.port = (server.address() as AddressInfo).port;
  const endpointOf = (site: Site<Platform>, close: () => Promise<void>): TokenEndpoint => ({
    port: bound.port,
    url: site.url,
    missing: () => site.missing(),
    requests: () => ({ ...site.requests }),
    // The first request meets the same failure, and reports it.
    load: () => void site.load().catch(() => {}),
    close,
  });
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    ...endpointOf(sites.own, stop),
    mount(name, platform) {
      const site = siteOf(platform, `/w/${name}`);
      sites.add(name, site);
      return endpointOf(site, async () => sites.delete(name));
    },
  };
}

/** Unsupported requests of several servers, with their added counts. */
export function missingOf(endpoints: Iterable<TokenEndpoint>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [what, times] of [...endpoints].flatMap((endpoint) => [...endpoint.missing()])) {
    counts.set(what, (counts.get(what) ?? 0) + times);
  }
  return counts;
}
