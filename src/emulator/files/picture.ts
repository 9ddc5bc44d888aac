import type { MediaType } from './stored-records.ts';

/** Properties of a picture. */
export interface Picture {
  readonly type: MediaType;
  readonly animated: boolean;
  /** Size in pixels; undefined if it is unknown. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Duration of one run of the animation in milliseconds, if the format contains it. */
  readonly duration?: number;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * Determines the properties of a picture from its bytes, regardless of its name; undefined for an unknown format. The
 * packages image-size (23 kB) and file-type (108 kB) are not used, because they lack the duration of an animation,
 * which decides whether a sticker is refused.
 */
export function pictureOf(bytes: Buffer): Picture | undefined {
  if (bytes.subarray(0, 8).equals(PNG)) return png(bytes);
  const head = bytes.toString('latin1', 0, 16);
  if (/^GIF8[79]a/.test(head)) return gif(bytes);
  if (head.startsWith('\xff\xd8\xff')) return { type: 'image/jpeg', animated: false };
  if (/^RIFF....WEBPVP8[ LX]/s.test(head)) {
    return { type: 'image/webp', animated: head[15] === 'X' && ((bytes[20] ?? 0) & 0x02) !== 0 };
  }
  if (/^....ftypavi[fs]/s.test(head)) return { type: 'image/avif', animated: head[11] === 's' };
  return undefined;
}

/**
 * Reads the chunks of a PNG: length, type, data, checksum. The chunks of animations are part of the third edition of
 * the PNG specification.
 */
function png(bytes: Buffer): Picture | undefined {
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  let animated = false;
  let duration = 0;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    if (name === 'acTL') animated = true;
    if (name === 'fcTL' && length >= 26 && at + 34 <= bytes.length) {
      // A delay is a fraction of a second. A denominator of zero stands for hundredths.
      duration += (1000 * bytes.readUInt16BE(at + 28)) / (bytes.readUInt16BE(at + 30) || 100);
    }
    at += 12 + length;
  }
  return { type: 'image/png', animated, size, ...(animated ? { duration } : {}) };
}

/** Reads the blocks of GIF 89a: pictures, and extensions, one of which contains the delay of a picture. */
function gif(bytes: Buffer): Picture | undefined {
  if (bytes.length < 13) return undefined;
  const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  let at = 13 + colors(bytes[10]);
  let frames = 0;
  let duration = 0;
  while (at < bytes.length && bytes[at] !== 0x3b) {
    if (bytes[at] === 0x21) {
      if (bytes[at + 1] === 0xf9 && at + 6 <= bytes.length) duration += 10 * bytes.readUInt16LE(at + 4);
      at = behindBlocks(bytes, at + 2);
    } else if (bytes[at] === 0x2c) {
      frames += 1;
      at = behindBlocks(bytes, at + 11 + colors(bytes[at + 9]));
    } else return undefined;
  }
  const animated = frames > 1;
  return { type: 'image/gif', animated, size, ...(animated ? { duration } : {}) };
}

/** Size of a color table in bytes, derived from its flags. */
function colors(flags = 0): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
}

/** The position after a sequence of blocks, each of which begins with its length. */
function behindBlocks(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0);
  return at + 1;
}
