import { crc32, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { avatarDataUrl, avatarPng } from '../../../src/emulator/users/avatar.ts';

/** Reads a PNG chunk by chunk, as its specification has it (ISO/IEC 15948). */
function readPng(bytes: Uint8Array) {
  const png = Buffer.from(bytes);
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const named = png.subarray(at + 4, at + 8 + length);
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(named));
    chunks.push({ type: named.subarray(0, 4).toString('latin1'), data: named.subarray(4) });
    at += 12 + length;
  }
  return chunks;
}

describe.each([16, 32, 64, 128, 256, 512, 1024])('an avatar of %i pixels', (size) => {
  it('is a valid PNG of that size, small enough for a frame', () => {
    const [header, palette, pixels, end, ...more] = readPng(avatarPng('200000000000000001', size));
    expect([header, palette, pixels, end].map((chunk) => chunk?.type)).toEqual([
      'IHDR',
      'PLTE',
      'IDAT',
      'IEND',
    ]);
    expect(more).toEqual([]);
    expect([header?.data.readUInt32BE(0), header?.data.readUInt32BE(4)]).toEqual([size, size]);
    expect([...(header?.data.subarray(8) ?? [])]).toEqual([1, 3, 0, 0, 0]);
    expect(palette?.data).toHaveLength(6);
    expect(inflateSync(pixels?.data ?? Buffer.alloc(0))).toHaveLength(size * (1 + size / 8));
    expect(avatarDataUrl('200000000000000001', size).length).toBeLessThan(10_000);
  });
});

it('an avatar is the same for the same user, symmetric, and different for another user', () => {
  expect(avatarPng('1', 64)).toEqual(avatarPng('1', 64));
  expect(avatarPng('1', 64)).not.toEqual(avatarPng('2', 64));
  const pixels = inflateSync(readPng(avatarPng('1', 16))[2]?.data ?? Buffer.alloc(0));
  for (let row = 0; row < 16; row++) {
    const bits = pixels
      .readUInt16BE(row * 3 + 1)
      .toString(2)
      .padStart(16, '0');
    expect(bits).toBe(bits.split('').reverse().join(''));
  }
});
