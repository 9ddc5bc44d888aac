import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { WebSocketServer } from 'ws';
import { systemCode } from '../../platform/local-error.ts';
import { type TcpOwnerLookup, tcpOwnerLookup } from '../../platform/tcp-owner.ts';
import type { Connection } from '../wire/connection.ts';
import { hangUp } from './hang-up.ts';
import { serveRpc } from './http-rpc.ts';
import { type LoopbackListener, listenOnLoopback, type PortRange } from './loopback-listener.ts';
import type { OriginPolicy } from './origins.ts';
import { closeAtOnce, refuse } from './raw-answer.ts';
import type { Transport } from './transport.ts';
import { type Admission, type Gate, judgeUpgrade } from './upgrade-gate.ts';
import { WebSocketConnection } from './websocket-connection.ts';

/** The ports that apps try (protocol 1.3). */
const RPC_PORTS: PortRange = { first: 6463, last: 6472 };

/** How long a peer may take to deliver its request (ms). */
const RECEIVE_MS = 3000;
/** Connections without a request that passed the gate. */
const STRANGERS = 64;
/** Connections with one, at a time: with whole messages on their way in, 16 MiB. */
const CONNECTIONS = 64;
/** Pieces that one message may come in: each costs memory of its own, however small it is. */
const PIECES = 4096;

/** What the WebSocket transport needs to know. */
export interface WebSocketOptions {
  /** Asked for every connection, so the answer may change while we run. */
  readonly originAllowed: OriginPolicy;
  /** Largest message or HTTP body, in bytes. */
  readonly frameBytes: number;
  /** Bytes a peer may leave unread before it is dropped. */
  readonly unreadBytes: number;
  /** Connections at a time whose request passed the gate, and those whose did not yet; default 64 each. */
  readonly connections?: number;
  readonly strangers?: number;
  /** Who we are; undefined on Windows. */
  readonly uid: number | undefined;
  /** Default 6463–6472; {0, 0} takes any free port. */
  readonly ports?: PortRange;
  /** READY says who the user is, against the documentation. Default false. */
  readonly readyUser?: boolean;
  /** For tests: who is at the other end, and how long a request may take (ms). */
  readonly ownerOf?: TcpOwnerLookup;
  readonly receiveMs?: number;
  /** A WebSocket was turned away; the text holds at most 200 characters of what it sent. */
  onRefused?(reason: string): void;
  /** There is no port to be had; nothing is served then. What it throws fails the start. */
  onUnavailable?(reason: string): void;
}

/**
 * WebSocket and `POST /rpc` on the first free port of 127.0.0.1:6463–6472. Whatever else comes gets a constant 404:
 * the most used Node client looks there for one right after AUTHORIZE, and without it ends its process.
 */
export function websocketTransport(options: WebSocketOptions): Transport {
  const { connections = CONNECTIONS } = options;
  const places = new Set<Socket>();
  let listener: LoopbackListener | undefined;
  let upgrader: Promise<WebSocketServer> | undefined;
  let accept: ((connection: Connection) => void) | undefined;

  const gate = (): Gate => ({ port: listener?.port ?? 0, originAllowed: options.originAllowed });
  const ownerOf = options.ownerOf ?? tcpOwnerLookup();
  const isOurs = (socket: Socket): Promise<boolean> => checkOwner(socket, ownerOf, options);
  const takePlace = (socket: Socket): boolean => {
    if (socket.destroyed || places.size >= connections) return false;
    places.add(socket);
    socket.once('close', () => places.delete(socket));
    listener?.keep(socket);
    return true;
  };
  const admit = (socket: Socket): boolean => {
    if (accept === undefined || socket.destroyed) return false;
    listener?.admit(socket);
    return true;
  };

  const onUpgrade = async (request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> => {
    const verdict = judgeUpgrade(request, gate());
    switch (verdict.kind) {
      case 'not-found':
        return refuse(socket, 404);
      case 'wrong-host':
        return refuse(socket, 403);
      case 'closed':
        options.onRefused?.(refusal(verdict));
        return closeAtOnce(socket, verdict.key, verdict.code, verdict.message);
      case 'open':
        return open(verdict, request, socket, head);
    }
  };

  const open = async (
    admission: Admission,
    request: IncomingMessage,
    socket: Socket,
    head: Buffer,
  ): Promise<void> => {
    // Before anything is awaited: others that come meanwhile do not push out whoever is being looked at.
    if (!takePlace(socket)) return void socket.destroy();
    if (!(await isOurs(socket))) return refuse(socket, 404);
    // Ten megabytes that a bridge without overlays never needs.
    upgrader ??= loadUpgrader(options.frameBytes);
    const server = await upgrader;
    if (!admit(socket)) return void socket.destroy();
    // None is spoken here, and a malformed list of them would be answered by the library.
    delete request.headers['sec-websocket-protocol'];
    server.handleUpgrade(request, socket, head, (webSocket) => {
      const { origin, handshake } = admission;
      const { unreadBytes, readyUser = false } = options;
      accept?.(new WebSocketConnection(webSocket, socket, { origin, handshake, unreadBytes, readyUser }));
    });
  };

  const onRequest = (request: IncomingMessage, response: ServerResponse): Promise<void> =>
    serveRpc(request, response, {
      gate: gate(),
      bodyBytes: options.frameBytes,
      isOurs: async () => takePlace(request.socket) && (await isOurs(request.socket)),
      admit: () => admit(request.socket),
      onConnection: (connection) => accept?.(connection),
    });

  return {
    async listen(onConnection) {
      try {
        listener = await listenOnLoopback({
          ports: options.ports ?? RPC_PORTS,
          receiveMs: options.receiveMs ?? RECEIVE_MS,
          strangers: options.strangers ?? STRANGERS,
          onUpgrade: (request, socket, head) => {
            onUpgrade(request, socket, head).catch(() => socket.destroy());
          },
          onRequest: (request, response) => {
            onRequest(request, response).catch(() => request.socket.destroy());
          },
        });
      } catch (error) {
        options.onUnavailable?.(systemCode(error) ?? String(error));
        return [];
      }
      if (listener.port === undefined) {
        options.onUnavailable?.('every port of the range is taken');
        return [];
      }
      accept = onConnection;
      return [{ kind: 'websocket', path: `ws://127.0.0.1:${listener.port}` }];
    },
    stopAccepting() {
      accept = undefined;
      listener?.stopAccepting();
    },
    async close() {
      this.stopAccepting();
      listener?.close();
      await hangUp(places);
    },
  };
}

async function loadUpgrader(maxPayload: number): Promise<WebSocketServer> {
  const { WebSocketServer } = await import('ws');
  return new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload,
    maxFragments: PIECES,
    maxBufferedChunks: PIECES,
    // The payload parser checks UTF-8 again, and answers 1003.
    skipUTF8Validation: true,
  });
}

/** On Linux only our own user and root get in; elsewhere the Origin is the only gate. */
async function checkOwner(
  socket: Socket,
  ownerOf: TcpOwnerLookup,
  options: WebSocketOptions,
): Promise<boolean> {
  const owner = await ownerOf(socket);
  switch (owner.kind) {
    case 'known':
      if (owner.uid === options.uid || owner.uid === 0) return true;
      options.onRefused?.(`the peer belongs to uid ${owner.uid}`);
      return false;
    case 'unknown':
      options.onRefused?.('the system does not say who the peer is');
      return false;
    case 'unknowable':
      return true;
  }
}

function refusal({
  code,
  origin = 'missing, or sent twice',
  clientId = 'unknown',
}: {
  readonly code: number;
  readonly origin: string | undefined;
  readonly clientId: string | undefined;
}): string {
  return `WebSocket closed with ${code}; Origin: ${origin.slice(0, 120)}; client id: ${clientId}`;
}
