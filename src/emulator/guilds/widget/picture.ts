import { createHash } from 'node:crypto';
import { png } from '../../kernel/png.ts';
import { dotsOf, LETTER } from './letters.ts';

// Importing this file loads the compressor; everybody else reaches it by import().

/** The styles of the picture. */
export const STYLES = ['shield', 'banner1', 'banner2', 'banner3', 'banner4'] as const;

/** What the picture shows. */
export interface Shown {
  readonly id: string;
  readonly name: string;
  /** How many are online. */
  readonly online: number;
}

/** Colours by their place in the palette. The last one follows from the guild. */
const DARK = 0;
const LIGHT = 1;
const GREEN = 2;
const GREY = 3;
const OWN = 4;
const PALETTE = [0x23, 0x27, 0x2a, 0xff, 0xff, 0xff, 0x2f, 0xa8, 0x5e, 0x40, 0x44, 0x4b];
/** Cells to a side of the guild's pattern; the right half mirrors the left one. */
const CELLS = 8;

/** Dots that can be drawn on. */
class Canvas {
  readonly width: number;
  readonly height: number;
  /** Rows of pixels, each after its filter byte (none). */
  readonly rows: Buffer;

  constructor(width: number, height: number, colour: number) {
    this.width = width;
    this.height = height;
    this.rows = Buffer.alloc((width + 1) * height);
    this.fill(0, 0, width, height, colour);
  }

  fill(x: number, y: number, width: number, height: number, colour: number): void {
    for (let row = y; row < Math.min(y + height, this.height); row++) {
      const start = row * (this.width + 1) + 1;
      this.rows.fill(colour, start + x, start + Math.min(x + width, this.width));
    }
  }

  /** Writes what there is room for up to `right`. */
  text(text: string, x: number, y: number, scale: number, colour: number, right = this.width - 4): void {
    let at = x;
    for (const letter of dotsOf(text)) {
      if (at + LETTER.width * scale > right) return;
      for (const [row, dots] of letter.entries()) {
        for (let column = 0; column < LETTER.width; column++) {
          if (((dots >> (LETTER.width - 1 - column)) & 1) === 0) continue;
          this.fill(at + column * scale, y + row * scale, scale, scale, colour);
        }
      }
      at += (LETTER.width + 1) * scale;
    }
  }

  /** The pattern that stands for a guild. */
  icon(digest: Buffer, x: number, y: number, size: number): void {
    const cell = Math.floor(size / CELLS);
    this.fill(x, y, cell * CELLS, cell * CELLS, LIGHT);
    for (let row = 0; row < CELLS; row++) {
      for (let column = 0; column < CELLS; column++) {
        const mirrored = Math.min(column, CELLS - 1 - column);
        if (((digest[4 + row] ?? 0) >> mirrored) & 1)
          this.fill(x + column * cell, y + row * cell, cell, cell, OWN);
      }
    }
  }
}

/** A picture of a guild for web pages, as a PNG: its name, and how many are online. */
export function widgetPng(guild: Shown, style: (typeof STYLES)[number]): Buffer {
  const digest = createHash('sha256').update(guild.id).digest();
  const { width, height, rows } = drawn(guild, style, digest);
  const palette = Buffer.from([...PALETTE, ...digest.subarray(0, 3)]);
  return png({ width, height, bits: 8, palette, rows });
}

function drawn({ name, online }: Shown, style: (typeof STYLES)[number], digest: Buffer): Canvas {
  const count = `${online} online`;
  switch (style) {
    case 'shield': {
      const canvas = new Canvas(123, 20, GREY);
      canvas.icon(digest, 2, 2, 16);
      canvas.fill(20, 0, 103, 20, GREEN);
      canvas.text(count, 25, 6, 1, LIGHT);
      return canvas;
    }
    case 'banner1':
    case 'banner2': {
      const canvas = new Canvas(320, 76, DARK);
      canvas.icon(digest, 10, 10, 56);
      const right = style === 'banner2' ? 250 : 312;
      canvas.text(name, 76, 16, 2, LIGHT, right);
      canvas.text(count, 76, 46, 2, GREEN, right);
      if (style === 'banner2') canvas.fill(260, 0, 60, 76, OWN);
      return canvas;
    }
    case 'banner3': {
      const canvas = new Canvas(320, 116, DARK);
      canvas.icon(digest, 10, 10, 56);
      canvas.text(name, 76, 16, 2, LIGHT);
      canvas.text(count, 76, 46, 2, GREEN);
      canvas.fill(0, 76, 320, 40, GREY);
      canvas.text('Chat now', 210, 89, 2, LIGHT);
      return canvas;
    }
    case 'banner4': {
      const canvas = new Canvas(320, 196, DARK);
      canvas.fill(0, 0, 320, 60, OWN);
      canvas.icon(digest, 10, 74, 56);
      canvas.text(name, 76, 80, 2, LIGHT);
      canvas.text(count, 76, 110, 2, GREEN);
      canvas.fill(10, 146, 300, 40, GREEN);
      canvas.text('Join my server', 78, 159, 2, LIGHT);
      return canvas;
    }
  }
}
