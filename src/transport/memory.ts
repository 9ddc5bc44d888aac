import { CloseError } from '../wire/close-error.ts';
import { CloseCode, Opcode } from '../wire/codes.ts';
import type { Connection, ConnectionListener, PeerCredentials } from '../wire/connection.ts';
import { FrameDecoder } from '../wire/decoder.ts';
import { encodeFrame, type Frame } from '../wire/frame.ts';
import type { Transport } from './transport.ts';

/** The app's end of an in-memory connection. */
export interface MemoryPeer {
  /** Sends raw bytes, which need not be whole frames. */
  write(bytes: Uint8Array): void;
  send(opcode: Opcode, body: unknown): void;
  /** Resolves with the next frame from the bridge, or with undefined after the connection has ended. */
  receive(): Promise<Frame | undefined>;
  end(): void;
}

/**
 * Returns a transport inside the process, for embedding and for tests that need no file system. `credentials` name the
 * process that its apps count as; without them it is unknown.
 */
export function memoryTransport(credentials?: PeerCredentials): Transport & { connect(): MemoryPeer } {
  let accept: ((connection: Connection) => void) | undefined;
  return {
    async listen(onConnection) {
      accept = onConnection;
      return [{ kind: 'memory', path: 'memory' }];
    },
    stopAccepting() {
      accept = undefined;
    },
    async close() {
      accept = undefined;
    },
    connect() {
      if (accept === undefined) throw new Error('The memory transport does not listen');
      const link = new MemoryLink(credentials);
      accept(link.connection());
      return link.peer();
    },
  };
}

type Listening =
  | { readonly kind: 'idle' }
  | { readonly kind: 'flowing' | 'paused'; readonly listener: ConnectionListener }
  | { readonly kind: 'ended' };

class MemoryLink {
  readonly #decoder = new FrameDecoder(16 * 1024);
  readonly #outbox: Frame[] = [];
  #state: Listening = { kind: 'idle' };
  #taker: ((frame: Frame | undefined) => void) | undefined;
  readonly #credentials: PeerCredentials | undefined;

  constructor(credentials: PeerCredentials | undefined) {
    this.#credentials = credentials;
  }

  connection(): Connection {
    return {
      kind: 'memory',
      ...(this.#credentials && { peer: this.#credentials }),
      start: (listener) => {
        // The connection may have waited to be served, while the peer left.
        if (this.#state.kind === 'ended') return queueMicrotask(() => listener.ended());
        this.#state = { kind: 'flowing', listener };
        this.#pump();
      },
      redirect: (listener) => {
        if (this.#state.kind === 'flowing' || this.#state.kind === 'paused')
          this.#state = { ...this.#state, listener };
      },
      send: (frame) => {
        for (const whole of frame.completes ?? [frame]) this.#deliver(whole);
      },
      close: (code, message) => {
        this.#deliver(encodeFrame(Opcode.CLOSE, JSON.stringify({ code, message })));
        this.#end();
      },
      pause: () => {
        if (this.#state.kind === 'flowing') this.#state = { ...this.#state, kind: 'paused' };
      },
      resume: () => {
        if (this.#state.kind !== 'paused') return;
        this.#state = { ...this.#state, kind: 'flowing' };
        this.#pump();
      },
      setFrameLimit: (bytes) => {
        this.#decoder.limit = bytes;
      },
      end: () => this.#end(),
      destroy: () => this.#end(),
    };
  }

  peer(): MemoryPeer {
    return {
      write: (bytes) => {
        this.#decoder.append(bytes);
        this.#pump();
      },
      send: (opcode, body) => {
        this.#decoder.append(encodeFrame(opcode, JSON.stringify(body)).bytes);
        this.#pump();
      },
      receive: () => {
        const frame = this.#outbox.shift();
        if (frame !== undefined || this.#state.kind === 'ended') return Promise.resolve(frame);
        return new Promise((resolve) => {
          this.#taker = resolve;
        });
      },
      end: () => this.#end(),
    };
  }

  #pump(): void {
    if (this.#state.kind !== 'flowing') return;
    try {
      while (this.#state.kind === 'flowing' && this.#state.listener.admits(this.#decoder.nextBytes)) {
        const frame = this.#decoder.take();
        if (frame === undefined) return this.#state.listener.partial(this.#decoder.pendingBytes);
        this.#state.listener.frame(frame);
      }
    } catch (error) {
      if (this.#state.kind !== 'flowing') return;
      this.#state.listener.broken(
        error instanceof CloseError
          ? error
          : new CloseError(CloseCode.UNSUPPORTED, 'Broken frame', { cause: error }),
      );
    }
  }

  #deliver(frame: Frame): void {
    if (this.#state.kind === 'ended') return;
    const taker = this.#taker;
    this.#taker = undefined;
    if (taker) taker(frame);
    else this.#outbox.push(frame);
  }

  #end(): void {
    if (this.#state.kind === 'ended') return;
    const state = this.#state;
    this.#state = { kind: 'ended' };
    if (state.kind !== 'idle') queueMicrotask(() => state.listener.ended());
    this.#taker?.(undefined);
    this.#taker = undefined;
  }
}
