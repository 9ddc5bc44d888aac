import type { Peer, PeerEntrance } from '../core/core.ts';
import type { Connection, PeerCredentials, TransportKind } from '../wire/connection.ts';
import type { Cancellation } from './cancellation.ts';

/** The peer of a session as the core sees it. Its signal is created when a core reads it. */
export class ConnectedPeer implements Peer {
  readonly sessionId: string;
  readonly clientId: string;
  readonly transport: TransportKind;
  declare readonly origin?: string;
  declare readonly credentials?: PeerCredentials;
  declare readonly instance?: string;
  declare readonly entrance?: PeerEntrance;
  readonly #closed: Cancellation;

  constructor(
    sessionId: string,
    clientId: string,
    connection: Connection,
    closed: Cancellation,
    entrance?: PeerEntrance,
  ) {
    const { kind, origin, peer, instance } = connection;
    this.sessionId = sessionId;
    this.clientId = clientId;
    this.transport = kind;
    if (origin !== undefined) this.origin = origin;
    if (peer !== undefined) this.credentials = peer;
    if (instance !== undefined) this.instance = instance;
    if (entrance !== undefined) this.entrance = { name: entrance.name, sandbox: entrance.sandbox };
    this.#closed = closed;
  }

  get signal(): AbortSignal {
    return this.#closed.signal;
  }
}
