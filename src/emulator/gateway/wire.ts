import type { Deflate } from 'node:zlib';
import { constants, createDeflate, deflateSync } from 'node:zlib';
import type { WebSocket } from 'ws';

/** How payloads are written: as they are, those of some size each compressed, or all of them as one stream. */
export interface Wire {
  /** Bytes that were handed over and have not left. */
  readonly waiting: number;
  /** `left` is called when it has left, or never will. */
  send(text: string, left?: () => void): void;
  /** Frees what it took. */
  close(): void;
}

/** Smaller payloads stay as they are where each may be compressed by itself (bytes). */
const WORTH_COMPRESSING = 1024;

/** Payloads as they are, or compressed one by one from the moment that `compress` says so. */
export class PlainWire implements Wire {
  readonly #socket: WebSocket;
  #compress = false;

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  get waiting(): number {
    return this.#socket.bufferedAmount;
  }

  compress(): void {
    this.#compress = true;
  }

  send(text: string, left?: () => void): void {
    const isCompressed = this.#compress && text.length >= WORTH_COMPRESSING;
    this.#socket.send(isCompressed ? deflateSync(text) : text, { binary: isCompressed }, left);
  }

  close(): void {}
}

/** One stream of zlib over all payloads; each ends with a flush, 00 00 FF FF. */
export class ZlibStreamWire implements Wire {
  readonly #socket: WebSocket;
  readonly #deflate: Deflate = createDeflate({ flush: constants.Z_SYNC_FLUSH });
  #chunks: Buffer[] = [];
  /** Bytes that are being compressed. */
  #inside = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    this.#deflate.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
    this.#deflate.on('error', () => socket.terminate());
  }

  get waiting(): number {
    return this.#inside + this.#socket.bufferedAmount;
  }

  send(text: string, left?: () => void): void {
    const { length } = text;
    this.#inside += length;
    this.#deflate.write(text, () => {
      this.#inside -= length;
      const bytes = Buffer.concat(this.#chunks);
      this.#chunks = [];
      if (bytes.length === 0) left?.();
      else this.#socket.send(bytes, { binary: true }, left);
    });
  }

  close(): void {
    this.#deflate.close();
  }
}
