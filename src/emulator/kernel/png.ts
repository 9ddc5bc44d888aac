import { crc32, deflateSync } from 'node:zlib';

// Importing this file loads the compressor, so other modules load it with import() when they need it.

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const INDEXED_COLOUR = 3;

/** Content of a PNG with indexed colours. */
export interface IndexedPicture {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** Bits of one pixel: 1 or 8. */
  readonly bits: 1 | 8;
  /** Red, green and blue of each colour. */
  readonly palette: Buffer;
  /** Rows of pixels, each after its filter byte. */
  readonly rows: Buffer;
}

/** A picture as a PNG. */
export function png({ width, height, bits, palette, rows }: IndexedPicture): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = bits;
  header[9] = INDEXED_COLOUR;
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'ascii'), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
