import { FrameDecoder, framesOf } from '../../src/wire/decoder.ts';
import { cutBytes } from './frame-bytes.ts';

/** A frame that can be compared: opcode and body as hex. */
export type PlainFrame = readonly [opcode: number, hex: string];

/** Feeds the chunks one after the other and collects what comes out, up to and including an error. */
export function decode(chunks: readonly Uint8Array[], limit = 1024): (PlainFrame | Error)[] {
  const decoder = new FrameDecoder(limit);
  const out: (PlainFrame | Error)[] = [];
  try {
    for (const chunk of chunks) {
      for (const { opcode, body } of framesOf(decoder, chunk)) out.push([opcode, hex(body)]);
    }
  } catch (error) {
    out.push(error as Error);
  }
  return out;
}

/** The same bytes in every way a stream may deliver them, by name: each way has one run or many. */
export function deliveries(bytes: Uint8Array): [string, Uint8Array[][]][] {
  const every = Array.from({ length: bytes.byteLength }, (_, i) => i);
  return [
    ['whole', [[bytes]]],
    ['one byte at a time', [cutBytes(bytes, every.slice(1))]],
    ['with empty chunks', [cutBytes(bytes, [0, 0, 4, 4, 8, 8])]],
    ['in two pieces, cut at every byte', every.map((at) => cutBytes(bytes, [at]))],
  ];
}

/** Bytes as hex, to be compared and read. */
export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
