import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Runs a garbage collection: of the young generation, or of the whole heap. */
export type Collect = (generation: 'young' | 'all') => void;

/**
 * Returns V8's function for garbage collection. V8 itself collects on allocation, and an idle process does not
 * allocate. The function exists only in a context that is created after the flag is set.
 */
export function collector(): Collect {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  return (generation) => {
    if (typeof collect !== 'function') return;
    // Node 20 takes any options for those of a minor collection; without options, every version collects the whole heap.
    if (generation === 'young') collect({ type: 'minor' });
    else collect();
  };
}
