import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { decode, type PlainFrame } from '../helpers/decoder-runs.ts';
import { concatBytes, cutBytes, frameBytes, headerBytes } from '../helpers/frame-bytes.ts';

const RUNS = 3000;

const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.nat(4), fc.uint8Array({ maxLength: 60, size: 'max' }))
      .map(([op, body]) => frameBytes(op, body)),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 20, size: 'max' }) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.integer({ min: -2, max: 6 }), fc.nat(2000)).map(([op, n]) => headerBytes(op, n)),
  },
);
const stream = fc.array(piece, { maxLength: 8 }).map((pieces) => concatBytes(...pieces));
const comparable = (run: readonly (PlainFrame | Error)[]): unknown[] =>
  run.map((entry) => (entry instanceof Error ? `${entry.name}: ${entry.message}` : entry));

it.each([
  ['the same seed as ever', 20_261_121],
  ['a new seed', undefined],
])(
  'the decoder returns the same frames and the same error however a stream is cut (%s) [T33]',
  (_name, seed) => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat(500), { maxLength: 12, size: 'max' }), (bytes, cuts) => {
        const at = cuts.map((cut) => Math.min(cut, bytes.byteLength));
        expect(comparable(decode(cutBytes(bytes, at)))).toEqual(comparable(decode([bytes])));
      }),
      { numRuns: RUNS, ...(seed === undefined ? {} : { seed }) },
    );
  },
);
