import { connect, type Socket, type TcpNetConnectOpts } from 'node:net';
import { describeErrorCode } from '../system-error.ts';
import type { ConnectionTrace } from '../trace/trace.ts';
import { Inbox, type Received } from './inbox.ts';

/** Raw connection to a peer: bytes out, frames in. A subclass turns the bytes of the socket into frames. */
export abstract class Connection {
  abstract readonly transport: 'ipc' | 'websocket';
  protected readonly socket: Socket;
  protected readonly trace: ConnectionTrace | undefined;
  protected readonly inbox = new Inbox();
  #isPaused = false;

  constructor(socket: Socket, trace: ConnectionTrace | undefined) {
    this.socket = socket;
    this.trace = trace;
    socket.setMaxListeners(0);
    socket.on('data', (chunk: Buffer) => {
      this.receive(chunk);
      if (this.inbox.isFull) socket.pause();
    });
    socket.on('error', (error) => {
      this.trace?.note(`lost: ${errorCode(error)}`);
      this.onEnd('reset', errorCode(error));
    });
    socket.on('end', () => {
      this.trace?.note('end of stream');
      this.onEnd('end', 'end of stream');
    });
    socket.on('close', () => this.onEnd('end', 'closed'));
  }

  /** Adds the frames of received bytes to the inbox. */
  protected abstract receive(chunk: Buffer): void;

  /** Bytes of an unfinished frame. */
  protected abstract get leftover(): Buffer;

  /** Writes raw bytes; resolves when the kernel has accepted them or the stream has ended. */
  abstract write(bytes: Uint8Array): Promise<void>;

  /** Sends one message: a FRAME over IPC, a text message over a WebSocket. */
  abstract sendText(text: string): Promise<void>;

  /** Ends our half of the stream. */
  abstract end(): void;

  protected onEnd(how: 'end' | 'reset', detail: string): void {
    this.inbox.push({ kind: 'end', how, leftover: this.leftover, detail });
  }

  /** Resolves once the system has accepted the bytes, or the peer has closed. */
  protected writeAll(bytes: Uint8Array): Promise<void> {
    const { socket } = this;
    if (!socket.writable) return Promise.resolve();
    return new Promise((resolve) => {
      // The close also settles the promise: for a peer that stopped reading, the callback of the write never runs.
      const settle = () => {
        socket.off('close', settle);
        resolve();
      };
      socket.once('close', settle);
      socket.write(bytes, settle);
    });
  }

  /** Next received item, or silence after `ms`. */
  async next(ms: number): Promise<Received> {
    if (!this.#isPaused && !this.inbox.isFull) this.socket.resume();
    return await this.inbox.next(ms);
  }

  /** Stops reading from the socket, as an app that never reads. */
  pause(): void {
    this.#isPaused = true;
    this.socket.pause();
  }

  /** Ends the connection immediately. */
  destroy(): void {
    if (!this.socket.destroyed) this.trace?.note('we hang up');
    this.socket.destroy();
  }
}

/** No server could be reached. */
export class ConnectError extends Error {
  override readonly name = 'ConnectError';

  constructor(where: string, detail: string) {
    super(`${where}: ${detail}`);
  }
}

/** Opens a socket. `where` names the server in errors. Throws {@link ConnectError}, also after `ms`. */
export function openSocket(
  address: { readonly path: string } | TcpNetConnectOpts,
  where: string,
  ms: number,
  trace: ConnectionTrace | undefined,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(address);
    const fail = (detail: string) => {
      clearTimeout(timer);
      socket.destroy();
      trace?.note(detail);
      reject(new ConnectError(where, detail));
    };
    const timer = setTimeout(fail, ms, `no connection within ${ms} ms`);
    socket.once('error', (error) => fail(describeErrorCode(errorCode(error))));
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.removeAllListeners('error');
      resolve(socket);
    });
  });
}

/** The `code` of a system error, or `unknown`. */
function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown';
}
