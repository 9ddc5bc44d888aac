// The one file that Vitest itself is asked to run: `worker.ts` then runs the tests of each mutant in its place.
import { it } from 'vitest';

it('starts the worker', () => {});
