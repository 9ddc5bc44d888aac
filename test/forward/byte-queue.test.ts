import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ByteQueue } from '../../src/forward/byte-queue.ts';

it('bytes leave a queue in their order, however they come and go', () => {
  const step = fc.oneof(
    fc.record({ add: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1000, max: 9000 })) }),
    fc.record({ take: fc.integer({ min: 1, max: 5000 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queue = new ByteQueue();
      const [added, taken]: [number[], number[]] = [[], []];
      for (const one of steps) {
        if ('add' in one) {
          const bytes = Uint8Array.from({ length: one.add }, (_, at) => (added.length + at) % 251);
          queue.push(bytes);
          for (const byte of bytes) added.push(byte);
        } else {
          const part = queue.first.subarray(0, one.take);
          for (const byte of part) taken.push(byte);
          if (part.length > 0) queue.drop(part.length);
        }
        expect(queue.length).toBe(added.length - taken.length);
      }
      for (const chunk of queue.takeAll()) for (const byte of chunk) taken.push(byte);
      expect(taken).toEqual(added);
      expect([queue.length, queue.first.length]).toEqual([0, 0]);
    }),
  );
});

it('chunks of one byte are stored in few pages, and hold none of the memory that they were read into', () => {
  const queue = new ByteQueue();
  for (let count = 0; count < 8192; count += 1) queue.push(new Uint8Array(4096).subarray(7, 8));
  const chunks = queue.takeAll();
  expect(chunks.length).toBeLessThanOrEqual(4);
  const held = chunks.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
  expect(held).toBeLessThanOrEqual(4 * 4096);
});
