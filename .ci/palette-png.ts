// A PNG of Chromium with at most 24 colours, which are enough for a page of text: the package has to stay small.
import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const MAX_COLOURS = 24;

interface Image {
  readonly width: number;
  readonly height: number;
  /** One number 0xRRGGBB a pixel. */
  readonly pixels: Uint32Array;
}

/** The same picture with a palette. Throws for a picture that is not of 8 bits a channel, RGB or RGBA, without interlace. */
export function palettePng(png: Buffer): Buffer {
  const image = decoded(png);
  const palette = paletteOf(image.pixels);
  const indexes = new Map<number, number>();
  const rows = Buffer.alloc((image.width + 1) * image.height);
  for (let at = 0; at < image.pixels.length; at++) {
    const colour = image.pixels[at] as number;
    const index = indexes.get(colour) ?? nearest(palette, colour);
    indexes.set(colour, index);
    // Each row begins with a 0: no filter, which suits a palette best.
    rows[at + Math.floor(at / image.width) + 1] = index;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(image.width, 0);
  header.writeUInt32BE(image.height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((one) => [one >> 16, (one >> 8) & 255, one & 255]));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Colours that stand for all: again and again the one that many pixels have and that is far from those chosen so far. */
function paletteOf(pixels: Uint32Array): number[] {
  const counts = new Map<number, number>();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const left = [...counts].map(([colour, count]) => ({ colour, weight: Math.sqrt(count), far: 1 }));
  const palette: number[] = [];
  while (palette.length < MAX_COLOURS) {
    const [first] = left;
    if (first === undefined) break;
    const next = left.reduce(
      (best, one) => (one.weight * one.far > best.weight * best.far ? one : best),
      first,
    );
    if (next.far === 0) break;
    palette.push(next.colour);
    for (const one of left) {
      const far = distance(one.colour, next.colour);
      one.far = palette.length === 1 ? far : Math.min(one.far, far);
    }
  }
  return palette;
}

/** Square of the distance of two colours. */
function distance(a: number, b: number): number {
  return (
    ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2
  );
}

function nearest(palette: readonly number[], colour: number): number {
  let best = 0;
  for (const [index, one] of palette.entries())
    if (distance(one, colour) < distance(palette[best] as number, colour)) best = index;
  return best;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

function decoded(png: Buffer): Image {
  const parts: Buffer[] = [];
  let header = Buffer.alloc(13);
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const data = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') header = Buffer.from(data);
    if (type === 'IDAT') parts.push(data);
    at += 12 + length;
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const channels = header[9] === 2 ? 3 : header[9] === 6 ? 4 : 0;
  if (header[8] !== 8 || channels === 0 || header[12] !== 0)
    throw new Error('not a PNG of 8 bits a channel, RGB or RGBA, without interlace');
  const bytes = unfiltered(inflateSync(Buffer.concat(parts)), width * channels, height, channels);
  const pixels = new Uint32Array(width * height);
  for (let at = 0; at < pixels.length; at++) pixels[at] = bytes.readUIntBE(at * channels, 3);
  return { width, height, pixels };
}

/** Undoes the filter of each row (PNG 9.2): a byte is stored as its difference from those to the left and above. */
function unfiltered(data: Buffer, stride: number, height: number, channels: number): Buffer {
  const out = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = data[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x < channels ? 0 : (out[at - channels] as number);
      const up = y === 0 ? 0 : (out[at - stride] as number);
      const corner = y === 0 || x < channels ? 0 : (out[at - stride - channels] as number);
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0;
      out[at] = (data[y * (stride + 1) + 1 + x] as number) + guess;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
