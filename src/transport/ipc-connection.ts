import type { Socket } from 'node:net';
import { CloseError } from '../wire/close-error.ts';
import { CloseCode, Opcode } from '../wire/codes.ts';
import type { Connection, ConnectionListener, PeerCredentials } from '../wire/connection.ts';
import { FrameDecoder } from '../wire/decoder.ts';
import { type EncodedFrame, encodeFrame } from '../wire/frame.ts';
import { PacedWriter } from './paced-writer.ts';

/** How long a peer may take to leave after our CLOSE before it is dropped (ms). */
const LINGER_MS = 1000;
/** How often a peer that is not being read from is checked for having left (ms). */
const HANG_UP_POLL_MS = 1000;

/** What an {@link IpcConnection} is told besides its socket. */
export interface IpcConnectionOptions {
  readonly handshakeFrameBytes: number;
  readonly unreadBytes: number;
  readonly peer?: PeerCredentials;
  /** Bytes the peer has not read yet; undefined where the system cannot tell. */
  unread(): number | undefined;
  /** Whether the peer has closed both directions; false where the system cannot tell. */
  hungUp(): boolean;
}

type Flow =
  | { readonly kind: 'idle' }
  | { readonly kind: 'flowing' | 'paused'; readonly listener: ConnectionListener }
  /** CLOSE is sent; what still comes in is thrown away. */
  | { readonly kind: 'closing'; readonly listener: ConnectionListener | undefined }
  | { readonly kind: 'ended' };

/** A unix socket or named pipe that carries frames. */
export class IpcConnection implements Connection {
  readonly kind = 'ipc';
  readonly peer?: PeerCredentials;
  readonly #socket: Socket;
  readonly #decoder: FrameDecoder;
  readonly #writer: PacedWriter;
  readonly #hungUp: () => boolean;
  #watch: NodeJS.Timeout | undefined;
  #flow: Flow = { kind: 'idle' };
  /** So much waits for the peer that nothing more is taken from it; its session knows nothing of this. */
  #crowded = false;

  constructor(socket: Socket, options: IpcConnectionOptions) {
    if (options.peer) this.peer = options.peer;
    this.#socket = socket;
    this.#hungUp = () => options.hungUp();
    this.#decoder = new FrameDecoder(options.handshakeFrameBytes);
    // Not on 'drain': it only follows a write that exceeded the stream's own buffer, and a smaller one can wait too.
    const onWritten = (error?: Error | null): void => {
      if (!error) this.#writer.pump();
    };
    this.#writer = new PacedWriter(
      {
        write: (bytes) => socket.write(bytes, onWritten),
        unread: () => options.unread(),
        buffered: () => socket.writableLength,
        backlog: (bytes) => {
          if (this.#flow.kind === 'flowing' || this.#flow.kind === 'paused')
            this.#flow.listener.backlog(bytes);
        },
        crowded: (crowded) => {
          this.#crowded = crowded;
          if (crowded && this.#flow.kind === 'flowing') this.#socket.pause();
          // Not in the middle of whatever sent the frame that made room.
          else if (!crowded) setImmediate(() => this.#goOn());
        },
        overflow: () => this.destroy(),
      },
      options.unreadBytes,
    );
    // From the first moment on: a peer that resets before its handshake must not raise an unhandled 'error'.
    socket.on('error', () => {});
    socket.on('data', (chunk) => this.#receive(chunk));
    socket.on('end', () => this.#peerEnded());
    socket.on('close', () => this.#ended());
    socket.pause();
  }

  start(listener: ConnectionListener): void {
    if (this.#flow.kind !== 'idle') return;
    this.#flow = { kind: 'flowing', listener };
    this.#socket.resume();
  }

  send(frame: EncodedFrame): void {
    if (this.#flow.kind === 'flowing' || this.#flow.kind === 'paused') this.#writer.push(frame.bytes);
  }

  close(code: number, message: string): void {
    if (this.#flow.kind === 'closing' || this.#flow.kind === 'ended') return;
    const listener = this.#flow.kind === 'idle' ? undefined : this.#flow.listener;
    this.#flow = { kind: 'closing', listener };
    this.#writer.push(encodeFrame(Opcode.CLOSE, JSON.stringify({ code, message })).bytes);
    this.#writer.whenEmpty(() => this.#socket.end());
    // Reading on is what lets the end of the stream be seen.
    this.#socket.resume();
    setTimeout(() => this.destroy(), LINGER_MS).unref();
  }

  end(): void {
    this.#writer.whenEmpty(() => this.#socket.end());
  }

  pause(): void {
    if (this.#flow.kind !== 'flowing') return;
    this.#flow = { ...this.#flow, kind: 'paused' };
    this.#socket.pause();
    // The end of the stream is behind bytes that are not being read, so it has to be asked for.
    this.#watch = setInterval(() => {
      if (this.#hungUp()) this.destroy();
    }, HANG_UP_POLL_MS).unref();
  }

  resume(): void {
    if (this.#flow.kind !== 'paused') return;
    clearInterval(this.#watch);
    this.#flow = { ...this.#flow, kind: 'flowing' };
    this.#goOn();
  }

  setFrameLimit(bytes: number): void {
    this.#decoder.limit = bytes;
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Drops the peer; a CLOSE that is on its way may leave first. Resolves once the listener knows. */
  async leave(): Promise<void> {
    if (this.#flow.kind === 'ended') return;
    const closed = new Promise<void>((resolve) => this.#socket.once('close', () => resolve()));
    if (this.#flow.kind !== 'closing' || this.#socket.writableFinished) this.destroy();
    else this.#socket.once('finish', () => this.destroy());
    await closed;
  }

  #receive(chunk: Uint8Array): void {
    if (this.#flow.kind !== 'flowing' && this.#flow.kind !== 'paused') return;
    this.#writer.heard();
    this.#decoder.append(chunk);
    this.#deliver();
  }

  /** Takes what is left of the last chunk, and reads on. */
  #goOn(): void {
    if (this.#flow.kind !== 'flowing' || this.#crowded) return;
    this.#deliver();
    if (this.#flow.kind === 'flowing' && !this.#crowded) this.#socket.resume();
  }

  #deliver(): void {
    try {
      // The session may pause or close in the middle of a chunk; the rest then stays in the decoder.
      while (this.#flow.kind === 'flowing' && !this.#crowded) {
        const { value, done } = this.#decoder.frames().next();
        if (done) return this.#flow.listener.partial(this.#decoder.pendingBytes);
        this.#flow.listener.frame(value);
      }
    } catch (error) {
      if (this.#flow.kind !== 'flowing') return;
      this.#flow.listener.broken(
        error instanceof CloseError
          ? error
          : new CloseError(CloseCode.UNSUPPORTED, 'The frame could not be read', { cause: error }),
      );
    }
  }

  /** The peer will send no more, but may still read: answers that are on their way leave first. */
  #peerEnded(): void {
    // Nobody is left to read: what waits for a person must not wait on.
    if (this.#hungUp()) return this.destroy();
    if (this.#flow.kind === 'flowing' || this.#flow.kind === 'paused') this.#flow.listener.halfClosed();
    else this.end();
    setTimeout(() => this.destroy(), LINGER_MS).unref();
  }

  #ended(): void {
    const flow = this.#flow;
    this.#flow = { kind: 'ended' };
    this.#writer.stop();
    clearInterval(this.#watch);
    if (flow.kind !== 'idle' && flow.kind !== 'ended') flow.listener?.ended();
  }
}
