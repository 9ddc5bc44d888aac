import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import type { Collect } from './collect.ts';

/**
 * Size of the young generation (bytes), in two halves of which a collection copies one to the other. A larger one is
 * collected less often, and each collection costs about the same, because few objects of a request survive. Half of this
 * size takes twice the time for collections, a twelfth of that of an HTTP request; twice the size saves less than that,
 * and adds 12 MB to a bridge under load.
 */
const TARGET_BYTES = 8 * 1024 * 1024;

/** Gap between two steps (ms), so that no request waits for more than one of them. */
const STEP_MS = 20;
/** Maximum number of steps: a version of V8 in which they have no effect must not be asked for ever. */
const MAX_STEPS = 40;
/** Survivors of a step: arrays of numbers, which are copied fastest. Each has 64 KB, half of a page of V8. */
const SURVIVORS = 2;
const NUMBERS = 8000;

/** Parts of V8 that {@link growYoungGeneration} uses; tests replace them. */
export interface YoungGeneration {
  /** Current size (bytes). */
  size(): number;
  /** Allows the young generation to double at a collection, or forbids it. */
  setGrowth(growth: 'doubles' | 'fixed'): void;
  readonly collect: Collect;
}

/** Returns the young generation of this process. */
export function youngGeneration(collect: Collect): YoungGeneration {
  return {
    size: () =>
      getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0,
    setGrowth: (growth) => setFlagsFromString(`--semi-space-growth-factor=${growth === 'doubles' ? 2 : 1}`),
    collect,
  };
}

/**
 * Enlarges the young generation to {@link TARGET_BYTES} in steps of about half a millisecond. V8 reads the flag for the
 * size only when it starts, and otherwise doubles the young generation once as many bytes have survived collections as
 * it has. Loading the program would enlarge it to the maximum, so the growth is allowed only during a step.
 */
export function growYoungGeneration(generation: YoungGeneration, steps = MAX_STEPS): void {
  if (steps === 0 || generation.size() >= TARGET_BYTES) return;
  const survivors = Array.from({ length: SURVIVORS }, () => new Array<number>(NUMBERS).fill(0.5));
  generation.setGrowth('doubles');
  generation.collect('young');
  generation.setGrowth('fixed');
  setTimeout(() => {
    // The reference keeps the arrays alive during the collection.
    survivors.length = 0;
    growYoungGeneration(generation, steps - 1);
  }, STEP_MS).unref();
}
