import { median } from '../statistics.ts';

/**
 * Half of the 15 % that must be noticed. So much lies between this and either an unchanged program or one that costs 15 %
 * more; what was measured is on the right side while its error is smaller.
 */
export const TOLERANCE = 1.075;
/** The same for ratios that a busy machine changes by itself, because the two servers are different programs. */
export const LOOSE_TOLERANCE = 1.5;
/** How often an interval may miss the true ratio, on either side. */
const ERROR_RATE = 0.02;

/** What is known about the ratio of a load. */
export interface Estimate {
  readonly ratio: number;
  /** Bounds of the true ratio, each wrong in at most 2 % of all measurements; without limits for too few starts. */
  readonly low: number;
  readonly high: number;
}

/** The ratio of one start of both servers: the median over its rounds, which lie side by side. */
export function startRatio(own: readonly number[], other: readonly number[]): number {
  return median(own.map((cost, round) => cost / (other[round] ?? Number.NaN)));
}

/**
 * The median of the ratios of several starts, and its bounds by the sign test. A start is the unit, not a round: a process
 * has its own memory layout and its own compiled code, which cost some percent more or less for its lifetime.
 */
export function estimate(ratios: readonly number[]): Estimate {
  const sorted = [...ratios].sort((a, b) => a - b);
  const outside = outsideOf(sorted.length);
  return {
    ratio: median(sorted),
    low: outside === undefined ? Number.NEGATIVE_INFINITY : (sorted[outside] ?? Number.NaN),
    high: outside === undefined ? Number.POSITIVE_INFINITY : (sorted.at(-1 - outside) ?? Number.NaN),
  };
}

/** How many of the smallest, and of the largest, lie outside of the bounds; undefined where there are too few at all. */
function outsideOf(count: number): number | undefined {
  let [outside, chance, below] = [-1, 1 / 2 ** count, 0];
  for (let n = 0; n < count; n++) {
    // `chance` is the probability that exactly n of them lie below the true median.
    below += chance;
    if (below > ERROR_RATE) break;
    outside = n;
    chance *= (count - n) / (n + 1);
  }
  return outside < 0 ? undefined : outside;
}

/** `open`: more starts are needed. */
export type Verdict = 'fine' | 'worse' | 'open';

/** The verdict on a ratio; that of the last start is never open. */
export function judge({ ratio, low, high }: Estimate, tolerance: number, isLast: boolean): Verdict {
  if (low > tolerance) return 'worse';
  if (high < tolerance) return 'fine';
  if (!isLast) return 'open';
  return ratio > tolerance ? 'worse' : 'fine';
}

/** Ratios of processor time per request to the bare server's, by the load's id. */
export type Ratios = Readonly<Record<string, number>>;

/**
 * Ratios on one kind of machine. A slow processor slows JavaScript more than it slows the system's calls, so that the
 * ratios of one machine accuse an unchanged program on another.
 */
export interface Baseline {
  /** What a request costs the bare server there: `activity`, in µs of processor time. */
  readonly bare: number;
  readonly ratios: Ratios;
}

/** The content of committed.json. */
export interface Committed {
  /** The commit that the program is compared with. */
  readonly commit: string;
  /** What it is compared with where the commit is not there. */
  readonly baselines: readonly Baseline[];
}

/** Machines on which the bare server is nearer to each other than this are of one kind. */
const SAME_KIND = 1.25;

const apart = (one: number, other: number): number => Math.max(one / other, other / one);

/** The baseline whose bare server is nearest. */
export function baselineFor(bare: number, baselines: readonly Baseline[]): Baseline | undefined {
  return baselines.reduce<Baseline | undefined>(
    (best, next) => (best && apart(best.bare, bare) <= apart(next.bare, bare) ? best : next),
    undefined,
  );
}

/** The baselines with this one, instead of those of the same kind of machine; the fastest machine first. */
export function withBaseline(own: Baseline, baselines: readonly Baseline[]): readonly Baseline[] {
  const others = baselines.filter(({ bare }) => apart(bare, own.bare) > SAME_KIND);
  return [...others, own].sort((a, b) => a.bare - b.bare);
}
