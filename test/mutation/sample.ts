import { Random } from '../fuzz/random.ts';

/** Size of a random sample of a folder's mutants, and the seed that repeats the sample. */
export interface SampleOptions {
  readonly size: number;
  readonly seed: number;
}

/** Limits of an interval in percent. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Quantile of the normal distribution for 95 %. */
const Z = 1.959964;

/** A uniform sample without repetition. The order of `items` does not influence which keys it has. */
export function sampleOf<T>(items: readonly T[], keyOf: (item: T) => string, options: SampleOptions): T[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  const rest = keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ item }) => item);
  const random = new Random(options.seed);
  const size = Math.min(options.size, rest.length);
  return Array.from({ length: size }, () => rest.splice(random.int(rest.length), 1)).flat();
}

/** 95 % interval of a proportion that a sample estimates (Wilson's score interval). */
export function wilsonInterval(successes: number, size: number): Interval {
  if (size === 0) return { low: 0, high: 100 };
  const proportion = successes / size;
  const scale = 1 + Z ** 2 / size;
  const centre = (proportion + Z ** 2 / (2 * size)) / scale;
  const half = (Z / scale) * Math.sqrt((proportion * (1 - proportion)) / size + Z ** 2 / (4 * size ** 2));
  return { low: Math.max(0, centre - half) * 100, high: Math.min(1, centre + half) * 100 };
}
