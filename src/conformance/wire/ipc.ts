import { connect, type Socket } from 'node:net';
import { OPCODES } from '../tables.ts';
import { ConnectError, type Connection, errorCode } from './connection.ts';
import { FrameReader, frameBytes } from './frame.ts';
import { Inbox, type Received } from './inbox.ts';

/** Connects to a unix socket or a named pipe. Throws {@link ConnectError}, also after `ms`. */
export function connectIpc(path: string, ms: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path });
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new ConnectError(path, 'ETIMEDOUT', `no connection within ${ms} ms`));
    }, ms);
    socket.once('error', (error) => {
      clearTimeout(timer);
      reject(new ConnectError(path, errorCode(error), errorCode(error)));
    });
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.removeAllListeners('error');
      resolve(new IpcConnection(socket));
    });
  });
}

class IpcConnection implements Connection {
  readonly transport = 'ipc';
  readonly #socket: Socket;
  readonly #reader = new FrameReader();
  readonly #inbox = new Inbox();
  #held = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setMaxListeners(0);
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    socket.on('error', (error) => this.#onEnd('reset', errorCode(error)));
    socket.on('end', () => this.#onEnd('end', 'end of stream'));
    socket.on('close', () => this.#onEnd('end', 'closed'));
  }

  #onData(chunk: Buffer): void {
    for (const frame of this.#reader.push(chunk)) this.#inbox.push({ kind: 'frame', ...frame });
    if (this.#reader.garbage !== undefined) this.#inbox.push({ kind: 'garbage', ...this.#reader.garbage });
    if (this.#inbox.isFull) this.#socket.pause();
  }

  #onEnd(how: 'end' | 'reset', detail: string): void {
    this.#inbox.push({ kind: 'end', how, leftover: this.#reader.leftover, detail });
  }

  write(bytes: Uint8Array): Promise<void> {
    if (!this.#socket.writable) return Promise.resolve();
    return new Promise((resolve) => {
      // A peer that stops reading never calls back; its closing must free the writer.
      const settle = () => {
        this.#socket.off('close', settle);
        resolve();
      };
      this.#socket.once('close', settle);
      this.#socket.write(bytes, settle);
    });
  }

  sendText(text: string): Promise<void> {
    return this.write(frameBytes(OPCODES.FRAME, text));
  }

  async next(ms: number): Promise<Received> {
    if (!this.#held && !this.#inbox.isFull) this.#socket.resume();
    return await this.#inbox.next(ms);
  }

  pause(): void {
    this.#held = true;
    this.#socket.pause();
  }

  resume(): void {
    this.#held = false;
    this.#socket.resume();
  }

  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }
}
