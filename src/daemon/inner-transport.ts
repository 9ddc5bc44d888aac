import type { Transport } from '../transport/transport.ts';
import type { Connection } from '../wire/connection.ts';

/** Way into the server for sessions that the bridge opens itself. */
export interface InnerTransport {
  /** Listens nowhere. */
  readonly transport: Transport;
  /** Passes a connection to the server; nothing happens before it listens and once it has stopped. */
  enter(connection: Connection): void;
}

/** Creates a transport that only this process can enter. */
export function innerTransport(): InnerTransport {
  let accept: Parameters<Transport['listen']>[0] | undefined;
  return {
    transport: {
      async listen(onConnection) {
        accept = onConnection;
        return [];
      },
      stopAccepting() {
        accept = undefined;
      },
      async close() {
        accept = undefined;
      },
    },
    enter: (connection) => accept?.(connection),
  };
}
