import { closeReason } from '../../loopback/raw-answer.ts';
import { CloseError } from '../../wire/close-error.ts';
import { CloseCode, Opcode } from '../../wire/codes.ts';
import type { Connection, ConnectionListener } from '../../wire/connection.ts';
import { type EncodedFrame, type Frame, HEADER_BYTES, ownBytes } from '../../wire/frame.ts';
import { MessageFlow } from './message-flow.ts';

/** Time limit for a peer to answer our close frame before it is dropped (ms). */
const LINGER_MS = 1000;

/** Members that this module uses of a server-side WebSocket. */
export interface MessageSocket {
  /** Number of sent bytes that the kernel has not taken yet. */
  readonly bufferedAmount: number;
  on(event: 'message', listener: (data: unknown, isBinary: boolean) => void): unknown;
  on(event: 'ping' | 'pong' | 'error' | 'close', listener: () => void): unknown;
  send(data: Uint8Array, options: { binary: boolean }, done: () => void): void;
  close(code: number, reason: Buffer): void;
  terminate(): void;
  pause(): void;
  resume(): void;
}

/** The socket below the WebSocket. The library parses a chunk before our listener receives it. */
export interface ByteSource {
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
}

/** Options of a {@link WebSocketConnection} in addition to its socket. */
export interface WebSocketConnectionOptions {
  readonly origin: string;
  /** The query as a HANDSHAKE frame, which is the first frame that the session receives. */
  readonly handshake: Frame;
  readonly unreadBytes: number;
}

/**
 * A WebSocket that carries one payload per text message. WebSocket preserves message boundaries, so frames need no
 * pacing. The socket's `maxPayload` is the frame limit; a larger message is answered with 1009.
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
    // The library has sent the matching close code (1002, 1009) before it emits the error.
    socket.on('error', () => void (this.#flow.close() && this.#linger()));
    socket.on('close', () => this.#flow.ended());
    socket.on('ping', () => this.#flow.progress());
    socket.on('pong', () => this.#flow.progress());
    socket.pause();
    // The listener is added after the pause, because a data listener starts a socket that was not paused.
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
    // PONG and CLOSE are not sent as messages, because WebSocket has its own frames for them.
    if (frame.opcode !== Opcode.FRAME || !this.#flow.open) return;
    // A frame that has to wait is copied, because it must not retain a larger buffer.
    const before = this.#socket.bufferedAmount;
    const body = before > 0 ? ownBytes(frame.bytes).subarray(HEADER_BYTES) : frame.body;
    this.#socket.send(body, { binary: false }, () => this.#flow.backlog(this.#socket.bufferedAmount));
    if (!this.#flow.sent(before, this.#socket.bufferedAmount, this.#unreadBytes)) this.destroy();
  }

  close(code: number, message: string): void {
    if (!this.#flow.close()) return;
    // Close code 1006 is never sent: a peer reports it when the connection just ends (RFC 6455 7.4.1).
    if (code === CloseCode.ABNORMAL) return this.destroy();
    this.#socket.close(code, Buffer.from(closeReason(message)));
    this.#linger();
  }

  /** Ends with a close frame, as every WebSocket does (RFC 6455 5.5.1). */
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

  /**
   * Does nothing: the limit of a message applies from the first message, because the handshake came with the upgrade.
   */
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
    // The socket has to be read to receive the peer's own close frame.
    this.#socket.resume();
    setTimeout(() => this.destroy(), LINGER_MS).unref();
  }
}
