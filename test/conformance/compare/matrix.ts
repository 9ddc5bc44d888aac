/** One case as the JSON report of the suite has it. */
interface ReportedCase {
  readonly id: string;
  readonly level: 'MUST' | 'SHOULD';
  readonly verdict: 'passed' | 'failed' | 'warned' | 'not-applicable' | 'not-run';
  readonly how?: string;
}

/** The part of a JSON report that the comparison reads. */
export interface Report {
  readonly date: string;
  readonly profile: string;
  readonly ms: number;
  readonly cases: readonly ReportedCase[];
}

/** A subject with its report. */
export interface Column {
  readonly name: string;
  readonly report: Report;
}

const sectionOf = (id: string) => id.split('/')[0] ?? id;

/** `passed/judged`, and how many MUST failed when there are any. */
function cell(cases: readonly ReportedCase[]): string {
  const judged = cases.filter((one) => one.verdict !== 'not-applicable' && one.verdict !== 'not-run');
  const passed = judged.filter((one) => one.verdict === 'passed').length;
  const broken = judged.filter((one) => one.verdict === 'failed').length;
  if (judged.length === 0) return 'n/a';
  return `${passed}/${judged.length}${broken === 0 ? '' : `, ${broken} failed`}`;
}

/** A Markdown table: a row for every section, a column for every subject. */
export function matrix(columns: readonly Column[]): string {
  const sections = [
    ...new Set(columns.flatMap(({ report }) => report.cases.map((one) => sectionOf(one.id)))),
  ];
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const heads = ['section', ...columns.map((column) => column.name)];
  return [
    row(heads),
    row(heads.map(() => '---')),
    ...sections.map((section) =>
      row([
        section,
        ...columns.map(({ report }) => cell(report.cases.filter((one) => sectionOf(one.id) === section))),
      ]),
    ),
    row(['**all**', ...columns.map(({ report }) => `**${cell(report.cases)}**`)]),
  ].join('\n');
}

/** Ids by section, numbers in a row as a range: `framing 1-2, 4; ping 12`. */
export function condense(ids: readonly string[]): string {
  const numbers = new Map<string, [number, number][]>();
  for (const id of ids) {
    const number = Number(id.split('/')[1]);
    const ranges = numbers.get(sectionOf(id)) ?? [];
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
    numbers.set(sectionOf(id), ranges);
  }
  return [...numbers]
    .map(([section, ranges]) => {
      return `${section} ${ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ')}`;
    })
    .join('; ');
}

/** What each subject breaks of the MUSTs, in one line each. */
export function findings(columns: readonly Column[]): string {
  return columns
    .map(({ name, report }) => {
      const failed = report.cases.filter((one) => one.verdict === 'failed').map((one) => one.id);
      const facts = `${report.date.slice(0, 10)}, profile ${report.profile}, ${Math.round(report.ms / 1000)} s`;
      return `- ${name} (${facts}): ${failed.length === 0 ? 'no failed MUST' : condense(failed)}`;
    })
    .join('\n');
}

/** Puts text between the markers `<!-- NAME -->` and `<!-- /NAME -->`. Throws when they are missing. */
export function between(document: string, name: string, text: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [document.indexOf(open), document.indexOf(close)];
  if (from < 0 || to < from) throw new Error(`the markers ${open} and ${close} are missing`);
  return `${document.slice(0, from + open.length)}\n${text}\n${document.slice(to)}`;
}
