import { createServer, type Server } from 'node:http';
import { systemCode } from '../../platform/local-error.ts';

const FIRST_PORT = 6463;
const LAST_PORT = 6472;

/** A running listener; `port` is undefined when all of 6463–6472 are taken. */
export interface DiscoveryListener {
  readonly port: number | undefined;
  close(): void;
}

/**
 * Answers 404 to everything on the first free port of 127.0.0.1:6463–6472. The most used Node client looks
 * there for a 404 right after AUTHORIZE, and without one ends its process. The answer is constant and carries
 * no CORS header, so that a web page learns nothing from it.
 */
export async function listenForDiscovery(
  ports = { first: FIRST_PORT, last: LAST_PORT },
): Promise<DiscoveryListener> {
  for (let port = ports.first; port <= ports.last; port++) {
    const server = createServer((_request, response) => {
      response.writeHead(404, { 'content-length': 0, connection: 'close' }).end();
    });
    server.headersTimeout = 3000;
    server.requestTimeout = 3000;
    server.maxConnections = 64;
    server.on('clientError', (_error, socket) => socket.destroy());
    if (await tryListen(server, port)) {
      return {
        port,
        close() {
          server.close();
          server.closeAllConnections();
        },
      };
    }
  }
  return { port: undefined, close() {} };
}

async function tryListen(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      if (systemCode(error) === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen({ port, host: '127.0.0.1' }, () => {
      // From now on an error concerns one caller that could not be accepted.
      server.on('error', () => {});
      server.unref();
      resolve(true);
    });
  });
}
