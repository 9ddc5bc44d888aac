import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import type { WebSocket } from 'ws';
import { splitBytes } from '../../../faults/pieces.ts';

/**
 * Encoding of payloads: uncompressed, with each large payload compressed, or with all payloads in one compressed
 * stream.
 */
export interface Wire {
  /** Bytes that were accepted and have not left yet. */
  readonly waiting: number;
  /**
   * Sends a text. `left` is called when the text has left, or when it can no longer be sent. With `isSplit`, the text
   * is sent in several fragments.
   */
  send(text: string, left?: () => void, isSplit?: boolean): void;
  /** Releases its resources. */
  close(): void;
}

/** Minimum size of a payload that is compressed individually (bytes). */
const WORTH_COMPRESSING = 1024;

/** Sends one message in several fragments (RFC 6455 5.4). */
function sendSplit(socket: WebSocket, data: Buffer, binary: boolean, left?: () => void): void {
  const pieces = splitBytes(data);
  for (const [index, piece] of pieces.entries()) {
    const fin = index === pieces.length - 1;
    socket.send(piece, { binary, fin }, fin ? left : undefined);
  }
}

/** Sends payloads without compression or, after `compress` was called, compresses large payloads individually. */
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

  send(text: string, left?: () => void, isSplit = false): void {
    const isCompressed = this.#compress && text.length >= WORTH_COMPRESSING;
    const data = isCompressed ? zlib.deflateSync(text) : text;
    if (isSplit) sendSplit(this.#socket, Buffer.from(data), isCompressed, left);
    else this.#socket.send(data, { binary: isCompressed }, left);
  }

  close(): void {}
}

/** A compressor of Node. */
export type Compressor = Transform & { close(): void };

/** What Node has of zstd from 22.15 and 23.8 on. */
const { createZstdCompress } = zlib as { createZstdCompress?: (options: { flush: number }) => Compressor };
/** `ZSTD_e_flush`, which ends a block and not the frame. */
const ZSTD_FLUSH = 1;

/** The compressors that this Node has, by the value of `compress` in the address of the gateway. */
export const COMPRESSORS: ReadonlyMap<string, () => Compressor> = new Map([
  ['zlib-stream', () => zlib.createDeflate({ flush: zlib.constants.Z_SYNC_FLUSH })],
  ...(createZstdCompress === undefined
    ? []
    : [['zstd-stream', () => createZstdCompress({ flush: ZSTD_FLUSH })] as const]),
]);

/** Sends all payloads in one compressed stream. Each payload ends with a flush; of zlib that is 00 00 FF FF. */
export class StreamWire implements Wire {
  readonly #socket: WebSocket;
  readonly #compressor: Compressor;
  #chunks: Buffer[] = [];
  /** Number of bytes that are being compressed. */
  #inside = 0;

  constructor(socket: WebSocket, compressor: Compressor) {
    this.#socket = socket;
    this.#compressor = compressor;
    this.#compressor.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
    this.#compressor.on('error', () => socket.terminate());
  }

  get waiting(): number {
    return this.#inside + this.#socket.bufferedAmount;
  }

  send(text: string, left?: () => void, isSplit = false): void {
    const { length } = text;
    this.#inside += length;
    this.#compressor.write(text, () => {
      this.#inside -= length;
      const bytes = Buffer.concat(this.#chunks);
      this.#chunks = [];
      if (bytes.length === 0) left?.();
      else if (isSplit) sendSplit(this.#socket, bytes, true, left);
      else this.#socket.send(bytes, { binary: true }, left);
    });
  }

  close(): void {
    this.#compressor.close();
  }
}
