import { expect, it } from 'vitest';
import { Opcode } from '../../src/wire/codes.ts';
import { encodeFrame } from '../../src/wire/frame.ts';
import { hex } from '../helpers/decoder-runs.ts';
import { frameBytes } from '../helpers/frame-bytes.ts';

it.each([
  ['nothing', ''],
  ['ASCII', '{"a":1}'],
  ['two, three and four byte characters', 'é漢😀'],
  ['more than a kilobyte', 'x'.repeat(5000)],
  ['exactly 1,024 bytes', 'y'.repeat(1024)],
  ['1,025 bytes of three-byte characters', '漢'.repeat(342)],
])('encodes %s from text and from bytes alike', (_name, body) => {
  const expected = frameBytes(Opcode.FRAME, body);
  const fromText = encodeFrame(Opcode.FRAME, body);
  const fromBytes = encodeFrame(Opcode.FRAME, new TextEncoder().encode(body));
  for (const frame of [fromText, fromBytes]) {
    expect(frame.opcode).toBe(Opcode.FRAME);
    expect(hex(frame.bytes)).toBe(hex(expected));
    expect(hex(frame.body)).toBe(hex(expected.subarray(8)));
  }
});

it('replaces a lone surrogate, which UTF-8 cannot carry', () => {
  expect(hex(encodeFrame(Opcode.FRAME, '\ud800').body)).toBe('efbfbd');
});

it('copies the bytes it is given', () => {
  const body = new Uint8Array([1, 2, 3]);
  const frame = encodeFrame(Opcode.PONG, body);
  body.fill(9);
  expect([...frame.body]).toEqual([1, 2, 3]);
});

it('does not keep three times the size of a long text alive', () => {
  const { bytes } = encodeFrame(Opcode.FRAME, 'x'.repeat(10_000));
  expect(bytes.buffer.byteLength).toBe(10_008);
});
