import type { Connection } from '../wire/connection.ts';

/** Where a transport listens. */
export interface Endpoint {
  readonly kind: 'ipc' | 'websocket' | 'node-ipc' | 'memory';
  /** Socket or pipe path, or URL. */
  readonly path: string;
}

/** Properties of a peer that depend on its transport. */
export interface Welcome {
  /**
   * Whether READY contains the user, true by default. With false READY omits the user, as the protocol specifies for
   * WebSocket.
   */
  readonly readyUser?: boolean;
}

/** A transport over which apps connect to the bridge. */
export interface Transport {
  /** Starts to listen. Resolves when connections are accepted. */
  listen(onConnection: (connection: Connection, welcome?: Welcome) => void): Promise<readonly Endpoint[]>;
  /** Accepts no new peers; connected peers stay connected. */
  stopAccepting(): void;
  /** Frees the endpoint, and removes our files only. */
  close(): Promise<void>;
}
