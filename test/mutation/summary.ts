import type { Equivalent } from './equivalent.ts';
import { type Interval, type SampleOptions, wilsonInterval } from './sample.ts';

/** As much of one of Stryker's results as is counted here; `file` is relative to the checkout. */
export interface TestedMutant {
  readonly file: string;
  readonly status: string;
  readonly line: number;
  readonly column: number;
  /** Text of that line, without its indentation. */
  readonly source: string;
  readonly replacement: string;
  /** Why Stryker ignored it. */
  readonly reason?: string | undefined;
}

/** Mutants of a folder, by what became of them. */
export interface Summary {
  readonly mutants: number;
  readonly killed: number;
  readonly timeouts: number;
  readonly survivors: readonly TestedMutant[];
  readonly equivalent: readonly TestedMutant[];
  /** Part of the mutants that are not equivalent which a test has noticed, in percent. */
  readonly score: number;
  /** Mutants outside of the sample; 0 where all were tested. */
  readonly notSampled: number;
  /** 95 % interval of the score of all mutants, as far as the tested ones are a sample. */
  readonly interval: Interval;
}

/** Reason of a result that is outside of the sample. */
export const NOT_SAMPLED = 'not in the sample';

/** Least part of the mutants that the tests of a folder have to notice, in percent. */
export const MIN_SCORE = 90;

/** Counts results; what Stryker could not run, and the texts that are not mutated, count for nothing. */
export function summarize(
  results: readonly TestedMutant[],
  equivalents: Readonly<Record<string, readonly Equivalent[]>>,
): Summary {
  const with_ = (...statuses: string[]) => results.filter(({ status }) => statuses.includes(status));
  const unnoticed = with_('Survived', 'NoCoverage');
  const isEquivalent = ({ file, source, replacement }: TestedMutant): boolean =>
    (equivalents[file] ?? []).some(
      ({ line, to }) => line === source && (to === undefined || to.includes(oneLine(replacement))),
    );
  const survivors = unnoticed.filter((mutant) => !isEquivalent(mutant));
  const killed = with_('Killed').length;
  const timeouts = with_('Timeout').length;
  const counted = killed + timeouts + survivors.length;
  const notSampled = results.filter(({ reason }) => reason === NOT_SAMPLED).length;
  return {
    mutants: killed + timeouts + unnoticed.length,
    killed,
    timeouts,
    survivors,
    equivalent: unnoticed.filter(isEquivalent),
    score: counted === 0 ? 100 : ((killed + timeouts) / counted) * 100,
    notSampled,
    interval: wilsonInterval(killed + timeouts, counted),
  };
}

/** One line per survivor: where, and what the line's part was changed to. */
export function describeMutant({ file, line, column, status, replacement }: TestedMutant): string {
  const untested = status === 'NoCoverage' ? ' (no test runs it)' : '';
  return `${file}:${line}:${column} → ${oneLine(replacement)}${untested}`;
}

/** Table of all folders. */
export function tableOf(summaries: ReadonlyMap<string, Summary>): string {
  const head = ['folder', 'mutants', 'killed', 'timeouts', 'survived', 'equivalent', 'score'];
  const rows = [...summaries].map(([name, { mutants, killed, timeouts, survivors, equivalent, score }]) => [
    name,
    ...[mutants, killed, timeouts, survivors.length, equivalent.length].map(String),
    `${score.toFixed(1)} %${score < MIN_SCORE ? ' (too low)' : ''}`,
  ]);
  const widths = head.map((_, n) => Math.max(...[head, ...rows].map((row) => row[n]?.length ?? 0)));
  const lineOf = (row: readonly string[]): string =>
    row.map((cell, n) => (n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0))).join('  ');
  return [head, ...rows].map((row) => lineOf(row).trimEnd()).join('\n');
}

/** One line per folder about its sample: size, seed, and the interval of the score. */
export function describeSamples(
  summaries: ReadonlyMap<string, Summary>,
  { seed }: Pick<SampleOptions, 'seed'>,
): string {
  const lines = [...summaries].map(([name, { mutants, notSampled, score, interval }]) => {
    const { low, high } = interval;
    const size = `${mutants} of ${mutants + notSampled} mutants sampled (seed ${seed})`;
    return `${name}: ${size}, score ${score.toFixed(1)} %, 95 % interval ${low.toFixed(1)} to ${high.toFixed(1)} %`;
  });
  return lines.join('\n');
}

function oneLine(code: string): string {
  return code.replace(/\s+/g, ' ').trim();
}
