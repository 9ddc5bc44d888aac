import type { Style } from '../base/style.ts';
import { amount, printable, printableLines } from '../base/text.ts';
import type { Place, Problem } from './place.ts';
import { hasPassed, type ScenarioResult } from './play.ts';

/** A problem as a person reads it: what, where, the line with a caret below, actual and expected, and what to do. */
export function problemText({ what, place, actual, expected, remedy }: Problem, style: Style): string {
  const facts = [
    ...(actual === undefined ? [] : factLines('actual:  ', actual)),
    ...(expected === undefined ? [] : factLines('expected:', expected)),
    ...(remedy === undefined ? [] : [remedy]),
  ];
  const head = `${style.bad('error')}: ${printable(what)}\n`;
  if (place === undefined) return `${head}${facts.map((line) => `  ${printable(line)}\n`).join('')}`;
  const shown = clipped(place);
  const number = String(place.line);
  const bar = `${' '.repeat(number.length)} |`;
  return [
    head,
    `${' '.repeat(number.length)}--> ${placeText(place)}\n`,
    ...(shown.source === undefined
      ? []
      : [`${bar}\n`, `${number} | ${printable(expanded(shown.source))}\n`, `${bar} ${caret(shown)}\n`]),
    ...facts.map((line) => `${bar}   ${printable(line)}\n`),
  ].join('');
}

/** `FILE:LINE:COLUMN`, which editors and terminals open. */
export function placeText({ file, line, column }: Place): string {
  return `${printable(file)}:${line}:${column}`;
}

function factLines(label: string, text: string): readonly string[] {
  const [first = '', ...rest] = text.split('\n');
  return [`${label} ${first}`, ...rest.map((line) => `${' '.repeat(label.length)} ${line}`)];
}

/** Longest part of a line that is shown, and the part of it that comes before the place. */
const SHOWN = 240;
const BEFORE = 80;

/** The place in the part of its line around it, where the line is too long to be read. */
export function clipped(place: Place): Place {
  const { source, column } = place;
  if (source === undefined || source.length <= SHOWN) return place;
  const from = Math.max(0, Math.min(column - BEFORE, source.length - SHOWN));
  const head = from === 0 ? '' : '…';
  const tail = from + SHOWN < source.length ? '…' : '';
  return {
    ...place,
    source: `${head}${source.slice(from, from + SHOWN)}${tail}`,
    column: column - from + head.length,
  };
}

/** A line whose tabs are spaces, so that the caret below it is in the right place. */
function expanded(line: string): string {
  return line.replaceAll('\t', ' ');
}

function caret({ column, width = 1, source = '' }: Place): string {
  const room = Math.max(1, source.length - column + 1);
  return `${' '.repeat(column - 1)}${'^'.repeat(Math.min(width, room))}`;
}

/** One line about a scenario that has been played. */
export function scenarioLine(result: ScenarioResult, style: Style): string {
  const { scenario, ms, steps } = result;
  const name = printable(scenario.name);
  if (scenario.skip !== undefined)
    return `${style.faint('-')} ${name} ${style.faint(`skipped: ${printable(scenario.skip)}`)}\n`;
  const mark = hasPassed(result) ? style.good('✓') : style.bad('✗');
  return `${mark} ${name} ${style.faint(`${amount(steps.length, 'step')}, ${ms} ms`)}\n`;
}

/** Everything about a scenario that has failed. */
export function failureText({ steps, transcript }: ScenarioResult, style: Style): string {
  const problems = steps.flatMap((one) => (one.kind === 'failed' ? [problemText(one.problem, style)] : []));
  const left = steps.filter(({ kind }) => kind === 'not-run').length;
  const rest = left === 0 ? '' : `${amount(left, 'step')} after it did not run.\n`;
  const traffic =
    transcript.length === 0
      ? ''
      : `What passed the bridge:\n${printableLines(transcript.map((line) => `  ${line}`).join('\n'))}\n`;
  return `${problems.join('')}${rest}${traffic}`;
}

/** The last line of a report. */
export function summaryText(results: readonly ScenarioResult[], ms: number): string {
  const skipped = results.filter(({ scenario }) => scenario.skip !== undefined).length;
  const failed = results.filter((result) => !hasPassed(result)).length;
  const passed = results.length - skipped - failed;
  const parts = [
    `${passed} passed`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
  ];
  return `${amount(results.length, 'scenario')}: ${parts.join(', ')}, ${Math.round(ms)} ms\n`;
}
