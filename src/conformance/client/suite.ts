import type { Options } from '../options.ts';
import type { Suite } from '../run.ts';

/** The client suite for the command that the options name. */
export function clientSuite(options: Options): Suite {
  return { target: options.command ?? '', all: [], omitted: [], run: () => Promise.resolve([]) };
}
