import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject } from 'vitest';
import type { PROGRAMS } from './bundled-programs.ts';

/** The file of a program that the global setup has bundled, for `node` to run. */
export function bundled(program: 'footbridge' | 'conformance/index' | keyof typeof PROGRAMS): string {
  return join(inject('programs'), `${program}.js`);
}

/** What a script of a test says to import such a program, in quotes. */
export function bundledModule(program: keyof typeof PROGRAMS): string {
  return JSON.stringify(pathToFileURL(bundled(program)).href);
}
