import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { compare, describe as described, EQUAL, type Pair } from './comparison.ts';
import {
  type Baseline,
  baselineFor,
  type Committed,
  estimate,
  judge,
  startRatio,
  TOLERANCE,
  withBaseline,
} from './judge.ts';
import { LOADS } from './loads.ts';
import type { Costs } from './turns.ts';

it('startRatio compares rounds side by side, and one disturbed round changes nothing', () => {
  expect(startRatio([12, 24, 900, 36, 12], [10, 20, 10, 30, 10])).toBeCloseTo(1.2);
  expect(startRatio([], [])).toBeNaN();
});

it.each([
  [1, undefined],
  [5, undefined],
  [6, 0],
  [8, 0],
  [9, 1],
  [12, 2],
  [16, 3],
])('estimate gives bounds for %i starts', (count, outside) => {
  const ratios = Array.from({ length: count }, (_, n) => 1 + n / 100);
  const { low, high } = estimate([...ratios].reverse());
  expect(low).toBe(outside === undefined ? Number.NEGATIVE_INFINITY : ratios[outside]);
  expect(high).toBe(outside === undefined ? Number.POSITIVE_INFINITY : ratios.at(-1 - outside));
});

it.each([6, 8, 9, 12, 16])(
  'the bounds of %i starts miss the true ratio in at most 2 %% on either side',
  (count) => {
    // Each start lies above or below the true ratio with equal chance: all cases are counted.
    let [missed, cases] = [0, 2 ** count];
    for (let bits = 0; bits < cases; bits++) {
      const ratios = Array.from({ length: count }, (_, n) => ((bits >> n) & 1 ? 1.01 : 0.99));
      if (estimate(ratios).low > 1) missed += 1;
    }
    expect(missed / cases).toBeGreaterThan(0);
    expect(missed / cases).toBeLessThanOrEqual(0.02);
  },
);

it.each([
  ['both bounds below', { ratio: 1, low: 0.95, high: 1.05 }, 'fine', 'fine'],
  ['both bounds above', { ratio: 1.2, low: 1.1, high: 1.3 }, 'worse', 'worse'],
  ['a bound on either side, more likely below', { ratio: 1.02, low: 0.9, high: 1.1 }, 'open', 'fine'],
  ['a bound on either side, more likely above', { ratio: 1.08, low: 1, high: 1.2 }, 'open', 'worse'],
  ['too few starts', { ratio: 1.2, low: -Infinity, high: Infinity }, 'open', 'worse'],
] as const)('judge decides on %s', (_, known, early, last) => {
  expect(judge(known, TOLERANCE, false)).toBe(early);
  expect(judge(known, TOLERANCE, true)).toBe(last);
});

/** Eight starts that slow down in between, whose every server is disturbed by up to 6 %. */
function startsOf(factor: number): readonly Costs[] {
  return Array.from({ length: 8 }, (_, start) => {
    const rounds = Array.from({ length: 12 }, (__, round) => (round < 6 ? 20 : 45));
    const noisy = (by: number): readonly number[] =>
      rounds.map((cost, round) => cost * by * (1 + ((round * 7 + start * 5) % 13) / 200));
    return new Map(LOADS.map(({ id }) => [id, [noisy(id === 'voice' ? factor : 1), noisy(1), noisy(1.2)]]));
  });
}
const pair: Pair = { own: 0, other: 1, expected: EQUAL, tolerance: TOLERANCE };

it.each([
  [1, []],
  [1.05, []],
  [0.5, []],
  [1.15, ['voice']],
  [1.2, ['voice']],
])('one load that costs %d times as much', (factor, expected) => {
  const found = compare(pair, { starts: startsOf(factor), isLast: true });
  expect(found.map(({ load }) => load)).toEqual(LOADS);
  expect(found.filter(({ verdict }) => verdict === 'worse').map(({ load }) => load.id)).toEqual(expected);
});

it('compare judges by the expected ratio, and no load without one', () => {
  const samples = { starts: startsOf(1), isLast: true };
  const only = { other: 1, expected: { ready: 1.2, activity: 1 }, tolerance: TOLERANCE };
  expect(compare({ ...only, own: 2 }, samples).map(({ load, verdict }) => [load.id, verdict])).toEqual([
    ['activity', 'worse'],
    ['ready', 'fine'],
  ]);
});

it('a load that was measured in some starts only is judged by these', () => {
  const [first, ...others] = startsOf(1);
  const starts = [...(first ? [new Map([...first].filter(([id]) => id === 'voice'))] : []), ...others];
  const found = compare(pair, { starts, isLast: false });
  expect(found.map(({ load, starts: count }) => [load.id, count])).toEqual(
    LOADS.map(({ id }) => [id, id === 'voice' ? 8 : 7]),
  );
});

it('says what was found in one line', () => {
  const [activity] = LOADS;
  if (!activity) throw new Error('there are no loads');
  const finding = { load: activity, starts: 6, estimate: { ratio: 1.201, low: 1.1, high: 1.3 } };
  expect(described({ ...finding, verdict: 'worse' })).toBe(
    'activity  +20.1 %, between +10.0 % and +30.0 % (6 starts): WORSE',
  );
  const few = { ratio: 0.982, low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  expect(described({ ...finding, estimate: few, verdict: 'fine' })).toBe(
    'activity   -1.8 % (6 starts): fine',
  );
});

const of = (bare: number, activity = 1): Baseline => ({ bare, ratios: { activity } });

it.each([
  ['the same machine', 15, 15],
  ['one a little slower', 19, 15],
  ['one nearer to the slow one', 22, 28],
  ['one that is slower than all', 90, 28],
])('the guard compares %s with the nearest baseline', (_, bare, expected) => {
  expect(baselineFor(bare, [of(15), of(28)])?.bare).toBe(expected);
  expect(baselineFor(bare, [of(28), of(15)])?.bare).toBe(expected);
});

it('withBaseline stores one baseline for each kind of machine', () => {
  expect(withBaseline(of(16, 3), [of(15), of(28)])).toEqual([of(16, 3), of(28)]);
  expect(withBaseline(of(20, 3), [of(15), of(28)])).toEqual([of(15), of(20, 3), of(28)]);
  expect(baselineFor(20, [])).toBeUndefined();
});

it('committed.json names a commit, and has a ratio for each load of each kind of machine', () => {
  const { commit, baselines } = JSON.parse(
    readFileSync(new URL('../committed.json', import.meta.url), 'utf8'),
  ) as Committed;
  expect(commit).toMatch(/^[0-9a-f]{40}$/);
  expect(baselines.length).toBeGreaterThan(0);
  for (const { bare, ratios } of baselines) {
    expect(bare).toBeGreaterThan(0);
    expect(Object.keys(ratios)).toEqual(LOADS.map(({ id }) => id));
    for (const ratio of Object.values(ratios)) expect(ratio).toBeGreaterThan(0);
  }
});
