import { createHash } from 'node:crypto';
import { png } from '../kernel/png.ts';

// Importing this file loads the compressor; other modules load it with import().

/** Cells to a side; the right half mirrors the left one. */
const CELLS = 8;

/**
 * Default picture of a user: a pattern derived from the id alone, as a square PNG of `size` pixels. `size` is a power
 * of two from 16 on, so that cells and bytes come out even.
 */
export function avatarPng(userId: string, size: number): Uint8Array {
  const digest = createHash('sha256').update(userId).digest();
  const palette = Buffer.from([0xf2, 0xf3, 0xf5, ...digest.subarray(0, 3)]);
  return png({ width: size, height: size, bits: 1, palette, rows: pixels(digest, size) });
}

/** The same as a `data:` URL. Its type is PNG whatever the requested format, because the content is PNG. */
export function avatarDataUrl(userId: string, size: number): string {
  return `data:image/png;base64,${Buffer.from(avatarPng(userId, size)).toString('base64')}`;
}

/** Rows of one-bit pixels, each after its filter byte (none). */
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
