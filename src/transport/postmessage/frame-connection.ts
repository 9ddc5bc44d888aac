import { CloseCode, Opcode } from '../../wire/codes.ts';
import type { Connection, ConnectionListener } from '../../wire/connection.ts';
import type { EncodedFrame, Frame } from '../../wire/frame.ts';
import { MessageFlow } from '../websocket/message-flow.ts';

/** Access of a connection to the host page around its frame. */
export interface FrameLink {
  /**
   * Sends `[opcode, body]` to the frame, where `body` is JSON. Returns the number of bytes that the kernel has not
   * taken yet.
   */
  send(opcode: number, body: Uint8Array | string, taken?: () => void): number;
  /** Bytes that wait to be taken. */
  readonly waiting: number;
  pause(): void;
  resume(): void;
  /** The connection is over. */
  over(connection: FrameConnection): void;
  /** The peer no longer reads. */
  drop(): void;
}

/** Connection of an app in the frame of an activity; each HANDSHAKE of the frame begins a new one. */
export class FrameConnection implements Connection {
  readonly kind = 'postmessage';
  readonly instance: string;
  readonly #link: FrameLink;
  readonly #unreadBytes: number;
  readonly #flow: MessageFlow;

  constructor(link: FrameLink, instance: string, handshake: Frame, unreadBytes: number) {
    this.instance = instance;
    this.#link = link;
    this.#unreadBytes = unreadBytes;
    this.#flow = new MessageFlow([handshake]);
  }

  start(listener: ConnectionListener): void {
    this.#flow.start(listener);
  }

  redirect(listener: ConnectionListener): void {
    this.#flow.redirect(listener);
  }

  /** The frame has sent a message. */
  push(frame: Frame): void {
    this.#flow.push(frame);
  }

  send(frame: EncodedFrame): void {
    // The app's SDK handles HANDSHAKE, FRAME, CLOSE and an old HELLO, and throws for any other opcode.
    if (frame.opcode !== Opcode.FRAME || !this.#flow.open) return;
    const before = this.#link.waiting;
    const waiting = this.#link.send(Opcode.FRAME, frame.body, () => this.#flow.backlog(this.#link.waiting));
    if (!this.#flow.sent(before, waiting, this.#unreadBytes)) this.#link.drop();
  }

  close(code: number, message: string): void {
    if (!this.#flow.close()) return;
    this.#link.send(Opcode.CLOSE, JSON.stringify({ code, message }));
    this.pageClosed();
  }

  end(): void {
    this.close(CloseCode.NORMAL, '');
  }

  destroy(): void {
    this.pageClosed();
  }

  pause(): void {
    this.#flow.pause();
    this.#link.pause();
  }

  resume(): void {
    if (this.#flow.resume()) this.#link.resume();
  }

  /** Does nothing, because the page's limit of a message applies from the first message. */
  setFrameLimit(): void {}

  /** Ends the connection because the frame was closed or reloaded; notifies the session once. */
  pageClosed(): void {
    this.#flow.close();
    this.#link.over(this);
    // The notification is deferred, because the caller may be the session itself.
    queueMicrotask(() => this.#flow.ended());
  }
}
