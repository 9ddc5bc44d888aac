import { connect, type Socket } from 'node:net';
import { describeErrorCode } from '../system-error.ts';
import { OPCODES } from '../tables.ts';
import type { ConnectionTrace, Tracer } from '../trace/trace.ts';
import { ConnectError, type Connection, errorCode } from './connection.ts';
import { FrameReader, frameBytes } from './frame.ts';
import { Inbox, type Received } from './inbox.ts';
import { writeAll } from './write.ts';

/** Connects to a unix socket or a named pipe. Throws {@link ConnectError}, also after `ms`. */
export function connectIpc(path: string, ms: number, tracer?: Tracer): Promise<Connection> {
  const trace = tracer?.current?.connection(path);
  return new Promise((resolve, reject) => {
    const socket = connect({ path });
    const timer = setTimeout(() => {
      socket.destroy();
      trace?.note(`no connection within ${ms} ms`);
      reject(new ConnectError(path, 'ETIMEDOUT', `no connection within ${ms} ms`));
    }, ms);
    socket.once('error', (error) => {
      clearTimeout(timer);
      trace?.note(errorCode(error));
      reject(new ConnectError(path, errorCode(error), describeErrorCode(errorCode(error))));
    });
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.removeAllListeners('error');
      resolve(new IpcConnection(socket, trace));
    });
  });
}

class IpcConnection implements Connection {
  readonly transport = 'ipc';
  readonly #socket: Socket;
  readonly #trace: ConnectionTrace | undefined;
  readonly #reader = new FrameReader();
  readonly #inbox = new Inbox();
  #held = false;

  constructor(socket: Socket, trace: ConnectionTrace | undefined) {
    this.#socket = socket;
    this.#trace = trace;
    socket.setMaxListeners(0);
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    socket.on('error', (error) => this.#onEnd('reset', errorCode(error)));
    socket.on('end', () => this.#onEnd('end', 'end of stream'));
    socket.on('close', () => this.#onEnd('end', 'closed'));
  }

  #onData(chunk: Buffer): void {
    this.#trace?.received(chunk);
    for (const frame of this.#reader.push(chunk)) this.#inbox.push({ kind: 'frame', ...frame });
    if (this.#reader.garbage !== undefined) this.#inbox.push({ kind: 'garbage', ...this.#reader.garbage });
    if (this.#inbox.isFull) this.#socket.pause();
  }

  #onEnd(how: 'end' | 'reset', detail: string): void {
    if (detail !== 'closed') this.#trace?.note(`${how === 'reset' ? 'lost: ' : ''}${detail}`);
    this.#inbox.push({ kind: 'end', how, leftover: this.#reader.leftover, detail });
  }

  write(bytes: Uint8Array): Promise<void> {
    if (!this.#socket.writable) return Promise.resolve();
    this.#trace?.sent(bytes);
    return writeAll(this.#socket, bytes);
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
    this.#trace?.note('we end our half of the stream');
    this.#socket.end();
  }

  destroy(): void {
    if (!this.#socket.destroyed) this.#trace?.note('we hang up');
    this.#socket.destroy();
  }
}
