import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FrameBoundary } from '../../src/forward/frame-boundary.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { concatBytes, cutBytes, frameBytes } from '../helpers/frame-bytes.ts';

it('the boundary of frames is known however their bytes are cut', () => {
  const bodies = fc.array(fc.uint8Array({ maxLength: 400 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(bodies, fc.array(fc.nat(600), { maxLength: 30 }), (all, offsets) => {
      const boundary = new FrameBoundary();
      const frames = all.map((body) => frameBytes(Opcode.FRAME, body));
      const ends = frames.map((_, count) => concatBytes(...frames.slice(0, count + 1)).length);
      let passed = 0;
      for (const part of cutBytes(concatBytes(...frames), offsets)) {
        boundary.pass(part);
        passed += part.length;
        expect(boundary.isBetweenFrames).toBe(passed === 0 || ends.includes(passed));
      }
    }),
  );
});

it('nothing has passed between two frames', () => {
  expect(new FrameBoundary().isBetweenFrames).toBe(true);
});
