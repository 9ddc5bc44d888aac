import type { Socket } from 'node:net';
import { CloseError } from '../../wire/close-error.ts';
import { CloseCode, Opcode } from '../../wire/codes.ts';
import type { Connection, ConnectionListener, PeerCredentials } from '../../wire/connection.ts';
import type { EncodedFrame } from '../../wire/frame.ts';
import { MessageFlow } from '../websocket/message-flow.ts';

/** Time in which a peer has to disconnect after our CLOSE before it is dropped (ms). */
const LINGER_MS = 1000;

/** Options of a {@link NodeIpcConnection} in addition to its socket. */
export interface NodeIpcConnectionOptions {
  readonly handshakeFrameBytes: number;
  readonly unreadBytes: number;
  readonly peer?: PeerCredentials;
  /** Sends one event in the package's own framing. */
  emit(type: string, data: unknown): void;
}

/**
 * Connection of an app to the node-ipc endpoint. The app sends the events `handshake` and `frame`, whose data are the
 * bodies of those opcodes. It receives the event `frame`, and before the end `closing` with `{code, message}`, because
 * the package reserves the name `close`.
 */
export class NodeIpcConnection implements Connection {
  readonly kind = 'ipc';
  readonly peer?: PeerCredentials;
  readonly #socket: Socket;
  readonly #options: NodeIpcConnectionOptions;
  readonly #flow = new MessageFlow();
  #frameLimit: number;

  constructor(socket: Socket, options: NodeIpcConnectionOptions) {
    if (options.peer) this.peer = options.peer;
    this.#socket = socket;
    this.#options = options;
    this.#frameLimit = options.handshakeFrameBytes;
    socket.on('error', () => {});
    socket.on('close', () => this.#flow.ended());
    // The package added its listener first, so it has parsed this chunk by now. The package makes the socket decode
    // chunks to text.
    socket.on('data', (chunk) => this.#flow.read(Buffer.byteLength(chunk)));
    socket.on('drain', () => this.#flow.backlog(socket.writableLength));
  }

  start(listener: ConnectionListener): void {
    this.#flow.start(listener);
  }

  redirect(listener: ConnectionListener): void {
    this.#flow.redirect(listener);
  }

  /**
   * Handles one event of the peer. Never throws, because the package would treat the exception as its own failure and
   * end the process.
   */
  receive(type: string, data: unknown): void {
    try {
      const opcode = opcodeOf(type);
      const body = new TextEncoder().encode(JSON.stringify(data ?? null));
      if (body.byteLength > this.#frameLimit) {
        throw new CloseError(
          CloseCode.UNSUPPORTED,
          `${type} of ${body.byteLength} bytes is too large: at most ${this.#frameLimit}`,
        );
      }
      this.#flow.push({ opcode, body });
    } catch (error) {
      const readable = error instanceof CloseError;
      // Data that nest deeper than the stack allows can be parsed but not encoded again.
      const refusal = readable ? error : new CloseError(CloseCode.UNSUPPORTED, 'The event could not be read');
      this.#flow.broken(refusal);
    }
  }

  send(frame: EncodedFrame): void {
    if (frame.opcode !== Opcode.FRAME || !this.#flow.open) return;
    const before = this.#socket.writableLength;
    for (const { body } of frame.completes ?? [frame]) {
      this.#options.emit('frame', JSON.parse(new TextDecoder().decode(body)));
    }
    if (!this.#flow.sent(before, this.#socket.writableLength, this.#options.unreadBytes)) this.destroy();
  }

  close(code: number, message: string): void {
    if (!this.#flow.close()) return;
    this.#options.emit('closing', { code, message });
    this.#socket.end();
    this.#linger();
  }

  end(): void {
    if (!this.#flow.close()) return;
    this.#socket.end();
    this.#linger();
  }

  pause(): void {
    this.#flow.pause();
    this.#socket.pause();
  }

  resume(): void {
    if (this.#flow.resume()) this.#socket.resume();
  }

  setFrameLimit(bytes: number): void {
    this.#frameLimit = bytes;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #linger(): void {
    this.#socket.resume();
    setTimeout(() => this.destroy(), LINGER_MS).unref();
  }
}

function opcodeOf(type: string): Opcode {
  if (type === 'handshake') return Opcode.HANDSHAKE;
  if (type === 'frame') return Opcode.FRAME;
  throw new CloseError(CloseCode.UNSUPPORTED, 'Unknown event: expected handshake or frame');
}
