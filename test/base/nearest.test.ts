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
    ['RUN', 'run'],
    ['aPRo', 'approve'],
    ['xyzzy', undefined],
    ['', undefined],
  ])('matches %j to %j', (typed, meant) => {
    expect(nearest(typed, ['status', 'approve', 'consent', 'core', 'run'])).toBe(meant);
  });

  it('returns the closest of several candidates', () => {
    expect(nearest('reqests', ['request', 'requests', 'revoke'])).toBe('requests');
  });

  it('compares no more than 40 characters', () => {
    expect(nearest('a'.repeat(1_000_000), ['b'.repeat(41)])).toBeUndefined();
  });
});

it('didYouMean returns a suggestion only when a candidate is near', () => {
  expect(didYouMean('rxy', ['run'])).toBe('');
  expect(didYouMean('statu', ['status'])).toBe(' Did you mean "status"?');
});
