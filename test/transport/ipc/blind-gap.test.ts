import { expect, it } from 'vitest';
import { BlindGap } from '../../../src/transport/ipc/blind-gap.ts';

it('BlindGap leaves 30 ms after a frame that no request follows', () => {
  const gap = new BlindGap();
  gap.wrote(Number.POSITIVE_INFINITY);
  expect(gap.isOver(29, 1)).toBe(false);
  expect(gap.isOver(30, 1)).toBe(true);
  gap.received();
  expect(gap.isOver(5, 1)).toBe(true);
});

it('BlindGap leaves 5 ms while many frames wait, so that frequent events do not delay answers', () => {
  const gap = new BlindGap();
  gap.wrote(Number.POSITIVE_INFINITY);
  expect(gap.isOver(5, 3)).toBe(false);
  expect(gap.isOver(5, 4)).toBe(true);
  expect(gap.isOver(4, 4)).toBe(false);
});
