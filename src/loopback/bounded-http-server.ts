import type { Server as HttpServer } from 'node:http';
import { Server, type Socket } from 'node:net';
import { SilentConnections } from '../scheduling/silent-connections.ts';
import { type PeerRule, Strangers } from './strangers.ts';

/**
 * A server that creates its HTTP server with the first connection. It listens like any server, and passes each
 * connection to the server that `make` creates. That server, and Node's module for it, add 4 ms to the start of a
 * bridge, which often never needs them. With a `rule`, which every port needs, nothing is read from a connection before
 * its owner is known, and connections of other users never reach the HTTP server.
 */
export class BoundedHttpServer extends Server {
  readonly #open = new Set<Socket>();
  readonly #make: () => HttpServer;
  #http: HttpServer | undefined;

  constructor(make: () => HttpServer, rule?: PeerRule) {
    // The same socket options as in a server of `node:http`.
    super({ allowHalfOpen: true, noDelay: true, pauseOnConnect: rule !== undefined });
    this.#make = make;
    const identify = rule && identification(rule, (socket) => this.#serve(socket));
    this.on('connection', (socket) => {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
      if (identify === undefined) this.#serve(socket);
      else identify(socket);
    });
  }

  /** Ends every connection, in any state. */
  closeAllConnections(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #serve(socket: Socket): void {
    this.#http ??= this.#make();
    this.#http.emit('connection', socket);
  }
}

/**
 * Looks up the owner of each paused connection, and hands on those that may be served. When too many look-ups are
 * running, a random connection is dropped: the owners are unknown, and the server itself causes the delay. If the
 * oldest were dropped, peers that connect faster than the look-up would have each connection dropped just before its
 * turn, including those of the daemon's own user.
 */
function identification(rule: PeerRule, serve: (socket: Socket) => void): (socket: Socket) => void {
  const strangers = new Strangers(rule);
  const pending = new SilentConnections<Socket>({
    limit: rule.unidentified,
    dropped: 'any',
    drop: (socket) => socket.destroy(),
  });
  const identify = async (socket: Socket): Promise<void> => {
    // A failed look-up must refuse the connection, too.
    const reason = await rule.refusedOwner(socket).catch(() => 'the look-up of its owner failed');
    pending.delete(socket);
    if (socket.destroyed) return;
    if (reason !== undefined) return strangers.take(socket, reason);
    socket.off('error', ignore);
    serve(socket);
    socket.resume();
  };
  return (socket) => {
    // Until the HTTP server adds its listener, a reset must not end the process.
    socket.on('error', ignore);
    pending.add(socket);
    void identify(socket);
  };
}

function ignore(): void {}
