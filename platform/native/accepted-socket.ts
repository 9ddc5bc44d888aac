import { closeSync } from 'node:fs';
import { type Server, Socket, type SocketConstructorOpts } from 'node:net';

/** Options that Node passes to a socket that it accepts. */
interface AcceptedOptions extends SocketConstructorOpts {
  /** Undocumented option; without it, the socket is read at once. */
  readonly pauseOnCreate: boolean;
}

/** An accepted connection for which Node has created nothing yet. Its owner calls `open` or `close`, once. */
export class AcceptedSocket {
  readonly fd: number;
  readonly #server: Server;

  constructor(fd: number, server: Server) {
    this.fd = fd;
    this.#server = server;
  }

  /** Creates the socket, with the options of the server. It is the only expensive part of an accept. */
  open(): Socket {
    const { allowHalfOpen, pauseOnConnect } = this.#server as Server & {
      readonly allowHalfOpen: boolean;
      readonly pauseOnConnect: boolean;
    };
    const options: AcceptedOptions = {
      fd: this.fd,
      allowHalfOpen,
      pauseOnCreate: pauseOnConnect,
      readable: true,
      writable: true,
    };
    return new Socket(options);
  }

  close(): void {
    closeSync(this.fd);
  }
}
