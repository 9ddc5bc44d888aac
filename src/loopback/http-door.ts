import type { Server as HttpServer } from 'node:http';
import { Server, type Socket } from 'node:net';

/**
 * Where HTTP is spoken once somebody comes: it listens as any server, and what `make` makes is told of each connection. That
 * server, and Node's module for it, are made for the first one: they take a start 4 ms, and many a bridge never needs them.
 */
export class HttpDoor extends Server {
  readonly #open = new Set<Socket>();
  #http: HttpServer | undefined;

  constructor(make: () => HttpServer) {
    // As a server of `node:http` has its sockets.
    super({ allowHalfOpen: true, noDelay: true });
    this.on('connection', (socket) => {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
      this.#http ??= make();
      this.#http.emit('connection', socket);
    });
  }

  /** Ends every connection, whatever it is about. */
  closeAllConnections(): void {
    for (const socket of this.#open) socket.destroy();
  }
}
