import { describe, expect, it } from 'vitest';
import { isSameActivity } from '../../src/presence/same-activity.ts';
import { isSameView, type Standing } from '../../src/presence/standing.ts';

describe('two activities', () => {
  it.each<[unknown, unknown, boolean]>([
    [{ details: 'a' }, { details: 'a' }, true],
    [{ details: 'a' }, { details: 'b' }, false],
    [{ details: 'a' }, { details: 'a', state: 'b' }, false],
    [{ details: 'a', state: 'b' }, { details: 'a' }, false],
    [{ details: 'a' }, { state: 'a' }, false],
    [{ details: undefined }, { state: undefined }, true],
    [{ details: undefined }, { details: 'a' }, false],
    [{ details: 'a' }, { details: undefined }, false],
    [{ details: 'a', timestamps: { start: 1 } }, { details: 'a' }, true],
    [{ assets: { large_text: 'a' } }, { assets: { large_text: 'a' } }, true],
    [{ assets: { large_text: 'a' } }, { assets: { large_text: 'b' } }, false],
    [{ assets: {} }, { assets: null }, false],
    [{ assets: null }, { assets: {} }, false],
    [{ assets: {} }, { assets: 'x' }, false],
    [{ assets: 'x' }, { assets: {} }, false],
    [{ type: 0 }, { type: 0 }, true],
    [undefined, {}, false],
    [{}, undefined, false],
    [{}, {}, true],
  ])('%j and %j show the same: %s', (a, b, expected) => {
    expect(isSameActivity(a, b)).toBe(expected);
  });
});

describe('two standings', () => {
  const activity = { details: 'a' };
  const only = ['x'];
  const shown: Standing = { kind: 'shown', activity, only: undefined, reason: { kind: 'no-rule' } };
  const hidden: Standing = { kind: 'hidden', reason: { kind: 'away' } };
  it.each<[Standing, Standing, boolean]>([
    [shown, { ...shown, reason: { kind: 'one' } }, true],
    [shown, { ...shown, activity: { details: 'a' } }, false],
    [shown, { ...shown, only }, false],
    [{ ...shown, only }, { ...shown, only }, true],
    [shown, hidden, false],
    [hidden, shown, false],
    [hidden, { kind: 'none' }, true],
    [{ kind: 'none' }, shown, false],
    [hidden, { kind: 'waiting', waitsFor: 'x', reason: { kind: 'one' } }, true],
  ])('%j and %j let others see the same: %s', (a, b, expected) => {
    expect(isSameView(a, b)).toBe(expected);
  });
});
