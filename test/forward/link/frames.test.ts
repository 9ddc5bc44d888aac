import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  encodeClose,
  encodeLinkFrame,
  encodeNumber,
  FrameKind,
  LinkDecoder,
  LinkError,
  MAX_DATA_BYTES,
  MAX_REASON_BYTES,
  numberIn,
} from '../../../src/forward/link/frames.ts';
import { cutBytes } from '../../helpers/frame-bytes.ts';

/** A decoded frame: kind, session and body; the parts of DATA are joined. */
type Decoded = readonly [kind: number, session: number, body: string];

function decode(chunks: readonly Uint8Array[]): Decoded[] {
  const frames: [number, number, string][] = [];
  const decoder = new LinkDecoder({
    data(session, bytes, isFirst) {
      const part = Buffer.from(bytes).toString('hex');
      if (isFirst) frames.push([FrameKind.DATA, session, part]);
      else (frames.at(-1) as [number, number, string])[2] += part;
    },
    control: (kind, session, body) => frames.push([kind, session, Buffer.from(body).toString('hex')]),
  });
  for (const chunk of chunks) decoder.append(chunk);
  return frames;
}

/** Offsets at which bytes are cut into parts of that size. */
function every(size: number, length: number): number[] {
  return Array.from({ length: Math.floor(length / size) }, (_, index) => (index + 1) * size);
}

const session = fc.integer({ min: 0, max: 2 ** 32 - 1 });
const anyFrame = fc.oneof(
  fc.tuple(fc.constant(FrameKind.DATA), session, fc.uint8Array({ minLength: 1, maxLength: 600 })),
  fc.tuple(fc.constant(FrameKind.CLOSE), session, fc.uint8Array({ maxLength: MAX_REASON_BYTES })),
  fc.tuple(
    fc.constantFrom(FrameKind.OPEN, FrameKind.CREDIT, FrameKind.ACK),
    session,
    fc.uint8Array({ minLength: 4, maxLength: 4 }),
  ),
  fc.tuple(
    fc.constantFrom(FrameKind.END, FrameKind.PING, FrameKind.PONG),
    session,
    fc.constant(new Uint8Array(0)),
  ),
);

it('frames of a link are decoded alike however their bytes are cut', () => {
  fc.assert(
    fc.property(fc.array(anyFrame, { maxLength: 12 }), fc.integer({ min: 1, max: 700 }), (frames, size) => {
      const bytes = Buffer.concat(frames.map(([kind, id, body]) => encodeLinkFrame(kind, id, body)));
      const wanted = frames.map(([kind, id, body]) => [kind, id, Buffer.from(body).toString('hex')]);
      for (const step of [size, 1])
        expect(decode(cutBytes(bytes, every(step, bytes.length)))).toEqual(wanted);
    }),
  );
});

it('DATA is passed on as parts of the chunk that was read', () => {
  const chunk = encodeLinkFrame(FrameKind.DATA, 5, new Uint8Array([1, 2, 3]));
  let passed: Uint8Array | undefined;
  new LinkDecoder({
    data: (_session, bytes) => {
      passed = bytes;
    },
    control: () => {},
  }).append(chunk);
  expect(passed?.buffer).toBe(chunk.buffer);
});

it('numbers up to 32 bits survive', () => {
  for (const value of [0, 1, 65_536, 2 ** 31, 2 ** 32 - 1])
    expect(numberIn(encodeNumber(FrameKind.CREDIT, 1, value).subarray(8))).toBe(value);
});

it('a reason that is too long is cut', () => {
  const [frame] = decode([encodeClose(9, 'é'.repeat(5000))]);
  expect(frame?.[2]).toHaveLength(MAX_REASON_BYTES * 2);
});

it.each([
  ['an unknown kind', [99, 0, 0, 0, 1, 0, 0, 0], 'kind 99'],
  ['kind 0', [0, 0, 0, 0, 1, 0, 0, 0], 'kind 0'],
  ['DATA without bytes', [FrameKind.DATA, 0, 0, 0, 1, 0, 0, 0], '0 bytes'],
  ['DATA of more than 8 KiB', [FrameKind.DATA, 1, 32, 0, 1, 0, 0, 0], `${MAX_DATA_BYTES + 1} bytes`],
  ['CREDIT of 3 bytes', [FrameKind.CREDIT, 3, 0, 0, 1, 0, 0, 0], '3 bytes'],
  ['OPEN without a process', [FrameKind.OPEN, 0, 0, 0, 1, 0, 0, 0], '0 bytes'],
  ['END with a body', [FrameKind.END, 1, 0, 0, 1, 0, 0, 0], '1 bytes'],
  ['a reason of 16 MiB', [FrameKind.CLOSE, 255, 255, 255, 1, 0, 0, 0], '16777215 bytes'],
])('%s is a violation by the header alone', (_what, header, problem) => {
  expect(() => decode([Uint8Array.from(header)])).toThrow(LinkError);
  expect(() => decode([Uint8Array.from(header)])).toThrow(problem);
});

it.each([
  [FrameKind.DATA, 1],
  [FrameKind.DATA, MAX_DATA_BYTES],
  [FrameKind.CLOSE, 0],
  [FrameKind.CLOSE, MAX_REASON_BYTES],
  [FrameKind.OPEN, 4],
  [FrameKind.END, 0],
])('a frame of kind %d with %d bytes is within its limits', (kind, length) => {
  const body = new Uint8Array(length).fill(7);
  expect(decode([encodeLinkFrame(kind, 1, body)])).toEqual([[kind, 1, Buffer.from(body).toString('hex')]]);
});

it.each([
  [FrameKind.CLOSE, MAX_REASON_BYTES + 1],
  [FrameKind.OPEN, 5],
  [FrameKind.ACK, 3],
  [FrameKind.PING, 1],
  [FrameKind.PONG, 1],
])('a frame of kind %d with %d bytes is not', (kind, length) => {
  expect(() => decode([encodeLinkFrame(kind, 1, new Uint8Array(length))])).toThrow(
    `sent a frame of kind ${kind} with ${length} bytes`,
  );
});
