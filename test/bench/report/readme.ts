import type { HttpFigure } from '../http.ts';
import { ARRPC, BARE, FOOTBRIDGE } from '../peers.ts';
import { highlights } from './highlights.ts';
import type { Report } from './report.ts';

/** The guide with this report between its two marks. Throws when it has none. */
export function withFigures(guide: string, report: Report): string {
  return between(guide, 'bench', figures(report));
}

/** The same with the rows of the HTTP API. */
export function withHttpFigures(
  guide: string,
  rows: readonly HttpFigure[],
  setting: Pick<Report, 'machine' | 'passes' | 'quick' | 'date'>,
): string {
  const lines = rows.map(
    ({ what, mine, theirs, value }) =>
      `| ${what}, µs | ${mine.toFixed(0)} | ${theirs.toFixed(0)} | ${value.toFixed(1)} × |\n`,
  );
  const head = '| | Footbridge | a route of fastify | |\n|---|---|---|---|\n';
  return between(guide, 'bench http', `${head}${lines.join('')}\n${madeWith(setting)}`);
}

function between(guide: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`];
  const [before, rest = ''] = guide.split(begin);
  const [, after] = rest.split(end);
  if (before === undefined || after === undefined) throw new Error(`The guide has no ${begin} … ${end}`);
  return `${before}${begin}\n${text}${end}${after}`;
}

function figures(report: Report): string {
  const names = [FOOTBRIDGE, ARRPC, BARE];
  const lines = highlights(report).map(({ title, quantity }) => {
    const cells = names.map((name) => {
      const cell = quantity.cells[name];
      return cell === undefined ? '–' : cell.median.toFixed(quantity.digits);
    });
    return `| ${[`${title}, ${quantity.unit}`, ...cells].join(' | ')} |\n`;
  });
  const head = `| | ${names.join(' | ')} |\n|---|${names.map(() => '---|').join('')}\n`;
  return `${head}${lines.join('')}\n${madeWith(report)}`;
}

function madeWith({
  machine,
  passes,
  quick,
  date,
}: Pick<Report, 'machine' | 'passes' | 'quick' | 'date'>): string {
  return (
    `${machine.processor}, ${machine.processors} processors, ${machine.system}, Node ${machine.node.slice(1)}, ` +
    `medians of ${passes}${quick ? ' short' : ''} passes, ${date}.\n`
  );
}
