import type { Connection } from '../wire/connection.ts';

/** Where a transport listens. */
export interface Endpoint {
  readonly kind: 'ipc' | 'websocket' | 'node-ipc' | 'memory';
  /** Socket or pipe path, or URL. */
  readonly path: string;
}

/** What a peer gets because of the way it came. */
export interface Welcome {
  /** False: READY leaves out who the user is, as the protocol has it over WebSocket. Default true. */
  readonly readyUser?: boolean;
}

/** Something apps can connect through. */
export interface Transport {
  /** Resolves once connections are accepted. */
  listen(onConnection: (connection: Connection, welcome?: Welcome) => void): Promise<readonly Endpoint[]>;
  /** Accepts nobody any more; those connected stay. */
  stopAccepting(): void;
  /** Frees the endpoint, removing what we put in the file system, and nothing else. */
  close(): Promise<void>;
}
