import type { Socket } from 'node:net';
import { CloseCode, Opcode } from '../wire/codes.ts';
import { encodeFrame } from '../wire/frame.ts';
import { ByteQueue } from './byte-queue.ts';
import { FrameBoundary } from './frame-boundary.ts';
import type { Peer } from './peer.ts';

/** Bytes that may wait for a socket that does not read, before its partner stops (bytes). */
const MAX_WAITING_BYTES = 64 * 1024;

/** Time that the last bytes have to leave after the end of a session (ms). */
const LINGER_MS = 1000;

/** Sentence for the app where the bridge has closed its connection without an answer. */
const NO_ANSWER =
  'The bridge closed the connection without an answer. All apps of a forward together may have half of its connections.';

/** Whether the socket is that of an app, which gets the reason of an end as a CLOSE frame, or that of a bridge. */
export type SocketSide = 'app' | 'bridge';

/**
 * End of a session that is a socket with `allowHalfOpen`. It reads nothing before {@link join}, so a socket from a
 * server has to be paused.
 */
export class SocketPeer implements Peer {
  readonly #socket: Socket;
  readonly #boundary: FrameBoundary | undefined;
  readonly #onSend: ((bytes: Uint8Array) => void) | undefined;
  readonly #onWritten = (): void => this.#written();
  /** Bytes behind those that the socket has not taken yet. */
  readonly #waiting = new ByteQueue();
  #partner: Peer | undefined;
  /** Reason for the app when this socket ends now: a bridge refuses a connection by closing it without a byte. */
  #endReason: string;
  /** The partner has stopped until the socket has taken its bytes. */
  #isBlocked = false;
  #state: { readonly input: 'open' | 'ended'; readonly output: 'open' | 'ended' } | 'closed' = OPEN;

  /** `onSend` gets the bytes of the partner. */
  constructor(socket: Socket, side: SocketSide, onSend?: (bytes: Uint8Array) => void) {
    this.#socket = socket;
    this.#onSend = onSend;
    this.#endReason = side === 'bridge' ? NO_ANSWER : '';
    this.#boundary = side === 'app' ? new FrameBoundary() : undefined;
    // Every error is followed by 'close'.
    socket.on('error', () => {});
    socket.on('close', () => this.#closed());
  }

  join(partner: Peer): void {
    this.#partner = partner;
    if (this.#state === 'closed') return partner.abort('');
    const socket = this.#socket;
    socket.on('data', (chunk: Uint8Array) => {
      this.#endReason = '';
      if (!partner.send(chunk)) socket.pause();
    });
    socket.on('end', () => {
      if (this.#state === 'closed') return;
      const isRefused = this.#endReason !== '' && this.#state.output === 'open';
      this.#state = { ...this.#state, input: 'ended' };
      if (isRefused) partner.abort(this.#endReason);
      else partner.end();
    });
    socket.resume();
  }

  send(bytes: Uint8Array): boolean {
    if (this.#state === 'closed') return true;
    this.#boundary?.pass(bytes);
    this.#onSend?.(bytes);
    // The socket may have taken all bytes before it says so: those that wait go first.
    const isIdle = this.#socket.writableLength === 0 && this.#waiting.length === 0;
    if (isIdle) this.#socket.write(bytes, this.#onWritten);
    else this.#waiting.push(bytes);
    if (this.#socket.writableLength + this.#waiting.length < MAX_WAITING_BYTES) return true;
    this.#isBlocked = true;
    return false;
  }

  end(): void {
    if (this.#state === 'closed') return;
    this.#state = { ...this.#state, output: 'ended' };
    this.#flush();
    this.#socket.end();
  }

  abort(reason: string): void {
    if (this.#state === 'closed') return;
    const isWritable = this.#state.output === 'open';
    this.#state = 'closed';
    const socket = this.#socket;
    this.#flush();
    if (isWritable && reason !== '' && this.#boundary?.isBetweenFrames === true) {
      const body = JSON.stringify({ code: CloseCode.ABNORMAL, message: reason });
      socket.write(encodeFrame(Opcode.CLOSE, body).bytes);
    }
    if (socket.writableLength === 0 && reason === '') return void socket.destroy();
    socket.destroySoon();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.once('close', () => clearTimeout(timer));
  }

  resume(): void {
    if (this.#state !== 'closed') this.#socket.resume();
  }

  #flush(): void {
    for (const bytes of this.#waiting.takeAll()) this.#socket.write(bytes, this.#onWritten);
  }

  #written(): void {
    if (this.#socket.writableLength > 0) return;
    this.#flush();
    if (!this.#isBlocked || this.#socket.writableLength > 0) return;
    this.#isBlocked = false;
    this.#partner?.resume();
  }

  #closed(): void {
    const state = this.#state;
    this.#state = 'closed';
    this.#waiting.takeAll();
    // A socket that has ended in both directions has passed both ends on already.
    if (state === 'closed' || (state.input === 'ended' && state.output === 'ended')) return;
    this.#partner?.abort(state.input === 'open' && state.output === 'open' ? this.#endReason : '');
  }
}

const OPEN = { input: 'open', output: 'open' } as const;
