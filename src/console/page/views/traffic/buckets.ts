import { type Exchange, isError, isWait } from '../../../../journal/exchange.ts';

/** Number of buckets of the strip. */
export const BUCKETS = 90;
/** Widths of a bucket (s). */
const WIDTHS = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14_400, 86_400];
/** Number of classes of durations: four for each doubling, from 0.1 ms. */
const CLASSES = 96;
const LEAST_MS = 0.1;

/** Rows of a period. */
export interface Bucket {
  /** Start (ms since the Unix epoch). */
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly errors: number;
  /** 95th percentile of the durations (ms), to a fifth; undefined without a duration. */
  readonly p95: number | undefined;
}

/** Divides the time from the first row until now into periods of a round length. */
export function bucketsOf(rows: readonly Exchange[], now: number): readonly Bucket[] {
  const span = now - (rows[0]?.at ?? now);
  const width = 1000 * (WIDTHS.find((seconds) => seconds * 1000 * (BUCKETS - 1) >= span) ?? 86_400);
  const end = (Math.floor(now / width) + 1) * width;
  const begin = end - BUCKETS * width;
  const [counts, errors] = [new Uint32Array(BUCKETS), new Uint32Array(BUCKETS)];
  const classes = new Uint32Array(BUCKETS * CLASSES);
  for (const row of rows) {
    const { at, ms } = row;
    const index = Math.floor((at - begin) / width);
    if (index < 0 || index >= BUCKETS) continue;
    counts[index] = (counts[index] ?? 0) + 1;
    if (isError(row)) errors[index] = (errors[index] ?? 0) + 1;
    if (ms === undefined || isWait(row)) continue;
    const place = index * CLASSES + classOf(ms);
    classes[place] = (classes[place] ?? 0) + 1;
  }
  return Array.from(counts, (count, index) => ({
    from: begin + index * width,
    to: begin + (index + 1) * width,
    count,
    errors: errors[index] ?? 0,
    p95: quantileOf(classes.subarray(index * CLASSES, (index + 1) * CLASSES), 0.95),
  }));
}

function classOf(ms: number): number {
  if (ms <= LEAST_MS) return 0;
  return Math.min(CLASSES - 1, Math.ceil(4 * Math.log2(ms / LEAST_MS)));
}

function quantileOf(classes: Uint32Array, part: number): number | undefined {
  const total = classes.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  let rest = Math.ceil(total * part);
  const index = classes.findIndex((count) => {
    rest -= count;
    return rest <= 0;
  });
  return LEAST_MS * 2 ** (index / 4);
}
