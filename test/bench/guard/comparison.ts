import { type Estimate, estimate, judge, type Ratios, startRatio, type Verdict } from './judge.ts';
import { LOADS, type Load } from './loads.ts';
import type { Samples } from './sampling.ts';
import type { Costs } from './turns.ts';

/** Two of the measured servers, by their places in the list, and what their ratio should be. */
export interface Pair {
  readonly own: number;
  readonly other: number;
  /** 1 for two builds of one program; of a load without a ratio nothing is known, and it is not judged. */
  readonly expected: Ratios;
  readonly tolerance: number;
}

/** What was found out about one load. */
export interface Finding {
  readonly load: Load;
  /** Relative to what is expected. */
  readonly estimate: Estimate;
  readonly starts: number;
  readonly verdict: Verdict;
}

/** The expected ratios of two builds of one program. */
export const EQUAL: Ratios = Object.fromEntries(LOADS.map(({ id }) => [id, 1]));

/** Judges each load by all starts so far. */
export function compare(pair: Pair, { starts, isLast }: Samples): readonly Finding[] {
  return LOADS.flatMap((load) => {
    const expected = pair.expected[load.id];
    if (expected === undefined) return [];
    const ratios = ratiosOf(load, pair, starts).map((ratio) => ratio / expected);
    const known = estimate(ratios);
    const verdict = judge(known, pair.tolerance, isLast);
    return [{ load, estimate: known, starts: ratios.length, verdict }];
  });
}

/** One ratio per start that measured the load. */
export function ratiosOf(
  { id }: Load,
  { own, other }: Pick<Pair, 'own' | 'other'>,
  starts: readonly Costs[],
): readonly number[] {
  return starts.flatMap((costs) => {
    const servers = costs.get(id);
    return servers ? [startRatio(servers[own] ?? [], servers[other] ?? [])] : [];
  });
}

/** The line that says what was found out. */
export function describe({ load, estimate: { ratio, low, high }, starts, verdict }: Finding): string {
  const percent = (value: number): string => `${value < 1 ? '' : '+'}${((value - 1) * 100).toFixed(1)} %`;
  const bounds = Number.isFinite(low) ? `, between ${percent(low)} and ${percent(high)}` : '';
  return `${load.id.padEnd(8)} ${percent(ratio).padStart(8)}${bounds} (${starts} starts): ${verdict === 'worse' ? 'WORSE' : verdict}`;
}
