import { formatBytes } from '../format.ts';

/** Received frame: header and body. */
export interface RawFrame {
  readonly opcode: number;
  readonly header: Buffer;
  readonly body: Buffer;
  /** Number of the read that completed the frame, from 0; frames of one read were written together. */
  readonly read: number;
  /** False when the bytes of the frame arrived in more than one read. */
  readonly whole: boolean;
}

/** Bytes that cannot be a frame; all bytes after them are lost. */
export interface Garbage {
  readonly reason: string;
  readonly bytes: Buffer;
}

/** Maximum body in bytes; a longer body counts as garbage. */
const MAX_BODY = 16 * 1024 * 1024;

/** Header and body of one frame; `length` overrides the real byte count. */
export function frameBytes(opcode: number, body: string | Uint8Array, length?: number): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
  const header = Buffer.alloc(8);
  header.writeUInt32LE(opcode >>> 0, 0);
  header.writeUInt32LE((length ?? bytes.byteLength) >>> 0, 4);
  return Buffer.concat([header, bytes]);
}

/**
 * Cuts a byte stream into frames. Stops permanently at the first impossible header, which is then in `garbage`. Accepts
 * any opcode of one byte: the cases decide which are allowed.
 */
export class FrameReader {
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #reads = 0;
  #startedIn = 0;
  garbage: Garbage | undefined;

  /** Bytes of an unfinished frame. */
  get leftover(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  push(chunk: Buffer): RawFrame[] {
    const read = this.#reads++;
    if (this.garbage !== undefined) return [];
    if (this.#size === 0) this.#startedIn = read;
    this.#chunks.push(chunk);
    this.#size += chunk.byteLength;
    const frames: RawFrame[] = [];
    while (this.#size >= 8) {
      const header = this.#peek(8);
      const opcode = header.readUInt32LE(0);
      const length = header.readUInt32LE(4);
      if (opcode > 0xff || length > MAX_BODY) {
        this.garbage = { reason: `no frame header: ${formatBytes(header)}`, bytes: header };
        return frames;
      }
      if (this.#size < 8 + length) break;
      const whole = this.#startedIn === read;
      frames.push({ opcode, header: this.#take(8), body: this.#take(length), read, whole });
      this.#startedIn = read;
    }
    return frames;
  }

  #peek(count: number): Buffer {
    const first = this.#chunks[0];
    if (first !== undefined && first.byteLength >= count) return first.subarray(0, count);
    const all = Buffer.concat(this.#chunks);
    this.#chunks.splice(0, this.#chunks.length, all);
    return all.subarray(0, count);
  }

  #take(count: number): Buffer {
    const bytes = this.#peek(count);
    const first = this.#chunks[0];
    if (first !== undefined) {
      if (first.byteLength === count) this.#chunks.shift();
      else this.#chunks[0] = first.subarray(count);
    }
    this.#size -= count;
    return bytes;
  }
}
