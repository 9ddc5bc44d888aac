import { OPCODES } from '../tables.ts';

const ROW = 16;
/** Maximum of rows in a dump; a longer body is artificially large. */
const MAX_ROWS = 32;

const SECRET = /("(?:access_token|refresh_token|id_token|code|code_verifier|client_secret)"\s*:\s*")([^"]*)/g;

/** Bytes as rows of offset, hex and text; tokens and codes must already be masked. */
export function dump(bytes: Uint8Array): readonly string[] {
  const rows: string[] = [];
  for (let at = 0; at < bytes.byteLength && rows.length < MAX_ROWS; at += ROW) {
    const row = [...bytes.subarray(at, at + ROW)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = row.map((byte) => (byte > 0x1f && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    rows.push(`${at.toString(16).padStart(6, '0')}  ${hex.padEnd(3 * ROW - 1)}  |${text}|`);
  }
  const left = bytes.byteLength - MAX_ROWS * ROW;
  return left > 0 ? [...rows, `… ${left} bytes more`] : rows;
}

/** Number of earlier bytes that are searched again: the maximum length of a secret that is split over two chunks. */
const REMEMBERED = 4096;

/** Masks tokens and codes in a stream, even across chunks; the number of bytes does not change. */
export class SecretFilter {
  #before = '';

  hide(bytes: Uint8Array): Uint8Array {
    // One character per byte.
    const text = this.#before + Buffer.from(bytes).toString('latin1');
    const hidden = text.replace(SECRET, (_, key: string, secret: string) => key + '*'.repeat(secret.length));
    const visible = Buffer.from(hidden.slice(this.#before.length), 'latin1');
    this.#before = text.slice(-REMEMBERED);
    return visible;
  }
}

/** Name of the frame, such as `FRAME(1)`, if the bytes are exactly one frame; otherwise undefined. */
export function frameName(bytes: Uint8Array): string | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 8 || view.readUInt32LE(4) !== view.byteLength - 8) return undefined;
  const opcode = view.readUInt32LE(0);
  const name = Object.entries(OPCODES).find(([, value]) => value === opcode)?.[0];
  return name === undefined ? undefined : `${name}(${opcode})`;
}
