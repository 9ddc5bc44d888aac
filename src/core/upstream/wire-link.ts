import type { Duplex } from 'node:stream';
import { parseExact, printExact } from '../../base/exact-json.ts';
import { isObject, type JsonObject, parseJson } from '../../protocol/json.ts';
import { CloseError } from '../../wire/close-error.ts';
import { CloseCode, Opcode } from '../../wire/codes.ts';
import { FrameDecoder, framesOf } from '../../wire/decoder.ts';
import { encodeFrame, MAX_FRAME_BYTES } from '../../wire/frame.ts';
import { offersStreams, STREAM_NOTICE } from '../../wire/streams.ts';
import { FixedWindow, type WindowLimits } from '../fixed-window.ts';

/**
 * Limits per upstream and second; messages beyond them wait in the upstream's socket. Voice in a large call causes a
 * few hundred events a second, and an answer has a few KiB.
 */
const MAX_PER_SECOND: WindowLimits = { messages: 5000, bytes: 32 * 1024 * 1024 };
/** Time until the connection is cut after a CLOSE from either side, if the upstream does not close it (ms). */
const LEAVE_MS = 1000;

/** Code and text of a CLOSE frame, with defaults for missing members. */
export interface CloseReason {
  readonly code: number;
  readonly message: string;
}

/** Events of a link. */
export interface LinkListener {
  /** Called for each payload: READY, a reply or an event. */
  payload(payload: JsonObject, link: WireLink): void;
  /** A body is not valid UTF-8. */
  garbled?(): void;
  /**
   * Called once, as the last callback, when the connection has closed; `reason` is present where a CLOSE frame
   * contained one.
   */
  ended(reason: CloseReason | undefined, link: WireLink): void;
}

/** The app's side of the protocol on one stream: parses incoming frames, serialises outgoing ones. */
export class WireLink {
  /** Receiver of the events; may be replaced at any time. */
  listener: LinkListener;
  readonly #stream: Duplex;
  readonly #decoder = new FrameDecoder(MAX_FRAME_BYTES);
  #reason: CloseReason | undefined;
  #ended = false;
  readonly #window: FixedWindow;

  constructor(stream: Duplex, listener: LinkListener, limits = MAX_PER_SECOND) {
    this.#window = new FixedWindow(limits);
    this.#stream = stream;
    this.listener = listener;
    stream.on('error', () => {});
    stream.on('data', (chunk: Uint8Array) => this.#receive(chunk));
    stream.on('end', () => this.leave());
    stream.on('close', () => {
      this.#ended = true;
      this.listener.ended(this.#reason, this);
    });
  }

  /** Bytes buffered in our memory because the upstream does not read. */
  get waitingBytes(): number {
    return this.#stream.writableLength;
  }

  /** Whether no further payload will arrive. */
  get ended(): boolean {
    return this.#ended || this.#stream.destroyed;
  }

  send(opcode: Opcode, body: unknown): void {
    this.#write(opcode, printExact(body));
  }

  /** Sends a frame that is encoded already, such as one for several clients. */
  sendFrame(bytes: Uint8Array): void {
    if (this.#stream.writable) this.#stream.write(bytes);
  }

  #write(opcode: Opcode, body: string | Uint8Array): void {
    this.sendFrame(encodeFrame(opcode, body).bytes);
  }

  /** Half-closes, so that buffered data is still delivered. */
  leave(): void {
    if (this.#stream.destroyed) return;
    this.#stream.end();
    setTimeout(() => this.destroy(), LEAVE_MS).unref();
  }

  destroy(): void {
    this.#stream.destroy();
  }

  #receive(chunk: Uint8Array): void {
    this.#count(0, chunk.byteLength);
    try {
      for (const frame of framesOf(this.#decoder, chunk)) {
        this.#count(1, 0);
        this.#take(frame.opcode, frame.body);
      }
    } catch (error) {
      // Invalid data from the client closes only this link, which is reconnected like a lost link.
      this.#reason = {
        code: CloseCode.UNSUPPORTED,
        message: error instanceof CloseError ? error.message : 'The chat client sent invalid data',
      };
      this.destroy();
    }
  }

  /** Pauses the link of an upstream that floods, so that other sessions still get their time. */
  #count(frames: number, bytes: number): void {
    const verdict = this.#window.take(frames, bytes, performance.now());
    if (verdict.kind === 'within' || this.#stream.isPaused()) return;
    this.#stream.pause();
    setTimeout(() => this.#stream.resume(), verdict.waitMs).unref();
  }

  #take(opcode: Opcode, body: Uint8Array): void {
    if (opcode === Opcode.PING) {
      this.#write(Opcode.PONG, body);
    } else if (opcode === Opcode.CLOSE) {
      const close = parseJson(body);
      const { code, message } = isObject(close) ? close : {};
      this.#reason = {
        code: typeof code === 'number' ? code : CloseCode.NORMAL,
        message: typeof message === 'string' ? message : '',
      };
      this.leave();
    } else if (opcode === Opcode.FRAME) {
      const garbled = (): void => this.listener.garbled?.();
      const payload = parseJson(body, { parse: parseExact, garbled });
      if (!isObject(payload)) return;
      if (payload.evt === 'READY' && offersStreams(payload.data)) this.#write(Opcode.PING, STREAM_NOTICE);
      this.listener.payload(payload, this);
    }
  }
}
