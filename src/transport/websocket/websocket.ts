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

/** How long a peer may take to deliver its request (ms). */
const RECEIVE_MS = 3000;
/** Connections without a request that passed the gate. */
const PENDING = 64;
/** Connections with one, at a time: with whole messages on their way in, 16 MiB. */
const CONNECTIONS = 64;

/** Options of the WebSocket transport. */
export interface WebSocketOptions {
  /** Called for every connection, so the answer may change while the bridge runs. */
  readonly originAllowed: OriginPolicy;
  /** Largest message or HTTP body, in bytes. */
  readonly frameBytes: number;
  /** Bytes a peer may leave unread before it is dropped. */
  readonly unreadBytes: number;
  /**
   * Connections at a time whose request passed the gate, shared by origin, and those whose did not yet; default 64
   * each.
   */
  readonly connections?: number;
  readonly pending?: number;
  /** Our user id; undefined on Windows. */
  readonly uid: number | undefined;
  /** Default 6463–6472; {0, 0} takes any free port. */
  readonly ports?: PortRange;
  /** Whether READY contains the user, contrary to the documentation. Default: never. */
  readonly readyUser?: OriginPolicy;
  /** Names the owner of a peer; default: by native calls that are loaded for the first one. */
  readonly ownerOf?: TcpOwnerLookup;
  /** For tests: how long a request may take (ms). */
  readonly receiveMs?: number;
  /** A peer was refused, `page` if it is a web page; the text includes at most 200 characters of peer input. */
  onRefused?(reason: string, page?: RefusedPage): void;
  /** No port is free, so nothing is served. An error thrown here fails the start. */
  onUnavailable?(reason: string): void;
}

/**
 * WebSocket and `POST /rpc` on the first free port of 127.0.0.1:6463–6472. Any other request gets a constant 404: the
 * most used Node client expects one right after AUTHORIZE, and without it ends its process.
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
  /** When all slots are taken, the newest connection of the largest origin is dropped. */
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
    listener?.keep(socket);
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
    // No subprotocol is supported, and the library would answer a malformed list of them.
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
