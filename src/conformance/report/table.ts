import { requirement } from '../requirements.ts';
import type { Result, Verdict } from '../verdict.ts';

/** Style of a report for users. */
export interface Style {
  readonly color: boolean;
  readonly strict: boolean;
}

const COLORS = { failed: 31, warned: 33, passed: 32, 'not-applicable': 90, 'not-run': 90 } as const;
const MARKS = {
  failed: 'FAIL',
  warned: 'WARN',
  passed: 'ok',
  'not-applicable': 'n/a',
  'not-run': 'not run',
} as const;
const COLUMNS: readonly Verdict['kind'][] = ['passed', 'failed', 'warned', 'not-applicable', 'not-run'];

function paint(text: string, kind: Verdict['kind'], { color }: Style): string {
  return color ? `\u001b[${COLORS[kind]}m${text}\u001b[0m` : text;
}

/** Text from the program under test, without characters that control the terminal or start a new line. */
export function safeText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '?');
}

/** Section of a case id. */
export function sectionOf(id: string): string {
  return id.split('/')[0] ?? id;
}

/** One line for a case with a finding; undefined for a case that passed or was not run. */
export function resultLine(result: Result, style: Style): string | undefined {
  const { verdict, level } = result;
  const { id, title, requirementIds } = result.case;
  const mark = paint(MARKS[verdict.kind].padEnd(4), verdict.kind, style);
  switch (verdict.kind) {
    case 'passed':
    case 'not-run':
      return undefined;
    case 'not-applicable':
      return `${mark} ${id}  ${title}: ${safeText(verdict.reason)}`;
    case 'failed':
    case 'warned': {
      const [first] = requirementIds;
      const from = first === undefined ? '' : ` [${requirement(first).sources.join(' ')}]`;
      const { expected, actual } = verdict.failure;
      return `${mark} ${id}  ${title}  Expected: ${safeText(expected)}  Actual: ${safeText(actual)}  (${level} ${requirementIds.join(', ')}${from})`;
    }
  }
}

/** Table of sections and counts. */
export function summaryTable(results: readonly Result[], style: Style): string {
  const sections = [...new Set(results.map((result) => sectionOf(result.case.id)))];
  const count = (of: readonly Result[], kind: Verdict['kind']) =>
    of.filter((one) => one.verdict.kind === kind).length;
  // Most runs have no such case.
  const columns = COLUMNS.filter((kind) => kind !== 'not-run' || count(results, kind) > 0);
  const width = (kind: Verdict['kind']) => Math.max(6, MARKS[kind].length + 2);
  const row = (name: string, of: readonly Result[]): string =>
    [
      name.padEnd(16),
      ...columns.map((kind) => {
        const number = count(of, kind);
        const text = String(number === 0 ? '.' : number).padStart(width(kind));
        return number === 0 ? text : paint(text, kind, style);
      }),
    ].join('');
  const heading = [
    'section'.padEnd(16),
    ...columns.map((kind) => MARKS[kind].toLowerCase().padStart(width(kind))),
  ].join('');
  const rows = sections.map((section) =>
    row(
      section,
      results.filter((one) => sectionOf(one.case.id) === section),
    ),
  );
  return [heading, ...rows, row('all', results)].join('\n');
}
