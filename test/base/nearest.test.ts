import { describe, expect, it } from 'vitest';
import { didYouMean, nearest } from '../../src/base/nearest.ts';

describe('nearest', () => {
  it.each([
    ['stauts', 'status'],
    ['aprove', 'approve'],
    ['conscent', 'consent'],
    ['rnu', 'run'],
    ['rub', 'run'],
    ['app', 'approve'],
    ['con', 'consent'],
    ['co', undefined],
    ['nope', undefined],
    ['RUN', undefined],
    ['xyzzy', undefined],
    ['', undefined],
  ])('takes %j for %j', (typed, meant) => {
    expect(nearest(typed, ['status', 'approve', 'consent', 'core', 'run'])).toBe(meant);
  });

  it('finds the closest of several', () => {
    expect(nearest('reqests', ['request', 'requests', 'revoke'])).toBe('requests');
  });

  it('looks at no more than 40 characters', () => {
    expect(nearest('a'.repeat(1_000_000), ['b'.repeat(41)])).toBeUndefined();
  });
});

it('asks only when there is something to ask', () => {
  expect(didYouMean('rxy', ['run'])).toBe('');
  expect(didYouMean('statu', ['status'])).toBe(' Did you mean "status"?');
});
