import { join } from 'node:path';
import { inject } from 'vitest';
import type { PROGRAMS } from './bundled-programs.ts';

/** The file of a program that the global setup has bundled, for `node` to run. */
export function bundled(
  program: 'footbridge' | 'bridge' | 'conformance/index' | keyof typeof PROGRAMS,
): string {
  return join(inject('programs'), `${program}.js`);
}
