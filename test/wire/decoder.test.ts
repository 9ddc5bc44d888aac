import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CloseError } from '../../src/wire/close-error.ts';
import { CloseCode, Opcode } from '../../src/wire/codes.ts';
import { FrameDecoder, framesOf } from '../../src/wire/decoder.ts';
import { decode, deliveries, hex, type PlainFrame } from '../helpers/decoder-runs.ts';
import { concatBytes, cutBytes, frameBytes, headerBytes } from '../helpers/frame-bytes.ts';

/** One fixture, many tests: the frames must come out whatever way their bytes come in. */
const fixtures: Record<string, PlainFrame[]> = {
  'a handshake': [[Opcode.HANDSHAKE, text('{"v":1,"client_id":"1"}')]],
  'an empty body': [[Opcode.FRAME, '']],
  'every opcode': Object.values(Opcode).map((opcode): PlainFrame => [opcode, text(`{"o":${opcode}}`)]),
  'multi-byte characters': [[Opcode.FRAME, text('"é漢😀"')]],
  'bytes that are no UTF-8': [[Opcode.PING, 'ff00fe80']],
  'frames of very different sizes': [
    [Opcode.PING, ''],
    [Opcode.FRAME, '61'.repeat(300)],
    [Opcode.PONG, '62'],
  ],
};

describe.each(Object.entries(fixtures))('%s', (_name, frames) => {
  const bytes = concatBytes(...frames.map(([opcode, body]) => frameBytes(opcode, Buffer.from(body, 'hex'))));

  it.each(deliveries(bytes))('arrives %s', (_delivery, runs) => {
    for (const chunks of runs) expect(decode(chunks)).toEqual(frames);
  });
  it('arrives coalesced with its own copy', () => {
    expect(decode([concatBytes(bytes, bytes)])).toEqual([...frames, ...frames]);
  });
});

describe('the limit (§9 case 7)', () => {
  it.each([0, 1, 16 * 1024, 65_528])('of %i bytes accepts a body of exactly that size', (limit) => {
    const body = new Uint8Array(limit).fill(0x20);
    expect(decode([frameBytes(Opcode.FRAME, body)], limit)).toEqual([[Opcode.FRAME, hex(body)]]);
  });
  it.each([0, 1, 16 * 1024, 65_528])('of %i bytes rejects one byte more by the header alone', (limit) => {
    const decoder = new FrameDecoder(limit);
    expect([...framesOf(decoder, headerBytes(Opcode.FRAME, limit + 1).subarray(0, 7))]).toEqual([]);
    expect(() => [...framesOf(decoder, headerBytes(Opcode.FRAME, limit + 1).subarray(7))]).toThrow(
      expect.objectContaining({
        code: CloseCode.UNSUPPORTED,
        message: `Frame of ${limit + 1} bytes is too large: at most ${limit}`,
      }),
    );
  });
  it.each([
    ['2 GiB - 1', 0x7fff_ffff],
    ['2 GiB', 0x8000_0000],
    ['4 GiB - 1, or -1', 0xffff_ffff],
  ])('rejects a declared length of %s', (_name, length) => {
    const [error] = decode([headerBytes(Opcode.FRAME, length)]);
    expect(error).toBeInstanceOf(CloseError);
    expect(error).toMatchObject({
      code: CloseCode.UNSUPPORTED,
      message: expect.stringContaining(`${length}`),
    });
  });
  it('still yields the frames before a frame that is too large', () => {
    const frames = decode([concatBytes(frameBytes(Opcode.PING, '1'), headerBytes(Opcode.FRAME, 1025))]);
    expect(frames).toEqual([[Opcode.PING, text('1')], expect.any(CloseError)]);
  });
  it('applies with its value at the end of a header, not at the start', () => {
    const decoder = new FrameDecoder(8);
    decoder.append(frameBytes(Opcode.FRAME, '123456789'));
    decoder.limit = 9;
    expect(takeAll(decoder)).toHaveLength(1);
  });
});

it.each([5, -1, 0x7fff_ffff, -0x8000_0000, 0x0100_0000])(
  'the decoder rejects opcode %i before it reads the length',
  (opcode) => {
    const [error] = decode([headerBytes(opcode, 0xffff_ffff)]);
    expect(error).toMatchObject({
      code: CloseCode.UNSUPPORTED,
      message: `Unknown opcode ${opcode}: expected 0 to 4`,
    });
  },
);

describe('the bytes of the next frame', () => {
  it.each([
    ['no byte', 0, 0],
    ['a part of its header', 5, 5],
    ['its header', 8, 8],
    ['a part of its body', 10, 10],
    ['all of it', 12, 12],
    ['all of it and a part of another', 15, 12],
  ])('are counted when %s has arrived', (_, come, counted) => {
    const decoder = new FrameDecoder(64);
    decoder.append(concatBytes(frameBytes(1, 'abcd'), frameBytes(1, 'ef')).subarray(0, come));
    expect(decoder.nextBytes).toBe(counted);
  });
});

describe('take()', () => {
  it('is announced by hasFrame once the frame is complete', () => {
    const decoder = new FrameDecoder(64);
    const bytes = frameBytes(1, 'ab');
    for (const byte of bytes) {
      expect(decoder.hasFrame).toBe(false);
      decoder.append(Uint8Array.of(byte));
    }
    decoder.append(bytes.subarray(0, 9));
    expect(decoder.hasFrame).toBe(true);
    decoder.take();
    expect(decoder.hasFrame).toBe(false);
  });

  it('returns one frame per call', () => {
    const decoder = new FrameDecoder(64);
    decoder.append(concatBytes(frameBytes(1, 'a'), frameBytes(1, 'bb'), frameBytes(1, 'ccc')));
    expect(hex(decoder.take()?.body ?? new Uint8Array())).toBe(text('a'));
    expect(decoder.pendingBytes).toBe(8 + 2 + 8 + 3);
    decoder.append(frameBytes(1, 'dddd').subarray(0, 9));
    expect(takeAll(decoder)).toEqual([text('bb'), text('ccc')]);
    decoder.append(frameBytes(1, 'dddd').subarray(9));
    expect(takeAll(decoder)).toEqual([text('dddd')]);
    expect(decoder.pendingBytes).toBe(0);
  });
  it('may be called while a frame is handled, without a frame lost, repeated or out of order', () => {
    const decoder = new FrameDecoder(64);
    decoder.append(concatBytes(...'abcdef'.split('').map((body) => frameBytes(1, body))));
    const seen: string[] = [];
    for (let frame = decoder.take(); frame; frame = decoder.take()) {
      seen.push(hex(frame.body));
      if (seen.length === 2) seen.push(...takeAll(decoder));
    }
    expect(seen).toEqual('abcdef'.split('').map(text));
  });
});

describe('the memory of chunks and frames', () => {
  it('is never written to when the caller allocated it', () => {
    const chunk = new Uint8Array(64).fill(0xee);
    const head = frameBytes(1, 'abcdef').subarray(0, 10);
    chunk.set(head);
    const decoder = new FrameDecoder(64);
    expect([...framesOf(decoder, chunk.subarray(0, 10))]).toEqual([]);
    expect([...framesOf(decoder, frameBytes(1, 'abcdef').subarray(10))]).toHaveLength(1);
    expect(chunk.subarray(10).every((byte) => byte === 0xee)).toBe(true);
  });
  it('holds the body of a frame intact while more bytes arrive', () => {
    const decoder = new FrameDecoder(64);
    const wire = concatBytes(frameBytes(1, 'first'), frameBytes(1, 'second'), frameBytes(1, 'third'));
    const bodies = cutBytes(wire, [3, 14, 15, 20, 30]).flatMap((chunk) =>
      [...framesOf(decoder, chunk)].map(({ body }) => body),
    );
    expect(bodies.map((body) => new TextDecoder().decode(body))).toEqual(['first', 'second', 'third']);
  });
});

/** Frames, and where to cut their bytes. */
const streams = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.uint8Array({ maxLength: 600, size: 'max' })), {
    maxLength: 12,
    size: 'max',
  })
  .map((frames) => concatBytes(...frames.map(([opcode, body]) => frameBytes(opcode, body))))
  .chain((bytes) =>
    fc.tuple(fc.constant(bytes), fc.array(fc.nat(bytes.byteLength), { maxLength: 30, size: 'max' })),
  );

describe('any split of the bytes yields the frames of the whole', () => {
  const sameAsWhole = fc.property(streams, ([bytes, cuts]) => {
    expect(decode(cutBytes(bytes, cuts), 600)).toEqual(decode([bytes], 600));
  });
  const garbageToo = fc.property(
    fc.uint8Array({ maxLength: 200, size: 'max' }),
    fc.array(fc.nat(200), { maxLength: 20, size: 'max' }),
    (bytes, cuts) => {
      const chunks = cutBytes(
        bytes,
        cuts.map((cut) => Math.min(cut, bytes.byteLength)),
      );
      expect(decode(chunks, 50)).toEqual(decode([bytes], 50));
    },
  );
  it('for frames, fixed seed', () => fc.assert(sameAsWhole, { seed: 0x0f0b, numRuns: 700 }));
  // A failure prints its seed and the smallest counter-example.
  it('for frames, a new seed each time', () => fc.assert(sameAsWhole, { numRuns: 200 }));
  it('for arbitrary bytes, fixed seed', () => fc.assert(garbageToo, { seed: 0x0f0b, numRuns: 2000 }));
  it('for arbitrary bytes, a new seed each time', () => fc.assert(garbageToo, { numRuns: 500 }));
});

function text(body: string): string {
  return Buffer.from(body).toString('hex');
}

/** The bodies of the frames that are complete, in hex. */
function takeAll(decoder: FrameDecoder): string[] {
  const bodies: string[] = [];
  for (let frame = decoder.take(); frame; frame = decoder.take()) bodies.push(hex(frame.body));
  return bodies;
}
