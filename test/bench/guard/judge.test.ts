import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { rows } from '../rows/rows.ts';
import {
  type Baseline,
  baselineFor,
  FIGURES,
  type Guarded,
  nameOf,
  type Ratios,
  tooBad,
  withBaseline,
  worse,
} from './judge.ts';

const latency: Guarded = { row: 'activity-same', key: 'p50', better: 'lower' };
const rate: Guarded = { row: 'pipelined-1x64', key: 'rate', better: 'higher' };
const committed: Ratios = { 'activity-same.p50': 2, 'pipelined-1x64.rate': 0.6 };

it.each([
  ['a little slower', { 'activity-same.p50': 2.9, 'pipelined-1x64.rate': 0.41 }, []],
  ['a latency beyond the tolerance', { 'activity-same.p50': 3.1, 'pipelined-1x64.rate': 0.6 }, [latency]],
  ['a throughput below it', { 'activity-same.p50': 2, 'pipelined-1x64.rate': 0.39 }, [rate]],
  ['faster', { 'activity-same.p50': 1, 'pipelined-1x64.rate': 2 }, []],
  ['a figure that could not be measured', { 'activity-same.p50': 3.1 }, [latency]],
])('the guard evaluates %s', (_, measured, expected) => {
  expect(tooBad([latency, rate], committed, measured)).toEqual(expected);
});

it('worse returns the factor of a regression, whether lower or higher figures are better', () => {
  expect(worse(latency, committed, { 'activity-same.p50': 4 })).toBe(2);
  expect(worse(rate, committed, { 'pipelined-1x64.rate': 0.3 })).toBe(2);
  expect(worse(latency, committed, {})).toBeNaN();
});

const of = (bare: number, p50 = 1): Baseline => ({ bare, ratios: { 'activity-same.p50': p50 } });

it.each([
  ['the same machine', 15, 15],
  ['one a little slower', 19, 15],
  ['one nearer to the slow one', 22, 28],
  ['one that is slower than all', 90, 28],
  ['one where the bare server could not be measured', Number.NaN, 28],
])('the guard compares %s with the nearest baseline', (_, bare, expected) => {
  expect(baselineFor(bare, [of(15), of(28)])?.bare).toBe(expected);
  expect(baselineFor(bare, [of(28), of(15)])?.bare).toBe(expected);
});

it('withBaseline stores one baseline for each kind of machine', () => {
  expect(withBaseline(of(16, 3), [of(15), of(28)])).toEqual([of(16, 3), of(28)]);
  expect(withBaseline(of(20, 3), [of(15), of(28)])).toEqual([of(15), of(20, 3), of(28)]);
  expect(baselineFor(20, [])).toBeUndefined();
});

it('committed.json has a ratio for each guarded figure, and each figure belongs to a row', () => {
  const baselines = JSON.parse(
    readFileSync(new URL('../committed.json', import.meta.url), 'utf8'),
  ) as readonly Baseline[];
  expect(baselines.length).toBeGreaterThan(0);
  for (const { bare, ratios } of baselines) {
    expect(bare).toBeGreaterThan(0);
    expect(Object.keys(ratios)).toEqual(FIGURES.map(nameOf));
    for (const figure of FIGURES) expect(ratios[nameOf(figure)]).toBeGreaterThan(0);
  }
  for (const figure of FIGURES) {
    const quantity = rows
      .find(({ id }) => id === figure.row)
      ?.quantities.find(({ key }) => key === figure.key);
    expect(quantity?.better, nameOf(figure)).toBe(figure.better);
  }
});
