import type { Connection } from '../wire/connection.ts';

/** Where a transport listens. */
export interface Endpoint {
  readonly kind: 'ipc' | 'websocket' | 'node-ipc' | 'memory';
  /** Socket or pipe path, or URL. */
  readonly path: string;
}

/** Properties of a peer that depend on its transport. */
export interface Welcome {
  /** False: READY omits the user, as the protocol specifies over WebSocket. Default true. */
  readonly readyUser?: boolean;
}

/** Something apps can connect through. */
export interface Transport {
  /** Resolves once connections are accepted. */
  listen(onConnection: (connection: Connection, welcome?: Welcome) => void): Promise<readonly Endpoint[]>;
  /** Accepts no new peers; connected peers stay. */
  stopAccepting(): void;
  /** Frees the endpoint, and removes our files only. */
  close(): Promise<void>;
}
