import { readFileSync } from 'node:fs';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { palettePng } from '../../.ci/palette-png.ts';
import { pageText } from '../helpers/page-sessions.ts';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** The chunks of a PNG by their type. */
function chunksOf(png: Buffer): Record<string, Buffer> {
  const found: Record<string, Buffer> = {};
  expect(png.subarray(0, 8)).toEqual(SIGNATURE);
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(png.subarray(at + 4, at + 8 + length)));
    found[png.toString('latin1', at + 4, at + 8)] = png.subarray(at + 8, at + 8 + length);
    at += 12 + length;
  }
  return found;
}

function chunk(type: string, data: Buffer): Buffer {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), data, sum]);
}

/** A PNG of RGB pixels from its filtered rows. */
function rgbPng(width: number, rows: readonly (readonly number[])[], colourType = 2): Buffer {
  const header = Buffer.from([0, 0, 0, width, 0, 0, 0, rows.length, 8, colourType, 0, 0, 0]);
  const data = deflateSync(Buffer.from(rows.flat()));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The pixels of a PNG with a palette, as RGB. */
function pixelsOf(png: Buffer): number[][] {
  const { IHDR = SIGNATURE, PLTE = SIGNATURE, IDAT = SIGNATURE } = chunksOf(png);
  const width = IHDR.readUInt32BE(0);
  const rows = inflateSync(IDAT);
  return [...rows].flatMap((index, at) =>
    at % (width + 1) === 0 ? [] : [[...PLTE.subarray(index * 3, index * 3 + 3)]],
  );
}

describe('palettePng', () => {
  it('keeps the colours of a picture of few colours, whatever filter its rows have', () => {
    const [red, blue] = [
      [200, 0, 0],
      [0, 0, 200],
    ];
    const rows = [
      [0, ...(red ?? []), ...(blue ?? [])],
      [1, 200, 0, 0, 56, 0, 200],
      [2, 0, 0, 0, 0, 0, 0],
      [3, 100, 0, 0, 156, 0, 100],
      [4, 0, 0, 0, 0, 0, 0],
    ];
    expect(pixelsOf(palettePng(rgbPng(2, rows)))).toEqual(rows.flatMap(() => [red, blue]));
  });
  it('gives a picture of many colours the nearest of those that stand for all', () => {
    const row = Array.from({ length: 200 }, (_, index) => [index, index, 0]);
    const pixels = pixelsOf(palettePng(rgbPng(200, [[0, ...row.flat()]])));
    expect(new Set(pixels.map(String)).size).toBeLessThanOrEqual(24);
    for (const [index, [red = 0, green, blue]] of pixels.entries()) {
      expect([green, blue]).toEqual([red, 0]);
      expect(Math.abs(red - index)).toBeLessThan(20);
    }
  });
  it('refuses a picture that it cannot read', () => {
    expect(() => palettePng(rgbPng(1, [[0, 0]], 3))).toThrow('not a PNG of 8 bits a channel');
  });
});

it('README has its picture of the console in light and dark, in the same size and with a palette', () => {
  const names = [...pageText('README.md').matchAll(/(?:src|srcset)="([^"]+\.png)"/g)].map(
    ([, name = '']) => name,
  );
  expect(names).toEqual(['.github/console-frames-dark.png', '.github/console-frames.png']);
  const [dark, light] = names.map((name) => readFileSync(new URL(`../../${name}`, import.meta.url)));
  expect(dark?.subarray(16, 24)).toEqual(light?.subarray(16, 24));
  for (const png of [dark, light]) {
    expect(png?.[25]).toBe(3);
    expect(png?.length).toBeLessThan(30_000);
  }
});
