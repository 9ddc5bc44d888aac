import { createHash } from 'node:crypto';
import { png } from '../../kernel/png.ts';

// This file loads the compressor, so other modules import it dynamically with import().

/** Width and height of the image in each style, as on the platform. */
const SIZES = {
  shield: [123, 20],
  banner1: [320, 76],
  banner2: [320, 76],
  banner3: [320, 116],
  banner4: [320, 196],
} as const;

/** Styles of the image. */
export const STYLES = Object.keys(SIZES) as readonly Style[];

/** A style of the image. */
export type Style = keyof typeof SIZES;

/** Number of cells on each side of the guild's pattern. The right half mirrors the left half. */
const CELLS = 8;

/** Image of a guild for web pages, as a PNG: a pattern derived from the guild's id, in the size of the style. */
export function widgetPng(guildId: string, style: Style): Buffer {
  const digest = createHash('sha256').update(guildId).digest();
  const [width, height] = SIZES[style];
  // Each row of pixels begins with its filter byte, which is 0 (no filter).
  const rows = Buffer.alloc((width + 1) * height);
  const cell = Math.floor(height / CELLS);
  for (let y = 0; y < cell * CELLS; y++) {
    for (let x = 0; x < cell * CELLS; x++) {
      const column = Math.floor(x / cell);
      const bits = digest[4 + Math.floor(y / cell)] ?? 0;
      rows[y * (width + 1) + 1 + x] = (bits >> Math.min(column, CELLS - 1 - column)) & 1;
    }
  }
  const palette = Buffer.from([0x23, 0x27, 0x2a, ...digest.subarray(0, 3)]);
  return png({ width, height, bits: 8, palette, rows });
}
