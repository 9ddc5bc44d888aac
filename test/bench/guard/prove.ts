import type { Peer } from '../peers.ts';
import { compare, EQUAL, type Finding } from './comparison.ts';
import { TOLERANCE } from './judge.ts';
import { LOADS } from './loads.ts';
import { type Sampling, sample } from './sampling.ts';

/** The places of the three servers. */
const [CHECKOUT, REFERENCE, PLANTED] = [0, 1, 2];

/** The same program twice, and once with a cost planted into it. */
export interface Trial {
  readonly checkout: Peer;
  readonly reference: Peer;
  readonly planted: Peer;
}

/**
 * Runs the guard so many times on an unchanged program and on one with a planted cost, both measured against the same
 * reference in the same turns. Returns whether it noticed the cost each time, and accused the unchanged program never.
 */
export async function prove(
  runs: number,
  { checkout, reference, planted }: Trial,
  sampling: Sampling,
  tell: (line: string) => void,
): Promise<boolean> {
  const failures = { unchanged: 0, planted: 0 };
  const byLoad = new Map(LOADS.map(({ id }) => [id, { unchanged: 0, planted: 0 }]));
  for (let run = 1; run <= runs; run++) {
    const begun = performance.now();
    const found: Record<keyof typeof failures, readonly Finding[]> = { unchanged: [], planted: [] };
    await sample([checkout, reference, planted], sampling, (samples) => {
      const pair = { other: REFERENCE, expected: EQUAL, tolerance: TOLERANCE };
      found.unchanged = compare({ own: CHECKOUT, ...pair }, samples);
      found.planted = compare({ own: PLANTED, ...pair }, samples);
      const open = [...found.unchanged, ...found.planted].filter(({ verdict }) => verdict === 'open');
      return LOADS.filter((load) => open.some((finding) => finding.load === load));
    });
    for (const kind of ['unchanged', 'planted'] as const) {
      const worse = found[kind].filter(({ verdict }) => verdict === 'worse');
      if (worse.length > 0) failures[kind] += 1;
      for (const { load } of worse) {
        const counts = byLoad.get(load.id);
        if (counts) counts[kind] += 1;
      }
      const ratios = found[kind].map(({ load, estimate }) => `${load.id} ${estimate.ratio.toFixed(3)}`);
      const verdict = worse.length > 0 ? `FAILED (${worse.map(({ load }) => load.id).join()})` : 'passed';
      tell(`run ${run}, ${kind}: ${ratios.join(', ')}: ${verdict}`);
    }
    tell(`run ${run} took ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  }
  for (const [id, counts] of byLoad)
    tell(`${id}: ${counts.planted} of ${runs} with the cost, ${counts.unchanged} of ${runs} without`);
  tell(`failed: ${failures.planted} of ${runs} with the cost, ${failures.unchanged} of ${runs} without`);
  return failures.planted === runs && failures.unchanged === 0;
}
