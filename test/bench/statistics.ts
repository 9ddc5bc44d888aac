/** The middle of the values; of an even number the mean of the two in the middle. NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** The smallest value that `percent` of all values do not exceed. NaN for none. */
export function percentile(values: readonly number[], percent: number): number {
  return ofSorted(
    [...values].sort((a, b) => a - b),
    percent,
  );
}

function ofSorted(sorted: readonly number[], percent: number): number {
  // Rounded first: 99.9 % of 1,000 is the 999th, and not what 999.0000000000001 rounds up to.
  const place = Math.ceil(Math.round(sorted.length * percent * 1000) / 100_000);
  return sorted[Math.max(0, place - 1)] ?? Number.NaN;
}

/** What a generator says of its times. */
export interface Latencies {
  readonly count: number;
  /** All in µs; 0 when nothing was timed. */
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/** The same as the generator in C says, of times in ms. */
export function latencies(times: readonly number[]): Latencies {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (percent: number): number => (sorted.length === 0 ? 0 : ofSorted(sorted, percent) * 1000);
  return { count: sorted.length, p50: at(50), p99: at(99), p999: at(99.9), max: at(100) };
}

/** What several passes say about one quantity. */
export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Median and spread. */
export function summarize(values: readonly number[]): Summary {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}
