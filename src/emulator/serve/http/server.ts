import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { LONGEST_BACKLOG } from '../../../../platform/endpoint/backlog.ts';
import {
  type ConnectionLimit,
  limitConnections,
  withoutNodesTimes,
} from '../../../loopback/connection-limit.ts';
import { isOurHost, LOOPBACK } from '../../../loopback/host.ts';
import { HttpDoor } from '../../../loopback/http-door.ts';
import { type OwnerCheck, ownerCheck } from '../../../loopback/owner.ts';
import { type RawStatus, refuse, refuseAsApi } from '../../../loopback/raw-answer.ts';
import type { Taps } from '../../applications/webhooks/post.ts';
import type { HasLog, Log } from '../../kernel/log.ts';
import type { HasGateway } from '../gateway/gateway.ts';
import type { HttpApp } from './app.ts';
import type { Knowing } from './authenticate.ts';
import { FORBIDDEN, mayAsk, type PageRule, preflight, readableBy } from './browser.ts';
import { Exchange, SeenHeaders } from './exchange.ts';
import type { Routes } from './routes.ts';
import { send } from './send.ts';
import { isForGateway, withoutUpgrade } from './upgrade.ts';

/** A token endpoint that listens on loopback. */
export interface TokenEndpoint {
  readonly port: number;
  /** Base address without a trailing slash, such as `http://127.0.0.1:4000/api`. */
  readonly url: string;
  /** What was asked for and is not offered, with how often. */
  missing(): ReadonlyMap<string, number>;
  /** Stops listening and ends what is open. */
  close(): Promise<void>;
}

/** Without other bounds: connections at a time, and how long a peer may take for its request (ms). */
const MOST_CONNECTIONS = 64;
const RECEIVE_MS = 10_000;

/** Requests of one connection that wait for their answers. Node holds a peer back only by what it has not read of those. */
const MOST_WAITING = 256;

/** What Node's parser refuses by itself, before there is a request; all else is 400. */
const BROKEN: Readonly<Record<string, RawStatus>> = {
  HPE_HEADER_OVERFLOW: 431,
};

/** What a page reads that asks for the gateway. */
const NOT_FOR_PAGES =
  'not for web pages but those of “footbridge origins” and rpc_origins; name 127.0.0.1 in Host';

/** Where to serve, and how. */
export interface ListenOptions {
  /** Of 127.0.0.1; 0 takes a free one. */
  readonly port: number;
  /** Bounds the connections of the server, and their times, before the first one; without it 64 have a place until they are the gateway's. */
  bound?(server: Server): ConnectionLimit;
  /** Who may ask; by default our own user and root, as on every port of ours on the loopback. */
  readonly refusedOwner?: OwnerCheck | undefined;
  /** Connections at a time whose owner is still looked up; default 64. */
  readonly unidentified?: number;
  /** Pages that may ask for data, and hear the gateway; by default none. */
  readonly pageRule?: PageRule;
  /** Notifies of a page that was turned away, with its Origin header. */
  onRefusedPage?(over: 'api' | 'gateway', origin: string): void;
}

/**
 * Serves the token endpoint on 127.0.0.1 and nowhere else.
 * @throws the error of `listen`, such as EADDRINUSE.
 */
export async function listenOnLoopback<Platform extends Knowing & HasGateway & HasLog & Taps>(
  options: ListenOptions & {
    readonly platform: Platform;
    /** Called with the first request. */
    readonly routes: () => Promise<Routes<Platform>>;
    readonly log: Log;
  },
): Promise<TokenEndpoint> {
  const { platform, log, pageRule = () => false } = options;
  let loading: Promise<HttpApp<Platform>> | undefined;
  let app: HttpApp<Platform> | undefined;
  // An idle service does not load what only requests need.
  const load = (): Promise<HttpApp<Platform>> =>
    (loading ??= Promise.all([import('./app.ts'), options.routes()]).then(([{ HttpApp }, routes]) => {
      app = new HttpApp(platform, pageRule, routes);
      return app;
    }));
  const seen = new SeenHeaders();
  const bound = { port: options.port, url: '' };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const exchange = platform.journal?.isOn ? new Exchange(platform.journal, request, seen) : undefined;
    const isOurs = isOurHost(request.headers.host, bound.port);
    const readable = isOurs ? readableBy(request.headers, pageRule) : undefined;
    const { host, origin } = request.headers;
    // The forms of our own pages send our origin.
    if (isOurs && origin !== undefined && readable === undefined && origin !== `http://${host}`) {
      options.onRefusedPage?.('api', origin);
    }
    const allowance = readable && preflight(request);
    if (allowance !== undefined)
      return send(response, allowance, platform.clock.now(), { exchange, readable });
    const answer = async () =>
      isOurs ? (app ?? (await load())).answer(request, bound.url, exchange) : FORBIDDEN;
    if (!platform.faults.isEmpty) {
      const { answerWithFaults } = await import('./faulty.ts');
      return answerWithFaults({ platform, request, response, exchange, readable, answer });
    }
    send(response, await answer(), platform.clock.now(), { exchange, readable });
  };
  const waiting = new WeakMap<Socket, number>();
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { socket } = request;
    const count = waiting.get(socket) ?? 0;
    if (count === MOST_WAITING) return void socket.destroy();
    waiting.set(socket, count + 1);
    await handle(request, response).catch(() => response.destroy());
    waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
  };
  const broken = new WeakSet<Socket>();
  const refuseBroken = (socket: Socket, status: RawStatus): void => {
    // Every further piece is reported again.
    if (broken.has(socket)) return;
    broken.add(socket);
    // Node has taken its listeners off; without one of ours a reset would end the process.
    socket.on('error', () => {});
    refuseAsApi(socket, status);
  };
  /** What asks for a protocol that is not spoken here is answered as if it had not asked. */
  let plain: Server | undefined;
  const upgrade = async (request: IncomingMessage, socket: Socket, head: Buffer, limit: ConnectionLimit) => {
    // Node has taken its listeners off; without one of ours a reset would end the process.
    socket.on('error', () => {});
    if (!isForGateway(request)) {
      limit.release(socket);
      socket.unshift(withoutUpgrade(request, head));
      plain ??= limitedServer().http;
      return void plain.emit('connection', socket);
    }
    limit.keep(socket);
    const isOurs = isOurHost(request.headers.host, bound.port);
    if (!isOurs || !mayAsk(request.headers, pageRule)) {
      const { origin } = request.headers;
      if (isOurs && origin !== undefined) options.onRefusedPage?.('gateway', origin);
      return refuse(socket, 403, NOT_FOR_PAGES);
    }
    await platform.gateway.open(request, socket, head, bound.url);
    // From now on it is the gateway's.
    limit.release(socket);
  };
  const makeServer = (): Server => {
    const http = createServer(
      {
        ...withoutNodesTimes,
        maxHeaderSize: 16_384,
        keepAliveTimeout: 5_000,
        // A missing Host is a wrong one, and is answered as that.
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
      limitConnections(http, { places: MOST_CONNECTIONS, receiveMs: RECEIVE_MS, late });
    return { http, limit };
  };
  const server = new HttpDoor(
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
      unidentified: options.unidentified ?? MOST_CONNECTIONS,
      onRefused: (reason) => log.warn(`the token endpoint refused a connection: ${reason}`),
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: options.port, host: LOOPBACK, backlog: LONGEST_BACKLOG }, () => {
      server.off('error', reject);
      server.on('error', (error) => log.warn(`the token endpoint reports: ${error.name}`));
      resolve();
    });
  });
  bound.port = (server.address() as AddressInfo).port;
  bound.url = `http://${LOOPBACK}:${bound.port}/api`;
  return {
    port: bound.port,
    url: bound.url,
    missing: () => app?.missing ?? new Map(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What several endpoints were asked for and do not offer, with how often. */
export function missingOf(endpoints: Iterable<TokenEndpoint>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [what, times] of [...endpoints].flatMap((endpoint) => [...endpoint.missing()])) {
    counts.set(what, (counts.get(what) ?? 0) + times);
  }
  return counts;
}
