import type { Socket } from 'node:net';
import { AcceptedSocket } from '../../../platform/native/accepted-socket.ts';
import type { OperatingSystem } from '../../../platform/operating-system.ts';
import { CloseError } from '../../wire/close-error.ts';
import { CloseCode, Opcode } from '../../wire/codes.ts';
import type { Connection, ConnectionListener, PeerCredentials } from '../../wire/connection.ts';
import { FrameDecoder } from '../../wire/decoder.ts';
import { type EncodedFrame, encodeFrame } from '../../wire/frame.ts';
import { type PacedSink, PacedWriter } from './paced-writer.ts';
import { PlainWriter } from './plain-writer.ts';
import type { TurnWatch } from './turn-watch.ts';

/** Time in which a peer has to disconnect after our CLOSE before it is dropped (ms). */
const LINGER_MS = 1000;
/** How often a peer that is not being read from is checked for having left (ms). */
const HANG_UP_POLL_MS = 1000;
/**
 * Number of bytes that are read and dropped after our CLOSE, so that the end of the stream behind them is noticed. A
 * peer that sends more is no longer read: thousands of such peers would occupy the whole event loop.
 */
const MAX_DROPPED_BYTES = 64 * 1024;

/** Services that the connections of one endpoint share. */
export interface IpcHost {
  readonly os: Pick<OperatingSystem, 'unsentBytes' | 'hungUp'>;
  readonly handshakeFrameBytes: number;
  readonly unreadBytes: number;
  /**
   * Schedules the checks of peers with unread bytes; when undefined, frames are sent without waiting for peers to read.
   */
  readonly pacing: TurnWatch | undefined;
  /** Called when the connection is closed before its start: it stays open until the peer has had time to read CLOSE. */
  refused?(connection: IpcConnection): void;
  /** Called once, when the peer has disconnected. */
  ended?(connection: IpcConnection): void;
}

/**
 * Property of a socket that references its connection. All sockets share the same listener functions, because thousands
 * of connections may be idle.
 */
const OWNER = Symbol('connection');

interface OwnedSocket extends Socket {
  [OWNER]?: IpcConnection | undefined;
}

/** Input of a peer: `ending` when the peer has half-closed, and some of its frames are not taken yet. */
type PeerInput = 'open' | 'ending' | 'ended';

type Flow =
  | { readonly kind: 'idle' }
  | { readonly kind: 'flowing' | 'paused'; readonly listener: ConnectionListener; readonly input: PeerInput }
  /** The CLOSE frame was sent; further input is dropped. */
  | {
      readonly kind: 'closing';
      readonly listener: ConnectionListener | undefined;
      readonly droppedBytes: number;
    }
  | { readonly kind: 'ended' };

/**
 * Connection over a unix socket or a named pipe. It is also the sink of its writer, so that an idle connection needs
 * little memory.
 */
export class IpcConnection implements Connection, PacedSink {
  readonly kind = 'ipc';
  readonly peer?: PeerCredentials;
  /** A connection of the accept queue is opened with its first use: most of a storm are dropped before it. */
  #source: OwnedSocket | AcceptedSocket;
  readonly #host: IpcHost;
  readonly #decoder: FrameDecoder;
  #writer: PacedWriter | PlainWriter;
  readonly #onWritten: (error?: Error | null) => void;
  /** A write has not left yet. */
  #blocked = false;
  #watch: NodeJS.Timeout | undefined;
  #flow: Flow = IDLE;
  /** Backpressure: while too many frames wait for the peer, no frame is taken from it; the session is not notified. */
  #crowded = false;

  constructor(socket: Socket | AcceptedSocket, host: IpcHost, peer?: PeerCredentials) {
    if (peer) this.peer = peer;
    this.#host = host;
    this.#decoder = new FrameDecoder(host.handshakeFrameBytes);
    this.#writer = host.pacing
      ? new PacedWriter(this, host.unreadBytes, host.pacing)
      : new PlainWriter(this, host.unreadBytes);
    // 'drain' is not used: it follows only a write that exceeded the stream's own buffer, and a smaller write can wait,
    // too.
    this.#onWritten = (error) => {
      if (error || !this.#blocked || this.#socket.writableLength > 0) return;
      this.#blocked = false;
      this.#writer.pump();
    };
    this.#source = socket instanceof AcceptedSocket ? socket : this.#own(socket);
  }

  get #socket(): OwnedSocket {
    if (this.#source instanceof AcceptedSocket) this.#source = this.#own(this.#source.open());
    return this.#source;
  }

  #own(socket: OwnedSocket): OwnedSocket {
    // The listener is added at once, because a peer that resets before its handshake would otherwise raise an unhandled
    // 'error'.
    socket.on('error', ignore);
    socket[OWNER] = this;
    socket.on('data', onData);
    socket.on('end', onEnd);
    socket.on('close', onClose);
    socket.pause();
    return socket;
  }

  start(listener: ConnectionListener): void {
    // The connection may have waited to be served, while the peer left.
    if (this.#flow.kind === 'ended') return queueMicrotask(() => listener.ended());
    if (this.#flow.kind !== 'idle') return;
    this.#flow = { kind: 'flowing', listener, input: 'open' };
    this.#socket.resume();
  }

  redirect(listener: ConnectionListener): void {
    if (this.#flow.kind !== 'idle' && this.#flow.kind !== 'ended') this.#flow = { ...this.#flow, listener };
  }

  send(frame: EncodedFrame): void {
    if (this.#flow.kind === 'flowing' || this.#flow.kind === 'paused') {
      this.#writer.push(frame.bytes, frame.newestOnly);
    }
  }

  close(code: number, message: string): void {
    if (this.#flow.kind === 'closing' || this.#flow.kind === 'ended') return;
    const listener = this.#flow.kind === 'idle' ? undefined : this.#flow.listener;
    if (listener === undefined) this.#host.refused?.(this);
    this.#flow = { kind: 'closing', listener, droppedBytes: 0 };
    this.#writer.push(encodeFrame(Opcode.CLOSE, JSON.stringify({ code, message })).bytes);
    this.#writer.whenEmpty(() => this.#socket.end());
    // The socket has to be read for the end of the stream to be noticed.
    this.#socket.resume();
    this.#destroyLate();
  }

  end(): void {
    this.#writer.whenEmpty(() => this.#socket.end());
  }

  pause(): void {
    if (this.#flow.kind !== 'flowing') return;
    this.#flow = { ...this.#flow, kind: 'paused' };
    this.#socket.pause();
    // The end of the stream is behind bytes that are not read, so it has to be polled.
    this.#watch = setInterval(() => {
      if (this.#host.os.hungUp(this.#socket)) this.destroy();
    }, HANG_UP_POLL_MS).unref();
  }

  resume(): void {
    if (this.#flow.kind !== 'paused') return;
    clearInterval(this.#watch);
    this.#flow = { ...this.#flow, kind: 'flowing' };
    this.#goOn();
  }

  get isPaced(): boolean {
    return this.#writer instanceof PacedWriter;
  }

  unpace(): void {
    if (this.#flow.kind === 'ended' || !(this.#writer instanceof PacedWriter)) return;
    const output = this.#writer.handOver();
    const writer = new PlainWriter(this, this.#host.unreadBytes);
    this.#writer = writer;
    writer.takeOver(output);
    if (this.#crowded) this.crowded(false);
  }

  setFrameLimit(bytes: number): void {
    this.#decoder.limit = bytes;
  }

  destroy(): void {
    if (!(this.#source instanceof AcceptedSocket)) return void this.#source.destroy();
    if (this.#flow.kind === 'ended') return;
    this.#source.close();
    this.closed();
  }

  /** Drops the peer; a CLOSE that was written is sent first. Resolves after the listener was notified. */
  async leave(): Promise<void> {
    if (this.#source instanceof AcceptedSocket) this.destroy();
    if (this.#flow.kind === 'ended') return;
    const closed = new Promise<void>((resolve) => this.#socket.once('close', () => resolve()));
    if (this.#flow.kind !== 'closing' || this.#socket.writableFinished) this.destroy();
    else this.#socket.once('finish', () => this.destroy());
    await closed;
  }

  write(bytes: Uint8Array): boolean {
    const fits = this.#socket.write(bytes, this.#onWritten);
    this.#blocked ||= this.#socket.writableLength > 0;
    return fits;
  }

  unread(): number | undefined {
    return this.#host.os.unsentBytes(this.#socket);
  }

  buffered(): number {
    return this.#socket.writableLength;
  }

  backlog(held: number, unread: number): void {
    if (this.#flow.kind === 'flowing' || this.#flow.kind === 'paused')
      this.#flow.listener.backlog(held, unread);
  }

  crowded(crowded: boolean): void {
    this.#crowded = crowded;
    if (crowded && this.#flow.kind === 'flowing') this.#socket.pause();
    // The resume is deferred, because the caller may be sending the frame that made room.
    else if (!crowded) setImmediate(() => this.#goOn());
  }

  overflow(): void {
    this.destroy();
  }

  /** Handles bytes that the socket has read. */
  received(chunk: Uint8Array): void {
    if (this.#flow.kind === 'closing') return this.#drop(chunk.byteLength, this.#flow);
    if (this.#flow.kind !== 'flowing' && this.#flow.kind !== 'paused') return;
    this.#writer.received();
    this.#decoder.append(chunk);
    this.#deliver();
  }

  /** Drops input that comes after our CLOSE. */
  #drop(bytes: number, flow: Flow & { readonly kind: 'closing' }): void {
    const droppedBytes = flow.droppedBytes + bytes;
    this.#flow = { ...flow, droppedBytes };
    if (droppedBytes > MAX_DROPPED_BYTES) this.#socket.pause();
  }

  /** Takes the remaining frames of the last chunk, then resumes reading. */
  #goOn(): void {
    if (this.#flow.kind !== 'flowing' || this.#crowded) return;
    this.#deliver();
    if (this.#flow.kind === 'flowing' && !this.#crowded) this.#socket.resume();
  }

  #deliver(): void {
    try {
      // In the middle of a chunk the session may pause or close; the remaining bytes then stay in the decoder.
      while (this.#flow.kind === 'flowing' && !this.#crowded) {
        if (!this.#flow.listener.admits(this.#decoder.nextBytes)) return;
        const frame = this.#decoder.take();
        if (!frame) {
          this.#flow.listener.partial(this.#decoder.pendingBytes);
          return this.#flow.input === 'ending' ? this.#halfClosed(this.#flow) : undefined;
        }
        this.#flow.listener.frame(frame);
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

  /** Handles a half-close: the peer sends nothing further but may still read, so answers in flight are sent first. */
  peerEnded(): void {
    // In the usual case no answer is pending, so it makes no difference whether the peer could still read.
    const hasFrame = this.#decoder.hasFrame;
    const isPaid =
      this.#flow.kind === 'flowing' &&
      this.#flow.listener.requestsInFlight === 0 &&
      this.#writer.isEmpty &&
      !hasFrame;
    if (isPaid) return this.destroy();
    // The peer cannot read any more, so requests that wait for the user are cancelled.
    if (this.#host.os.hungUp(this.#socket)) return this.destroy();
    if (this.#flow.kind !== 'flowing' && this.#flow.kind !== 'paused') {
      this.end();
      return this.#destroyLate();
    }
    // Frames that wait for the session or for the writer are served first, however long that takes.
    if (hasFrame) this.#flow = { ...this.#flow, input: 'ending' };
    else this.#halfClosed(this.#flow);
  }

  #halfClosed(flow: Flow & { readonly kind: 'flowing' | 'paused' }): void {
    this.#flow = { ...flow, input: 'ended' };
    flow.listener.halfClosed();
    this.#destroyLate();
  }

  #destroyLate(): void {
    setTimeout(() => this.destroy(), LINGER_MS).unref();
  }

  /** Its socket is closed. */
  closed(): void {
    const flow = this.#flow;
    this.#flow = ENDED;
    this.#writer.stop();
    clearInterval(this.#watch);
    if (flow.kind !== 'idle' && flow.kind !== 'ended') flow.listener?.ended();
    this.#host.ended?.(this);
  }
}

const IDLE: Flow = { kind: 'idle' };
const ENDED: Flow = { kind: 'ended' };

function ignore(): void {}

function onData(this: OwnedSocket, chunk: Uint8Array): void {
  this[OWNER]?.received(chunk);
}

function onEnd(this: OwnedSocket): void {
  this[OWNER]?.peerEnded();
}

function onClose(this: OwnedSocket): void {
  const owner = this[OWNER];
  // Node may retain a closed socket for a while; without this line it would retain the connection, too.
  this[OWNER] = undefined;
  owner?.closed();
}
