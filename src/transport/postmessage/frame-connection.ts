import { CloseCode, Opcode } from '../../wire/codes.ts';
import type { Connection, ConnectionListener } from '../../wire/connection.ts';
import type { EncodedFrame, Frame } from '../../wire/frame.ts';
import { MessageFlow } from '../websocket/message-flow.ts';

/** What a connection has of the page around its frame. */
export interface FrameLink {
  /** Says `[opcode, body]` to the frame; the body is JSON. Returns how many bytes wait to be taken. */
  send(opcode: number, body: Uint8Array | string, taken?: () => void): number;
  /** Bytes that wait to be taken. */
  readonly waiting: number;
  pause(): void;
  resume(): void;
  /** The connection is over. */
  over(connection: FrameConnection): void;
  /** The peer reads nothing any more. */
  drop(): void;
}

/** An app in the frame of an activity, from one HANDSHAKE to the next. */
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

  /** The frame has said something. */
  push(frame: Frame): void {
    this.#flow.push(frame);
  }

  send(frame: EncodedFrame): void {
    // The SDK knows HANDSHAKE, FRAME, CLOSE and a HELLO of old, and throws for anything else.
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

  /** The bound on a message stands from the first one on. */
  setFrameLimit(): void {}

  /** The frame has gone, or began anew: the session is told, once. */
  pageClosed(): void {
    this.#flow.close();
    this.#link.over(this);
    // Not while the session is at it.
    queueMicrotask(() => this.#flow.ended());
  }
}
