import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { rows } from '../rows/rows.ts';
import { FIGURES, type Guarded, nameOf, type Ratios, tooBad, worse } from './judge.ts';

const latency: Guarded = { row: 'activity-same', key: 'p50', better: 'lower' };
const rate: Guarded = { row: 'pipelined-1x64', key: 'rate', better: 'higher' };
const committed: Ratios = { 'activity-same.p50': 2, 'pipelined-1x64.rate': 0.6 };

it.each([
  ['a little slower', { 'activity-same.p50': 2.9, 'pipelined-1x64.rate': 0.41 }, []],
  ['a latency beyond the tolerance', { 'activity-same.p50': 3.1, 'pipelined-1x64.rate': 0.6 }, [latency]],
  ['a throughput below it', { 'activity-same.p50': 2, 'pipelined-1x64.rate': 0.39 }, [rate]],
  ['faster', { 'activity-same.p50': 1, 'pipelined-1x64.rate': 2 }, []],
  ['a figure that could not be measured', { 'activity-same.p50': 3.1 }, [latency]],
])('judges %s', (_, measured, expected) => {
  expect(tooBad([latency, rate], committed, measured)).toEqual(expected);
});

it('says how many times worse, whichever way is better', () => {
  expect(worse(latency, committed, { 'activity-same.p50': 4 })).toBe(2);
  expect(worse(rate, committed, { 'pipelined-1x64.rate': 0.3 })).toBe(2);
  expect(worse(latency, committed, {})).toBeNaN();
});

it('has a committed ratio for each figure, and each is one of a row', () => {
  const file = JSON.parse(readFileSync(new URL('../committed.json', import.meta.url), 'utf8')) as Ratios;
  expect(Object.keys(file)).toEqual(FIGURES.map(nameOf));
  for (const figure of FIGURES) {
    expect(file[nameOf(figure)]).toBeGreaterThan(0);
    const quantity = rows
      .find(({ id }) => id === figure.row)
      ?.quantities.find(({ key }) => key === figure.key);
    expect(quantity?.better, nameOf(figure)).toBe(figure.better);
  }
});
