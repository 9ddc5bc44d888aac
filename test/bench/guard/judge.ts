/** Ratios to the bare server, by `row.quantity`. */
export type Ratios = Readonly<Record<string, number>>;

/**
 * What was committed for one kind of machine. A slow processor slows JavaScript more than it slows the system's calls, so
 * that the ratios of one machine accuse an unchanged program on another.
 */
export interface Baseline {
  /** What the bare server's own request took there: p50 of `activity-same`, in µs. */
  readonly bare: number;
  readonly ratios: Ratios;
}

/** One figure that the guard looks at. */
export interface Guarded {
  readonly row: string;
  readonly key: string;
  readonly better: 'lower' | 'higher';
}

/** What it looks at: each costs a second or two. */
export const FIGURES: readonly Guarded[] = [
  { row: 'activity-same', key: 'p50', better: 'lower' },
  { row: 'activity-same', key: 'cpu', better: 'lower' },
  { row: 'voice-same', key: 'p50', better: 'lower' },
  { row: 'pipelined-1x64', key: 'rate', better: 'higher' },
  { row: 'pipelined-50x16', key: 'rate', better: 'higher' },
  { row: 'ready', key: 'p50', better: 'lower' },
];

/** Worse by less than this is the machine's mood. */
export const TOLERANCE = 1.5;
/** A figure that is worse in each of so many tries is worse. */
export const TRIES = 3;

/** Its name in the file of committed ratios. */
export const nameOf = ({ row, key }: Guarded): string => `${row}.${key}`;

/** Machines on which the bare server is nearer to each other than this are of one kind. */
const SAME_KIND = 1.25;

const apart = (one: number, other: number): number => Math.max(one / other, other / one);

/** The baseline whose bare server was nearest; where that could not be measured, the slowest machine's. */
export function baselineFor(bare: number, baselines: readonly Baseline[]): Baseline | undefined {
  const sought = Number.isNaN(bare) ? Number.POSITIVE_INFINITY : bare;
  return [...baselines]
    .sort((a, b) => b.bare - a.bare)
    .reduce<Baseline | undefined>(
      (best, next) => (best && apart(best.bare, sought) <= apart(next.bare, sought) ? best : next),
      undefined,
    );
}

/** The baselines with this one, instead of those of the same kind of machine; the fastest machine first. */
export function withBaseline(own: Baseline, baselines: readonly Baseline[]): readonly Baseline[] {
  const others = baselines.filter(({ bare }) => apart(bare, own.bare) > SAME_KIND);
  return [...others, own].sort((a, b) => a.bare - b.bare);
}

/** How many times worse than committed a ratio is; below 1 it is better. NaN where either is not there. */
export function worse(figure: Guarded, committed: Ratios, measured: Ratios): number {
  const [was, is] = [committed[nameOf(figure)] ?? Number.NaN, measured[nameOf(figure)] ?? Number.NaN];
  return figure.better === 'lower' ? is / was : was / is;
}

/** Those of the figures that are worse than tolerated; one that was not measured is none of them. */
export function tooBad(figures: readonly Guarded[], committed: Ratios, measured: Ratios): readonly Guarded[] {
  return figures.filter((figure) => worse(figure, committed, measured) > TOLERANCE);
}
