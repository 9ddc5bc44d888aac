import { createHash } from 'node:crypto';
import { png } from '../kernel/png.ts';

// Importing this file loads the compressor, so other modules load it with import() when they need it.

/** Number of cells on each side of the picture; the right half mirrors the left half. */
const CELLS = 8;

/**
 * Default picture of a user: a pattern derived from the id alone, as a square PNG of `size` pixels. `size` must be a
 * power of two of at least 16, so that cells have whole pixels and rows have whole bytes.
 */
export function avatarPng(userId: string, size: number): Uint8Array {
  const digest = createHash('sha256').update(userId).digest();
  const palette = Buffer.from([0xf2, 0xf3, 0xf5, ...digest.subarray(0, 3)]);
  return png({ width: size, height: size, bits: 1, palette, rows: pixels(digest, size) });
}

/** The default picture as a `data:` URL. The type is PNG whatever format was requested, because the content is PNG. */
export function avatarDataUrl(userId: string, size: number): string {
  return `data:image/png;base64,${Buffer.from(avatarPng(userId, size)).toString('base64')}`;
}

/** Rows of one-bit pixels. Each row begins with the filter byte 0, which means no filter. */
function pixels(digest: Buffer, size: number): Buffer {
  const cell = size / CELLS;
  const rows: Buffer[] = [];
  for (let y = 0; y < size; y++) {
    const row = Buffer.alloc(1 + size / 8);
    const cells = digest[4 + Math.floor(y / cell)] ?? 0;
    for (let x = 0; x < size; x++) {
      const column = Math.floor(x / cell);
      const mirrored = Math.min(column, CELLS - 1 - column);
      const at = 1 + (x >> 3);
      if ((cells >> mirrored) & 1) row[at] = (row[at] ?? 0) | (0x80 >> (x & 7));
    }
    rows.push(row);
  }
  return Buffer.concat(rows);
}
