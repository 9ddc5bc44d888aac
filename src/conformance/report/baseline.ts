import { UsageError } from '../failure.ts';
import type { Result } from '../verdict.ts';
import { isFailure } from './machine.ts';

/** Comparison of a run with the known failures. */
export interface Comparison {
  /** Ids of cases that failed and are not in the baseline. */
  readonly news: readonly string[];
  /** Ids of cases that passed although the baseline lists them: the baseline is out of date. */
  readonly stale: readonly string[];
  /** In the baseline and failed. */
  readonly known: readonly string[];
}

/** Parses a baseline: one case id per line, `#` begins a comment. Throws {@link UsageError} with file and line. */
export function readBaseline(text: string, file: string, ids: ReadonlySet<string>): ReadonlySet<string> {
  const listed = new Set<string>();
  for (const [index, line] of text.split('\n').entries()) {
    const id = line.replace(/#.*/, '').trim();
    if (id === '') continue;
    const fail = (reason: string): never => {
      throw new UsageError(`${file}:${index + 1}: ${reason}`);
    };
    if (!ids.has(id)) fail(`there is no case "${id.slice(0, 60)}"; --list shows them all`);
    if (listed.has(id)) fail(`"${id}" is duplicated`);
    listed.add(id);
  }
  return listed;
}

/**
 * Compares results with a baseline. A listed case that only warns, does not apply or was not run is neither stale nor a
 * known failure.
 */
export function compare(
  results: readonly Result[],
  listed: ReadonlySet<string>,
  strict: boolean,
): Comparison {
  const failed = results.filter((result) => isFailure(result, strict)).map((result) => result.case.id);
  const passed = results.filter((result) => result.verdict.kind === 'passed').map((result) => result.case.id);
  return {
    news: failed.filter((id) => !listed.has(id)),
    stale: passed.filter((id) => listed.has(id)),
    known: failed.filter((id) => listed.has(id)),
  };
}

/** Formats a baseline with every failure of a run. */
export function writeBaseline(results: readonly Result[], strict: boolean): string {
  const lines = results
    .filter((result) => isFailure(result, strict))
    .map((result) => `${result.case.id}  # ${result.case.title}`);
  return `# Known failures: one case id a line.\n${lines.join('\n')}\n`;
}
