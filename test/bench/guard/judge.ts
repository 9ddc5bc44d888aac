/** Ratios to the bare server, by `row.quantity`. */
export type Ratios = Readonly<Record<string, number>>;

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

/** How many times worse than committed a ratio is; below 1 it is better. NaN where either is not there. */
export function worse(figure: Guarded, committed: Ratios, measured: Ratios): number {
  const [was, is] = [committed[nameOf(figure)] ?? Number.NaN, measured[nameOf(figure)] ?? Number.NaN];
  return figure.better === 'lower' ? is / was : was / is;
}

/** Those of the figures that are worse than tolerated; one that was not measured is none of them. */
export function tooBad(figures: readonly Guarded[], committed: Ratios, measured: Ratios): readonly Guarded[] {
  return figures.filter((figure) => worse(figure, committed, measured) > TOLERANCE);
}
