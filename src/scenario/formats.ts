import { printable } from '../base/text.ts';
import type { Problem } from './place.ts';
import { hasPassed, type ScenarioResult, type StepOutcome } from './play.ts';
import { clipped, placeText } from './report.ts';

/** The scenarios of one file, played. */
export interface FileResult {
  readonly file: string;
  readonly results: readonly ScenarioResult[];
}

/** Report in the form of JUnit, which CI services read. */
export function junitText(files: readonly FileResult[]): string {
  const suites = files.map(({ file, results }) => {
    const failures = results.filter((result) => !hasPassed(result)).length;
    const skipped = results.filter(({ scenario }) => scenario.skip !== undefined).length;
    const head = `<testsuite name="${xml(file)}" tests="${results.length}" failures="${failures}" skipped="${skipped}" time="${seconds(sum(results))}">`;
    return `  ${head}\n${results.map((result) => junitCase(file, result)).join('')}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="footbridge">\n${suites.join('')}</testsuites>\n`;
}

function junitCase(file: string, result: ScenarioResult): string {
  const { scenario, ms, transcript } = result;
  const head = `    <testcase classname="${xml(file)}" name="${xml(scenario.name)}" file="${xml(file)}" line="${scenario.place?.line ?? 1}" time="${seconds(ms)}"`;
  if (scenario.skip !== undefined) return `${head}><skipped message="${xml(scenario.skip)}"/></testcase>\n`;
  const problem = problemIn(result);
  if (problem === undefined) return `${head}/>\n`;
  const output = transcript.length === 0 ? '' : `<system-out>${xml(transcript.join('\n'))}</system-out>`;
  return `${head}><failure message="${xml(problem.what)}">${xml(lines(problem).join('\n'))}</failure>${output}</testcase>\n`;
}

/** Report in the form of the Test Anything Protocol, version 14. */
export function tapText(files: readonly FileResult[]): string {
  const all = files.flatMap(({ results }) => results);
  const rows = all.map((result, index) => {
    const { scenario } = result;
    const problem = problemIn(result);
    const skip = scenario.skip === undefined ? '' : ` # SKIP ${tapWord(scenario.skip)}`;
    const head = `${problem === undefined ? 'ok' : 'not ok'} ${index + 1} - ${tapWord(scenario.name)}${skip}\n`;
    if (problem === undefined) return head;
    return `${head}  ---\n${lines(problem)
      .map((line) => `  # ${printable(line)}\n`)
      .join('')}  message: ${JSON.stringify(problem.what)}\n  ...\n`;
  });
  return `TAP version 14\n1..${all.length}\n${rows.join('')}`;
}

/** Report as a JSON value. */
export function jsonOf(files: readonly FileResult[]): unknown {
  return files.map(({ file, results }) => ({
    file,
    scenarios: results.map((result) => ({
      name: result.scenario.name,
      line: result.scenario.place?.line ?? null,
      state: result.scenario.skip === undefined ? (hasPassed(result) ? 'passed' : 'failed') : 'skipped',
      ms: result.ms,
      steps: result.steps.map(stepJson),
      ...(result.transcript.length === 0 ? {} : { transcript: result.transcript }),
    })),
  }));
}

function stepJson(outcome: StepOutcome): object {
  if (outcome.kind !== 'failed') return { ...outcome, kind: undefined, state: outcome.kind };
  const { place, ...problem } = outcome.problem;
  return {
    state: 'failed',
    ms: outcome.ms,
    ...problem,
    ...(place === undefined ? {} : { at: placeText(place) }),
  };
}

function problemIn({ steps }: ScenarioResult): Problem | undefined {
  return steps.flatMap((one) => (one.kind === 'failed' ? [one.problem] : []))[0];
}

function lines({ what, place, actual, expected, remedy }: Problem): readonly string[] {
  return [
    place === undefined ? what : `${placeText(place)}: ${what}`,
    ...(place?.source === undefined ? [] : [clipped(place).source?.trim() ?? '']),
    ...(actual === undefined ? [] : [`actual: ${actual}`]),
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...(remedy === undefined ? [] : [remedy]),
  ].flatMap((line) => line.split('\n'));
}

function sum(results: readonly ScenarioResult[]): number {
  return results.reduce((all, { ms }) => all + ms, 0);
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

const XML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text for XML 1.0, which has neither control characters nor U+FFFE and U+FFFF, not even escaped. */
function xml(text: string): string {
  return text
    .split('\n')
    .map((line) => printable(line).replace(/[&<>"\ufffe\uffff]/g, (sign) => XML[sign] ?? ''))
    .join('&#10;');
}

function tapWord(text: string): string {
  return printable(text).replaceAll('\\', '\\\\').replaceAll('#', '\\#');
}
