import type { Connection } from '../wire/connection.ts';

/** Where a transport listens. */
export interface Endpoint {
  readonly kind: 'ipc' | 'websocket' | 'node-ipc' | 'memory';
  /** Socket or pipe path, or URL. */
  readonly path: string;
}

/** Something apps can connect through. */
export interface Transport {
  /** Resolves once connections are accepted. */
  listen(onConnection: (connection: Connection) => void): Promise<readonly Endpoint[]>;
  /** Accepts nobody any more; those connected stay. */
  stopAccepting(): void;
  /** Frees the endpoint, removing what we put in the file system, and nothing else. */
  close(): Promise<void>;
}
