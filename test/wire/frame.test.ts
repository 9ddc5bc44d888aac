import { expect, it } from 'vitest';
import { Opcode } from '../../src/wire/codes.ts';
import { encodeFrame, MAX_FRAME_BYTES, ownBytes } from '../../src/wire/frame.ts';
import { hex } from '../helpers/decoder-runs.ts';
import { frameBytes } from '../helpers/frame-bytes.ts';

it('MAX_FRAME_BYTES is 3 MiB', () => {
  expect(MAX_FRAME_BYTES).toBe(3_145_728);
});

it.each([
  ['nothing', ''],
  ['ASCII', '{"a":1}'],
  ['two, three and four byte characters', 'é漢😀'],
  ['more than a kilobyte', 'x'.repeat(5000)],
  ['exactly 1,024 bytes', 'y'.repeat(1024)],
  ['1,025 bytes of three-byte characters', '漢'.repeat(342)],
])('encodeFrame encodes %s from text and from bytes alike [W-6]', (_name, body) => {
  const expected = frameBytes(Opcode.FRAME, body);
  const fromText = encodeFrame(Opcode.FRAME, body);
  const fromBytes = encodeFrame(Opcode.FRAME, new TextEncoder().encode(body));
  for (const frame of [fromText, fromBytes]) {
    expect(frame.opcode).toBe(Opcode.FRAME);
    expect(hex(frame.bytes)).toBe(hex(expected));
    expect(hex(frame.body)).toBe(hex(expected.subarray(8)));
  }
});

it('encodeFrame replaces a lone surrogate, which UTF-8 cannot represent', () => {
  expect(hex(encodeFrame(Opcode.FRAME, '\ud800').body)).toBe('efbfbd');
});

it('encodeFrame copies the bytes of its argument', () => {
  const body = new Uint8Array([1, 2, 3]);
  const frame = encodeFrame(Opcode.PONG, body);
  body.fill(9);
  expect([...frame.body]).toEqual([1, 2, 3]);
});

it('encodeFrame cuts brief frames out of shared memory without overlap', () => {
  const bodies = Array.from({ length: 100 }, (_, n) => `${n} é漢😀 ${'x'.repeat(n * 7)}`);
  const frames = bodies.map((body) => encodeFrame(Opcode.FRAME, body, 'brief'));
  for (const [n, body] of bodies.entries())
    expect(hex(frames[n]?.bytes ?? new Uint8Array())).toBe(hex(frameBytes(Opcode.FRAME, body)));
  expect(new Set(frames.map(({ bytes }) => bytes.buffer)).size).toBeLessThan(20);
});

it('ownBytes returns brief frames in memory of their own, and others unchanged', () => {
  const brief = encodeFrame(Opcode.FRAME, '{"a":1}', 'brief').bytes;
  const own = ownBytes(brief);
  expect(own.buffer.byteLength).toBe(brief.byteLength);
  expect(hex(own)).toBe(hex(brief));
  for (const kept of [own, encodeFrame(Opcode.FRAME, '{"a":1}').bytes]) expect(ownBytes(kept)).toBe(kept);
});

it('encodeFrame does not retain three times the size of a long text', () => {
  const { bytes } = encodeFrame(Opcode.FRAME, 'x'.repeat(10_000));
  expect(bytes.buffer.byteLength).toBe(10_008);
});
