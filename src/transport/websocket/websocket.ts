import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TcpOwnerLookup } from '../../../platform/tcp/tcp-owner.ts';
import { systemCode } from '../../base/local-error.ts';
import {
  type LoopbackListener,
  type LoopbackListening,
  listenOnLoopback,
  type PortRange,
} from '../../loopback/listener.ts';
import { ownerCheck } from '../../loopback/owner.ts';
import { closeAtOnce, refuse } from '../../loopback/raw-answer.ts';
import { SlotPool } from '../../scheduling/slot-pool.ts';
import type { Connection } from '../../wire/connection.ts';
import { type Admission, checkUpgrade, type Gate, type OriginPolicy } from '../gate.ts';
import { serveRpc } from '../http/http-rpc.ts';
import { hangUp } from '../ipc/hang-up.ts';
import { type RefusedPage, refusalText } from '../refused-page.ts';
import type { Transport, Welcome } from '../transport.ts';
import { loadUpgrader } from './upgrader.ts';
import { WebSocketConnection } from './websocket-connection.ts';

/** The ports that apps try (protocol 1.3). */
const RPC_PORTS: PortRange = { first: 6463, last: 6472 };

/** Time limit for a peer to send its request (ms). */
const RECEIVE_MS = 3000;
/** Maximum number of connections whose request has not passed the gate yet. */
const PENDING = 64;
/**
 * Maximum number of connections whose request has passed the gate. Their incomplete messages take at most 16 MiB
 * together.
 */
const CONNECTIONS = 64;

/** Options of the WebSocket transport. */
export interface WebSocketOptions {
  /** Decides about an origin. It is called for every connection, so the answer may change while the bridge runs. */
  readonly originAllowed: OriginPolicy;
  /** Maximum size of a message or HTTP body, in bytes. */
  readonly frameBytes: number;
  /** Maximum number of bytes that a peer may leave unread before it is dropped. */
  readonly unreadBytes: number;
  /**
   * Maximum number of concurrent connections whose request passed the gate (shared by origin), and of those whose
   * request has not yet; 64 each by default.
   */
  readonly connections?: number;
  readonly pending?: number;
  /** User id of this process; undefined on Windows. */
  readonly uid: number | undefined;
  /** Range of ports, by default 6463–6472; {0, 0} selects any free port. */
  readonly ports?: PortRange;
  /** Decides whether READY contains the user, which differs from the documentation. Default: never. */
  readonly readyUser?: OriginPolicy;
  /** Looks up the owner of a peer. The default uses native calls, which are loaded for the first peer. */
  readonly ownerOf?: TcpOwnerLookup;
  /** For tests: time limit for a request (ms). */
  readonly receiveMs?: number;
  /**
   * Called when a peer is refused. `page` is present when the peer is a web page; the text contains at most 200
   * characters of the peer's input.
   */
  onRefused?(reason: string, page?: RefusedPage): void;
  /**
   * Called when no port is free, so that this transport serves nothing. An error thrown by the callback fails the
   * start.
   */
  onUnavailable?(reason: string): void;
}

/**
 * Returns WebSocket and `POST /rpc` on the first free port of 127.0.0.1:6463–6472. Any other request gets a constant
 * 404: the most used Node client sends such a request right after AUTHORIZE, and ends its process without this answer.
 */
export function websocketTransport(options: WebSocketOptions): Transport {
  const { connections = CONNECTIONS } = options;
  const slots = new SlotPool<Socket>(connections);
  const placed = new Set<Socket>();
  let listener: LoopbackListener | undefined;
  let upgrader: ReturnType<typeof loadUpgrader> | undefined;
  let accept: ((connection: Connection, welcome?: Welcome) => void) | undefined;

  const refusePage = (page: RefusedPage): void => options.onRefused?.(refusalText(page), page);
  const gate = (): Gate => ({ port: listener?.port ?? 0, originAllowed: options.originAllowed });
  const leaveSlot = (socket: Socket, origin: string): void => {
    slots.leave(origin, socket);
    placed.delete(socket);
  };
  /** When all slots are in use, the newest connection of the origin with the most connections is dropped. */
  const makeRoom = (largestHolder: string | undefined): boolean => {
    const newest = largestHolder === undefined ? undefined : slots.newest(largestHolder);
    if (largestHolder === undefined || newest === undefined) return false;
    leaveSlot(newest, largestHolder);
    newest.destroy();
    return true;
  };
  const takeSlot = (socket: Socket, origin: string): boolean => {
    if (socket.destroyed || !slots.enter(origin, socket, makeRoom)) return false;
    placed.add(socket);
    socket.once('close', () => leaveSlot(socket, origin));
    listener?.beginAnswer(socket);
    return true;
  };
  const admit = (socket: Socket): boolean => {
    if (accept === undefined || socket.destroyed) return false;
    listener?.admit(socket);
    return true;
  };

  const onUpgrade = async (request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> => {
    const verdict = checkUpgrade(request, gate());
    switch (verdict.kind) {
      case 'not-found':
        return refuse(socket, 404);
      case 'wrong-host':
        refusePage(verdict.page);
        return refuse(socket, 403);
      case 'closed':
        refusePage(verdict.page);
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
    if (!takeSlot(socket, admission.origin)) return void socket.destroy();
    upgrader ??= loadUpgrader(options.frameBytes);
    const server = await upgrader;
    if (!admit(socket)) return void socket.destroy();
    // The header is removed, because no subprotocol is supported and the library would answer a malformed list of
    // subprotocols.
    delete request.headers['sec-websocket-protocol'];
    server.handleUpgrade(request, socket, head, (webSocket) => {
      const { origin, clientId, handshake } = admission;
      const { unreadBytes } = options;
      const readyUser = options.readyUser?.(clientId, origin) ?? false;
      const connection = new WebSocketConnection(webSocket, socket, { origin, handshake, unreadBytes });
      accept?.(connection, { readyUser });
    });
  };

  const onRequest = (request: IncomingMessage, response: ServerResponse): Promise<void> =>
    serveRpc(request, response, {
      gate: gate(),
      bodyBytes: options.frameBytes,
      takeSlot: (origin) => takeSlot(request.socket, origin),
      admit: () => admit(request.socket),
      onConnection: (connection) => accept?.(connection),
      onRefusedPage: refusePage,
    });

  return {
    async listen(onConnection) {
      let listening: LoopbackListening;
      try {
        listening = await listenOnLoopback({
          ports: options.ports ?? RPC_PORTS,
          receiveMs: options.receiveMs ?? RECEIVE_MS,
          pending: options.pending ?? PENDING,
          refusedOwner: ownerCheck(options.uid, options.ownerOf),
          refusal: 404,
          onStranger: (reason) => options.onRefused?.(reason),
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
      if (listening.kind === 'no port') {
        options.onUnavailable?.('every port of the range is taken');
        return [];
      }
      listener = listening;
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
      await hangUp(placed);
    },
  };
}
