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
 * Delivers whole messages to their session, for transports whose library parses the messages. When the session pauses,
 * messages of the current read that were parsed already wait here; they are bounded by one read of the socket.
 */
export class MessageFlow {
  readonly #waiting: Frame[];
  #flow: Flow = { kind: 'idle' };
  /**
   * Number of bytes read since the last whole message. It is an upper bound of the incomplete message that the library
   * buffers.
   */
  #unparsed = 0;
  #progress = false;
  /** Number of bytes that waited right after the frame at the front was sent. */
  #front = 0;

  /** `waiting` is delivered first. */
  constructor(waiting: readonly Frame[] = []) {
    this.#waiting = [...waiting];
  }

  /** Whether messages can be received and sent. */
  get open(): boolean {
    return this.#flow.kind === 'flowing' || this.#flow.kind === 'paused';
  }

  start(listener: ConnectionListener): void {
    // The connection may have waited to be served, while the peer left.
    if (this.#flow.kind === 'ended') return queueMicrotask(() => listener.ended());
    if (this.#flow.kind !== 'idle') return;
    this.#flow = { kind: 'flowing', listener };
    // The delivery is deferred, because the session's constructor is still running.
    queueMicrotask(() => this.#deliver());
  }

  /** Replaces the listener for all later messages. */
  redirect(listener: ConnectionListener): void {
    if (this.#flow.kind !== 'idle' && this.#flow.kind !== 'ended') this.#flow = { ...this.#flow, listener };
  }

  push(frame: Frame): void {
    this.progress();
    if (!this.open) return;
    this.#waiting.push(frame);
    this.#deliver();
  }

  /** Records that the read that is being parsed contained a whole message. */
  progress(): void {
    this.#progress = true;
  }

  /**
   * Counts a read of `bytes` after it was parsed. The remainder of a read that contained a whole message is not
   * counted.
   */
  read(bytes: number): void {
    this.#unparsed = this.#progress ? 0 : this.#unparsed + bytes;
    this.#progress = false;
    if (this.#flow.kind === 'flowing') this.#flow.listener.partial(this.#unparsed);
  }

  /** Reports that `bytes` wait until the peer reads. */
  backlog(bytes: number): void {
    if (this.#flow.kind === 'flowing' || this.#flow.kind === 'paused') this.#flow.listener.backlog(bytes);
  }

  /**
   * Counts a sent frame: `before` bytes waited for the peer before the frame was sent, and `after` bytes wait now.
   * Returns false when the bytes behind the frame at the front exceed `max`. The front is not counted, because one
   * frame may be larger than the limit of unread bytes.
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

  /** Resumes delivery. Returns true when no message is waiting, so that the socket may be read again. */
  resume(): boolean {
    if (this.#flow.kind !== 'paused') return false;
    this.#flow = { ...this.#flow, kind: 'flowing' };
    this.#deliver();
    // The delivery may have paused or closed the connection again.
    return (this.#flow as Flow).kind === 'flowing';
  }

  /** Stops all delivery. Returns true only for the first call. */
  close(): boolean {
    if (this.#flow.kind === 'closing' || this.#flow.kind === 'ended') return false;
    const listener = this.#flow.kind === 'idle' ? undefined : this.#flow.listener;
    this.#flow = { kind: 'closing', listener };
    this.#waiting.length = 0;
    return true;
  }

  /** Handles the disconnect of the peer: notifies the session once. */
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
