import { closeReason } from '../../loopback/raw-answer.ts';
import { CloseError } from '../../wire/close-error.ts';
import { CloseCode, Opcode } from '../../wire/codes.ts';
import type { Connection, ConnectionListener } from '../../wire/connection.ts';
import { type EncodedFrame, type Frame, HEADER_BYTES, ownBytes } from '../../wire/frame.ts';
import { MessageFlow } from './message-flow.ts';

/** How long a peer may take to answer our close frame before it is dropped (ms). */
const LINGER_MS = 1000;

/** The part of a server-side WebSocket that is used here. */
export interface MessageSocket {
  /** Bytes handed over and not yet taken by the kernel. */
  readonly bufferedAmount: number;
  on(event: 'message', listener: (data: unknown, isBinary: boolean) => void): unknown;
  on(event: 'ping' | 'pong' | 'error' | 'close', listener: () => void): unknown;
  send(data: Uint8Array, options: { binary: boolean }, done: () => void): void;
  close(code: number, reason: Buffer): void;
  terminate(): void;
  pause(): void;
  resume(): void;
}

/** The socket underneath; the library has parsed its reads before their events reach us. */
export interface ByteSource {
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
}

/** Options of a {@link WebSocketConnection} besides its socket. */
export interface WebSocketConnectionOptions {
  readonly origin: string;
  /** The query as a HANDSHAKE frame: the first that the session gets. */
  readonly handshake: Frame;
  readonly unreadBytes: number;
}

/**
 * A WebSocket that carries one payload per text message. Message boundaries are preserved, so nothing is paced; the
 * socket's `maxPayload` is the frame limit, answered with 1009.
 */
export class WebSocketConnection implements Connection {
  readonly kind = 'websocket';
  readonly origin: string;
  readonly #socket: MessageSocket;
  readonly #unreadBytes: number;
  readonly #flow: MessageFlow;

  constructor(socket: MessageSocket, source: ByteSource, options: WebSocketConnectionOptions) {
    this.origin = options.origin;
    this.#socket = socket;
    this.#unreadBytes = options.unreadBytes;
    this.#flow = new MessageFlow([options.handshake]);
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    // The library has sent the matching code (1002, 1009) before it emits the error.
    socket.on('error', () => void (this.#flow.close() && this.#linger()));
    socket.on('close', () => this.#flow.ended());
    socket.on('ping', () => this.#flow.progress());
    socket.on('pong', () => this.#flow.progress());
    socket.pause();
    // After the pause: a data listener starts a socket that has not been paused.
    source.on('data', (chunk) => this.#flow.read(chunk.byteLength));
  }

  start(listener: ConnectionListener): void {
    this.#flow.start(listener);
    this.#socket.resume();
  }

  redirect(listener: ConnectionListener): void {
    this.#flow.redirect(listener);
  }

  send(frame: EncodedFrame): void {
    // PONG and CLOSE have counterparts of their own in this protocol.
    if (frame.opcode !== Opcode.FRAME || !this.#flow.open) return;
    // A copy: a waiting frame must not retain a larger buffer.
    const before = this.#socket.bufferedAmount;
    const body = before > 0 ? ownBytes(frame.bytes).subarray(HEADER_BYTES) : frame.body;
    this.#socket.send(body, { binary: false }, () => this.#flow.backlog(this.#socket.bufferedAmount));
    if (!this.#flow.sent(before, this.#socket.bufferedAmount, this.#unreadBytes)) this.destroy();
  }

  close(code: number, message: string): void {
    if (!this.#flow.close()) return;
    // RFC 6455 7.4.1: a peer reports 1006 when the connection just ends; it is never sent.
    if (code === CloseCode.ABNORMAL) return this.destroy();
    this.#socket.close(code, Buffer.from(closeReason(message)));
    this.#linger();
  }

  /** RFC 6455 5.5.1: a WebSocket always ends with a close frame. */
  end(): void {
    this.close(CloseCode.NORMAL, '');
  }

  pause(): void {
    this.#flow.pause();
    this.#socket.pause();
  }

  resume(): void {
    if (this.#flow.resume()) this.#socket.resume();
  }

  /** The bound on a message applies from the first one on: the handshake came with the upgrade. */
  setFrameLimit(): void {}

  destroy(): void {
    this.#socket.terminate();
  }

  #receive(data: unknown, isBinary: boolean): void {
    if (isBinary || !(data instanceof Uint8Array)) {
      const message = 'A binary message: only text messages are accepted';
      return this.#flow.broken(new CloseError(CloseCode.UNSUPPORTED, message));
    }
    this.#flow.push({ opcode: Opcode.FRAME, body: data });
  }

  #linger(): void {
    // Reading on makes the peer's own close frame visible.
    this.#socket.resume();
    setTimeout(() => this.destroy(), LINGER_MS).unref();
  }
}
