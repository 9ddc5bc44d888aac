import type { Generator } from '../generator/generator.ts';
import type { Pinning } from '../machine.ts';
import type { Peer } from '../peers.ts';
import { LOADS, type Load } from './loads.ts';
import { type Costs, takeTurns } from './turns.ts';

/** More processors at a time would disturb each other more than they gain. */
const MAX_LANES = 2;

/** What a measurement needs, and when it ends. */
export interface Sampling {
  readonly generator: Generator;
  readonly pinning: Pinning;
  readonly minStarts: number;
  readonly maxStarts: number;
  /** No further start is made that would probably end later (ms). */
  readonly budgetMs: number;
}

/** Starts of the servers so far, and whether these are the last. */
export interface Samples {
  readonly starts: readonly Costs[];
  readonly isLast: boolean;
}

/**
 * Starts the servers again and again, on each processor at a time, until `openLoads` names no load any more that needs
 * another start. Only loads that are named are measured again.
 */
export async function sample(
  servers: readonly Peer[],
  { generator, pinning, minStarts, maxStarts, budgetMs }: Sampling,
  openLoads: (samples: Samples) => readonly Load[],
): Promise<void> {
  const lanes = typeof pinning.cpus === 'string' ? [undefined] : pinning.cpus.slice(0, MAX_LANES);
  const starts: Costs[] = [];
  const begun = performance.now();
  for (let loads: readonly Load[] = LOADS; loads.length > 0; ) {
    const waveBegun = performance.now();
    const wave = loads;
    starts.push(...(await Promise.all(lanes.map(async (cpu) => takeTurns(servers, wave, generator, cpu)))));
    const now = performance.now();
    const isLast = starts.length >= maxStarts || now + (now - waveBegun) > begun + budgetMs;
    if (isLast || starts.length >= minStarts) loads = openLoads({ starts, isLast });
    if (isLast) return;
  }
}
