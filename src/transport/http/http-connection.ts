import type { Connection, ConnectionListener } from '../../wire/connection.ts';
import type { EncodedFrame, Frame } from '../../wire/frame.ts';

/** Request of an {@link HttpConnection}, and the functions that send its answer. */
export interface HttpConnectionOptions {
  readonly origin: string;
  readonly handshake: Frame;
  readonly request: Frame;
  /** Must be called at most once. */
  answer(status: 200 | 400, body: Uint8Array): void;
  /** Drops the peer without an answer. */
  drop(): void;
}

type Stage =
  | { readonly kind: 'idle' }
  /** The session has received the handshake and will send READY, which the HTTP client does not receive. */
  | { readonly kind: 'handshaking'; readonly listener: ConnectionListener }
  | { readonly kind: 'asking'; readonly listener: ConnectionListener }
  | { readonly kind: 'ended' };

/** Connection for a session that lasts for one HTTP request: handshake, one payload, one answer, end. */
export class HttpConnection implements Connection {
  readonly kind = 'http';
  readonly origin: string;
  readonly #options: HttpConnectionOptions;
  #stage: Stage = { kind: 'idle' };
  /** Delivers the frame that the session has not taken yet; called on `resume`. */
  #onResume: (() => void) | undefined;

  constructor(options: HttpConnectionOptions) {
    this.origin = options.origin;
    this.#options = options;
  }

  start(listener: ConnectionListener): void {
    // The connection may have waited to be served, while the peer left.
    if (this.#stage.kind === 'ended') return queueMicrotask(() => listener.ended());
    if (this.#stage.kind !== 'idle') return;
    this.#stage = { kind: 'handshaking', listener };
    // The delivery is deferred, because the session's constructor is still running.
    queueMicrotask(() => this.#deliver('handshaking', this.#options.handshake));
  }

  redirect(listener: ConnectionListener): void {
    if (this.#stage.kind === 'handshaking' || this.#stage.kind === 'asking')
      this.#stage = { ...this.#stage, listener };
  }

  send(frame: EncodedFrame): void {
    if (this.#stage.kind === 'handshaking') {
      this.#stage = { ...this.#stage, kind: 'asking' };
      queueMicrotask(() => this.#deliver('asking', this.#options.request));
    } else if (this.#stage.kind === 'asking') {
      this.#options.answer(200, frame.body);
      this.#end();
    }
  }

  close(code: number, message: string): void {
    if (this.#stage.kind === 'ended') return;
    this.#options.answer(400, new TextEncoder().encode(JSON.stringify({ code, message })));
    this.#end();
  }

  end(): void {
    this.destroy();
  }

  destroy(): void {
    if (this.#stage.kind === 'ended') return;
    this.#options.drop();
    this.#end();
  }

  /** The peer has hung up. */
  peerClosed(): void {
    this.#end();
  }

  // The one payload was read before the session began, so there is no input to pause or to limit.
  pause(): void {}
  setFrameLimit(): void {}

  resume(): void {
    const deliver = this.#onResume;
    this.#onResume = undefined;
    deliver?.();
  }

  #deliver(stage: 'handshaking' | 'asking', frame: Frame): void {
    if (this.#stage.kind !== stage) return;
    if (this.#stage.listener.admits(frame.body.byteLength)) this.#stage.listener.frame(frame);
    else this.#onResume = () => this.#deliver(stage, frame);
  }

  #end(): void {
    const stage = this.#stage;
    this.#stage = { kind: 'ended' };
    if (stage.kind === 'handshaking' || stage.kind === 'asking') {
      queueMicrotask(() => stage.listener.ended());
    }
  }
}
