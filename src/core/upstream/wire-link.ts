import type { Duplex } from 'node:stream';
import { isObject, parseJson } from '../../protocol/json.ts';
import { CloseError } from '../../wire/close-error.ts';
import { CloseCode, Opcode } from '../../wire/codes.ts';
import { FrameDecoder } from '../../wire/decoder.ts';
import { encodeFrame } from '../../wire/frame.ts';

/** Largest frame taken from an upstream, in bytes: the reference server's own limit. */
const MAX_FRAME_BYTES = 3 * 1024 * 1024;

/** What a link tells its owner. */
export interface WireListener {
  /** A payload: READY, a reply or an event. */
  payload(payload: { readonly [key: string]: unknown }): void;
  /** The upstream is gone, with the code and text of its CLOSE where it sent one. Called once, last. */
  ended(reason: { readonly code: number; readonly message: string } | undefined): void;
}

/** The app's side of the protocol on one stream: parses what comes, serialises what goes. */
export class WireLink {
  readonly #stream: Duplex;
  readonly #decoder = new FrameDecoder(MAX_FRAME_BYTES);
  readonly #listener: WireListener;
  #reason: { readonly code: number; readonly message: string } | undefined;

  constructor(stream: Duplex, listener: WireListener) {
    this.#stream = stream;
    this.#listener = listener;
    stream.on('error', () => {});
    stream.on('data', (chunk: Uint8Array) => this.#receive(chunk));
    stream.on('close', () => listener.ended(this.#reason));
    stream.on('end', () => stream.end());
  }

  /** Bytes that wait in our memory because the upstream does not read. */
  get waitingBytes(): number {
    return this.#stream.writableLength;
  }

  send(opcode: Opcode, body: unknown): void {
    this.#stream.write(encodeFrame(opcode, JSON.stringify(body)).bytes);
  }

  destroy(): void {
    this.#stream.destroy();
  }

  #receive(chunk: Uint8Array): void {
    try {
      for (const frame of this.#decoder.push(chunk)) this.#take(frame.opcode, frame.body);
    } catch (error) {
      // Garbage from the client ends this link only; it is rebuilt like one that was lost.
      this.#reason = {
        code: error instanceof CloseError ? error.code : CloseCode.UNSUPPORTED,
        message: error instanceof CloseError ? error.message : 'The chat client sent what cannot be read',
      };
      this.destroy();
    }
  }

  #take(opcode: Opcode, body: Uint8Array): void {
    if (opcode === Opcode.PING) {
      this.#stream.write(encodeFrame(Opcode.PONG, body).bytes);
    } else if (opcode === Opcode.CLOSE) {
      const close = parseJson(body);
      const { code, message } = isObject(close) ? close : {};
      this.#reason = {
        code: typeof code === 'number' ? code : CloseCode.NORMAL,
        message: typeof message === 'string' ? message : '',
      };
      this.#stream.end();
    } else if (opcode === Opcode.FRAME) {
      const payload = parseJson(body);
      if (isObject(payload)) this.#listener.payload(payload);
    }
  }
}
