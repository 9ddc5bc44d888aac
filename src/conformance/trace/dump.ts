import { OPCODES } from '../tables.ts';

const ROW = 16;
/** Rows of one dump: what is longer is a body that some case made large on purpose. */
const MOST_ROWS = 32;

const SECRET = /("(?:access_token|refresh_token|id_token|code|code_verifier|client_secret)"\s*:\s*")([^"]*)/g;

/** Bytes as rows of offset, hex and text; what they hold of tokens and codes must be hidden already. */
export function dump(shown: Uint8Array): readonly string[] {
  const rows: string[] = [];
  for (let at = 0; at < shown.byteLength && rows.length < MOST_ROWS; at += ROW) {
    const row = [...shown.subarray(at, at + ROW)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = row.map((byte) => (byte > 0x1f && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    rows.push(`${at.toString(16).padStart(6, '0')}  ${hex.padEnd(3 * ROW - 1)}  |${text}|`);
  }
  const left = shown.byteLength - MOST_ROWS * ROW;
  return left > 0 ? [...rows, `… ${left} bytes more`] : rows;
}

/** How much of what went before is looked at: the longest secret that may be cut in two. */
const REMEMBERED = 4096;

/** Puts stars in the place of tokens and codes in a stream, however it is cut; every byte stays at its place. */
export class SecretFilter {
  #before = '';

  hide(bytes: Uint8Array): Uint8Array {
    // One character a byte.
    const text = this.#before + Buffer.from(bytes).toString('latin1');
    const hidden = text.replace(SECRET, (_, key: string, secret: string) => key + '*'.repeat(secret.length));
    const shown = Buffer.from(hidden.slice(this.#before.length), 'latin1');
    this.#before = text.slice(-REMEMBERED);
    return shown;
  }
}

/** What the bytes are when they are exactly one frame, such as `FRAME(1)`; else nothing. */
export function frameName(bytes: Uint8Array): string | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 8 || view.readUInt32LE(4) !== view.byteLength - 8) return undefined;
  const opcode = view.readUInt32LE(0);
  const name = Object.entries(OPCODES).find(([, value]) => value === opcode)?.[0];
  return name === undefined ? undefined : `${name}(${opcode})`;
}
