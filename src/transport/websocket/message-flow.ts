import type { CloseError } from '../../wire/close-error.ts';
import type { ConnectionListener } from '../../wire/connection.ts';
import type { Frame } from '../../wire/frame.ts';

type Flow =
  | { readonly kind: 'idle' }
  | { readonly kind: 'flowing' | 'paused'; readonly listener: ConnectionListener }
  /** The connection is being closed; further input is dropped. */
  | { readonly kind: 'closing'; readonly listener: ConnectionListener | undefined }
  | { readonly kind: 'ended' };

/**
 * Delivers whole messages to their session, for carriers that parse by themselves. A message that such a carrier had
 * already read when the session paused it waits here, which is bounded by one read of the socket.
 */
export class MessageFlow {
  readonly #waiting: Frame[];
  #flow: Flow = { kind: 'idle' };
  /**
   * Bytes read since the last whole message: an upper bound of the part of the next message that the carrier
   * buffers.
   */
  #unparsed = 0;
  #progress = false;
  /** Bytes that waited once the frame at the front was sent. */
  #front = 0;

  /** `waiting` is delivered first. */
  constructor(waiting: readonly Frame[] = []) {
    this.#waiting = [...waiting];
  }

  /** Whether messages go in and out. */
  get open(): boolean {
    return this.#flow.kind === 'flowing' || this.#flow.kind === 'paused';
  }

  start(listener: ConnectionListener): void {
    // The connection may have waited to be served, while the peer left.
    if (this.#flow.kind === 'ended') return queueMicrotask(() => listener.ended());
    if (this.#flow.kind !== 'idle') return;
    this.#flow = { kind: 'flowing', listener };
    // Not before the session that is being built exists.
    queueMicrotask(() => this.#deliver());
  }

  /** Delivers to another listener from now on. */
  redirect(listener: ConnectionListener): void {
    if (this.#flow.kind !== 'idle' && this.#flow.kind !== 'ended') this.#flow = { ...this.#flow, listener };
  }

  push(frame: Frame): void {
    this.progress();
    if (!this.open) return;
    this.#waiting.push(frame);
    this.#deliver();
  }

  /** The read that is being parsed held something whole. */
  progress(): void {
    this.#progress = true;
  }

  /** Counts a read of `bytes` that has been parsed; the rest of a read that contained a message is not counted. */
  read(bytes: number): void {
    this.#unparsed = this.#progress ? 0 : this.#unparsed + bytes;
    this.#progress = false;
    if (this.#flow.kind === 'flowing') this.#flow.listener.partial(this.#unparsed);
  }

  /** `bytes` wait for the peer to read. */
  backlog(bytes: number): void {
    if (this.#flow.kind === 'flowing' || this.#flow.kind === 'paused') this.#flow.listener.backlog(bytes);
  }

  /**
   * Counts a sent frame: `before` bytes waited for the peer before it, `after` wait now. False where those behind the
   * frame at the front exceed `max`: one frame may be larger than the bound of unread bytes.
   */
  sent(before: number, after: number, max: number): boolean {
    if (before === 0) this.#front = after;
    if (after - this.#front > max) return false;
    this.backlog(after);
    return true;
  }

  broken(error: CloseError): void {
    if (this.#flow.kind === 'flowing' || this.#flow.kind === 'paused') this.#flow.listener.broken(error);
  }

  pause(): void {
    if (this.#flow.kind === 'flowing') this.#flow = { ...this.#flow, kind: 'paused' };
  }

  /** True when no message waits any more, so that the carrier may read on. */
  resume(): boolean {
    if (this.#flow.kind !== 'paused') return false;
    this.#flow = { ...this.#flow, kind: 'flowing' };
    this.#deliver();
    // Delivery may have paused or closed it again.
    return (this.#flow as Flow).kind === 'flowing';
  }

  /** Stops all delivery. True the first time. */
  close(): boolean {
    if (this.#flow.kind === 'closing' || this.#flow.kind === 'ended') return false;
    const listener = this.#flow.kind === 'idle' ? undefined : this.#flow.listener;
    this.#flow = { kind: 'closing', listener };
    this.#waiting.length = 0;
    return true;
  }

  /** The peer has disconnected: notifies the session, once. */
  ended(): void {
    this.close();
    const flow = this.#flow;
    this.#flow = { kind: 'ended' };
    if (flow.kind === 'closing') flow.listener?.ended();
  }

  #deliver(): void {
    for (let [next] = this.#waiting; next && this.#flow.kind === 'flowing'; [next] = this.#waiting) {
      if (!this.#flow.listener.admits(next.body.byteLength)) return;
      const frame = this.#waiting.shift();
      if (frame === undefined) return;
      this.#flow.listener.frame(frame);
    }
  }
}
