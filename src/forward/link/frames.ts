/**
 * Kinds of frames of the link protocol. A frame is a header of {@link HEADER_BYTES} and a body: kind (1 byte), length
 * of the body (3 bytes), session (4 bytes), all little-endian. See README.md.
 */
export const FrameKind = {
  /** Opens a session; only the end that accepts apps sends it. The body is the number of the app's process (4 bytes). */
  OPEN: 1,
  /** Bytes of a session. */
  DATA: 2,
  /** The sender has no further bytes for the session; the other direction continues. No body. */
  END: 3,
  /** Ends the session in both directions; the body is the reason as UTF-8, empty where a peer just left. */
  CLOSE: 4,
  /** Allows the receiver to send further bytes of the session; the body is their number (4 bytes). */
  CREDIT: 5,
  /** Confirms the receipt of DATA of all sessions; the body is their cost (4 bytes). Session 0. */
  ACK: 6,
  /** Asks for a PONG, to find out whether the other end still runs. No body. Session 0. */
  PING: 7,
  PONG: 8,
} as const;
export type FrameKind = (typeof FrameKind)[keyof typeof FrameKind];

export const HEADER_BYTES = 8;

/** Maximum body of DATA (bytes): small, so that the frames of many sessions alternate. */
export const MAX_DATA_BYTES = 8 * 1024;

/** Maximum length of a reason in CLOSE (bytes). */
export const MAX_REASON_BYTES = 512;

/** Bytes of a session that a sender may send before the receiver allows more. */
export const CREDIT_BYTES = 64 * 1024;

/** Cost of a DATA frame besides the bytes of its body: what it costs the receiver to pass a small one on. */
export const FRAME_COST = 512;

/** Minimum and maximum length of the body by kind; undefined for an unknown kind. */
function bodyLimits(kind: number): readonly [min: number, max: number] | undefined {
  switch (kind) {
    case FrameKind.DATA:
      return [1, MAX_DATA_BYTES];
    case FrameKind.CLOSE:
      return [0, MAX_REASON_BYTES];
    case FrameKind.OPEN:
    case FrameKind.CREDIT:
    case FrameKind.ACK:
      return [4, 4];
    case FrameKind.END:
    case FrameKind.PING:
    case FrameKind.PONG:
      return [0, 0];
    default:
      return undefined;
  }
}

/** Violation of the link protocol by the other end, as a clause after "the other end". */
export class LinkError extends Error {
  override readonly name = 'LinkError';
}

/** Receives the frames of a {@link LinkDecoder}; `bytes` are a part of the chunk that was read. */
export interface FrameReceiver {
  /** Bytes of DATA: a whole frame or a part of one. `isFirst` is true for the first part of a frame. */
  data(session: number, bytes: Uint8Array, isFirst: boolean): void;
  /** Any other frame. */
  control(kind: FrameKind, session: number, body: Uint8Array): void;
}

/**
 * Splits the bytes of a link into frames. DATA is passed on in the parts in which it was read, so it is never copied
 * and never stored; the length of a body is checked before any of it is used.
 */
export class LinkDecoder {
  readonly #receiver: FrameReceiver;
  /** Header of the current frame, as far as it has been read, and then the body of a frame that is not DATA. */
  readonly #stored = new Uint8Array(HEADER_BYTES + MAX_REASON_BYTES);
  #storedBytes = 0;
  #kind = 0;
  #session = 0;
  /** Length of the body, and the number of its bytes that have not been read. */
  #length = 0;
  #left = 0;

  constructor(receiver: FrameReceiver) {
    this.#receiver = receiver;
  }

  /** Takes a chunk. Throws {@link LinkError} at the first frame that violates the protocol. */
  append(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#storedBytes < HEADER_BYTES) {
        if (this.#storedBytes === 0 && chunk.length - at >= HEADER_BYTES) {
          this.#readHeader(chunk, at);
          at += HEADER_BYTES;
        } else {
          this.#stored[this.#storedBytes] = chunk[at] as number;
          this.#storedBytes += 1;
          at += 1;
          if (this.#storedBytes < HEADER_BYTES) continue;
          this.#readHeader(this.#stored, 0);
        }
        if (this.#left > 0) continue;
        this.#storedBytes = 0;
        this.#receiver.control(this.#kind as FrameKind, this.#session, EMPTY);
        continue;
      }
      const end = Math.min(chunk.length, at + this.#left);
      this.#readBody(chunk.subarray(at, end));
      at = end;
    }
  }

  #readHeader(bytes: Uint8Array, at: number): void {
    const kind = bytes[at] as number;
    const length = int32(bytes, at) >>> 8;
    const limits = bodyLimits(kind);
    if (limits === undefined) throw new LinkError(`sent a frame of the unknown kind ${kind}`);
    if (length < limits[0] || length > limits[1])
      throw new LinkError(`sent a frame of kind ${kind} with ${length} bytes`);
    this.#kind = kind;
    this.#length = length;
    this.#left = length;
    this.#session = int32(bytes, at + 4) >>> 0;
    this.#storedBytes = HEADER_BYTES;
  }

  #readBody(part: Uint8Array): void {
    const isFirst = this.#left === this.#length;
    this.#left -= part.length;
    const isLast = this.#left === 0;
    if (this.#kind === FrameKind.DATA) {
      if (isLast) this.#storedBytes = 0;
      this.#receiver.data(this.#session, part, isFirst);
      return;
    }
    if (isFirst && isLast) {
      this.#storedBytes = 0;
      this.#receiver.control(this.#kind as FrameKind, this.#session, part);
      return;
    }
    this.#stored.set(part, this.#storedBytes);
    this.#storedBytes += part.length;
    if (!isLast) return;
    const body = this.#stored.slice(HEADER_BYTES, this.#storedBytes);
    this.#storedBytes = 0;
    this.#receiver.control(this.#kind as FrameKind, this.#session, body);
  }
}

const EMPTY = new Uint8Array(0);

/** Writes the header of a frame into `bytes`. */
export function writeHeader(
  bytes: Uint8Array,
  at: number,
  kind: FrameKind,
  length: number,
  session: number,
): void {
  bytes[at] = kind;
  bytes[at + 1] = length;
  bytes[at + 2] = length >>> 8;
  bytes[at + 3] = length >>> 16;
  writeInt32(bytes, at + 4, session);
}

/** Encodes a frame with a body of bytes; the body of END, PING and PONG is empty. */
export function encodeLinkFrame(kind: FrameKind, session: number, body: Uint8Array = EMPTY): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + body.length);
  writeHeader(bytes, 0, kind, body.length, session);
  bytes.set(body, HEADER_BYTES);
  return bytes;
}

/** Encodes a frame whose body is a number: OPEN, CREDIT or ACK. */
export function encodeNumber(kind: FrameKind, session: number, value: number): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + 4);
  writeHeader(bytes, 0, kind, 4, session);
  writeInt32(bytes, HEADER_BYTES, value);
  return bytes;
}

/** Reads the number of an OPEN, CREDIT or ACK. */
export function numberIn(body: Uint8Array): number {
  return int32(body, 0) >>> 0;
}

/** Encodes CLOSE; a reason that is too long is cut. */
export function encodeClose(session: number, reason: string): Uint8Array {
  return encodeLinkFrame(
    FrameKind.CLOSE,
    session,
    new TextEncoder().encode(reason).subarray(0, MAX_REASON_BYTES),
  );
}

function int32(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  );
}

function writeInt32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
  bytes[at + 2] = value >>> 16;
  bytes[at + 3] = value >>> 24;
}
