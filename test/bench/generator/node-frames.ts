/** A frame that came. */
export interface Frame {
  readonly opcode: number;
  readonly body: Buffer;
}

/** A frame that can be sent; see frames.h. */
export interface ScriptFrame {
  readonly bytes: Buffer;
  /** Where the ten digits of the nonce begin; undefined where there are none. */
  readonly nonceAt: number | undefined;
  /** The nonce as the file has it, `"nonce":"…"`. */
  readonly nonce: string | undefined;
}

const HEADER_BYTES = 8;
const NONCE_DIGITS = 10;
const KEY = '"nonce":"';

/** The frames of a file that has one a line: the opcode, a blank, the body. Throws when there are none. */
export function readScript(text: string): ScriptFrame[] {
  const lines = text.split('\n').filter((line) => line !== '');
  if (lines.length === 0) throw new Error('a file of frames holds no frame');
  return lines.map((line) => {
    const [, opcode, body] = /^(\d+) (.*)$/.exec(line) ?? [];
    if (body === undefined) throw new Error('a line of frames begins with the opcode and a blank');
    const bytes = Buffer.alloc(HEADER_BYTES + Buffer.byteLength(body));
    bytes.writeUInt32LE(Number(opcode), 0);
    bytes.writeUInt32LE(bytes.length - HEADER_BYTES, 4);
    bytes.write(body, HEADER_BYTES);
    const [nonce] = /"nonce":"[^"]*"/.exec(body) ?? [];
    const counted = nonce === `${KEY}${'0'.repeat(NONCE_DIGITS)}"`;
    return { bytes, nonce, nonceAt: counted ? bytes.indexOf(KEY) + KEY.length : undefined };
  });
}

/** A copy of the frame with the digits of this nonce, where it has room for one. */
export function withNonce({ bytes, nonceAt }: ScriptFrame, nonce: number): Buffer {
  const copy = Buffer.from(bytes);
  if (nonceAt !== undefined) copy.write(String(nonce).padStart(NONCE_DIGITS, '0'), nonceAt, 'latin1');
  return copy;
}

/** The number in a body's nonce of ten digits; undefined where it has no such nonce. */
export function nonceOf(body: Buffer): number | undefined {
  const at = body.indexOf(KEY);
  const digits = at < 0 ? '' : body.toString('latin1', at + KEY.length, at + KEY.length + NONCE_DIGITS + 1);
  return /^\d{10}"$/.test(digits) ? Number(digits.slice(0, -1)) : undefined;
}

/** Cuts frames out of chunks, however they are split. */
export class FrameReader {
  readonly #heard: (frame: Frame) => void;
  #pending: Buffer = Buffer.alloc(0);

  constructor(heard: (frame: Frame) => void) {
    this.#heard = heard;
  }

  push(chunk: Buffer): void {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    while (this.#pending.length >= HEADER_BYTES) {
      const end = HEADER_BYTES + this.#pending.readUInt32LE(4);
      if (this.#pending.length < end) return;
      const frame = {
        opcode: this.#pending.readUInt32LE(0),
        body: this.#pending.subarray(HEADER_BYTES, end),
      };
      this.#pending = this.#pending.subarray(end);
      this.#heard(frame);
    }
  }
}
