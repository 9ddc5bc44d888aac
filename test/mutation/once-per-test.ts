import { instrumentation } from './instrumentation.ts';

/**
 * In place of `src/base/once.ts` while mutants are tested: makes the value anew for each test. What the first of all tests
 * made would have no mutant in it, and no other test would be known to run its place.
 */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T; readonly during: number | undefined } | undefined;
  return () => {
    const during = instrumentation().testsBegun;
    if (made?.during !== during) made = undefined;
    made ??= { value: make(), during };
    return made.value;
  };
}
