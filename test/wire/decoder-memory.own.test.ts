import { describe, expect, it } from 'vitest';
import { Opcode } from '../../src/wire/codes.ts';
import { FrameDecoder, framesOf } from '../../src/wire/decoder.ts';
import { frameBytes, headerBytes } from '../helpers/frame-bytes.ts';
import { liveBytes } from '../helpers/memory-use.ts';

const LIMIT = 256 * 1024;
const KIB = 1024;

describe('the memory of a decoder', () => {
  it('for a frame that arrives byte by byte stays within a small multiple of the size of the frame', () => {
    const wire = frameBytes(Opcode.FRAME, new Uint8Array(LIMIT));
    const before = liveBytes();
    const decoder = new FrameDecoder(LIMIT);
    // All but the last byte: everything received is still pending.
    for (let i = 0; i < wire.byteLength - 1; i++)
      for (const _ of framesOf(decoder, wire.slice(i, i + 1))) break;
    const grown = liveBytes() - before;
    expect(decoder.pendingBytes).toBe(wire.byteLength - 1);
    expect(grown).toBeLessThan(4 * LIMIT);
    expect([...framesOf(decoder, wire.slice(-1))]).toHaveLength(1);
  });
  it('is not reserved for a length that was only declared', () => {
    const before = liveBytes();
    const decoders = Array.from({ length: 200 }, () => new FrameDecoder(LIMIT));
    for (const decoder of decoders)
      for (const _ of framesOf(decoder, headerBytes(Opcode.FRAME, LIMIT))) break;
    // Reserving it would take 50 MiB.
    expect(liveBytes() - before).toBeLessThan(1024 * KIB);
    expect(decoders.every(({ pendingBytes }) => pendingBytes === 8)).toBe(true);
  });
  it('for a large read is released when only a few bytes of the read remain', () => {
    const before = liveBytes();
    const decoders = Array.from({ length: 200 }, () => {
      const decoder = new FrameDecoder(LIMIT);
      const chunk = new Uint8Array(64 * KIB);
      chunk.set(frameBytes(Opcode.FRAME, new Uint8Array(64 * KIB - 8 - 3)));
      for (const { body } of framesOf(decoder, chunk)) expect(body.byteLength).toBe(64 * KIB - 11);
      return decoder;
    });
    // Keeping each read would take 12.5 MiB.
    expect(liveBytes() - before).toBeLessThan(1024 * KIB);
    expect(decoders.every(({ pendingBytes }) => pendingBytes === 3)).toBe(true);
  });
});
