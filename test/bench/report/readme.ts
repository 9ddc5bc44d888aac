import { ARRPC, BARE, FOOTBRIDGE } from '../peers.ts';
import { highlights } from './highlights.ts';
import type { Report } from './report.ts';

const BEGIN = '<!-- bench: begin -->';
const END = '<!-- bench: end -->';

/** README with this report between its two marks. Throws when it has none. */
export function withFigures(readme: string, report: Report): string {
  const [before, rest = ''] = readme.split(BEGIN);
  const [, after] = rest.split(END);
  if (before === undefined || after === undefined) throw new Error(`README has no ${BEGIN} … ${END}`);
  return `${before}${BEGIN}\n${figures(report)}${END}${after}`;
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
  const { machine, passes, quick, date } = report;
  return (
    `| | ${names.join(' | ')} |\n|---|${names.map(() => '---|').join('')}\n${lines.join('')}\n` +
    `${machine.processor}, ${machine.processors} processors, ${machine.system}, Node ${machine.node.slice(1)}, ` +
    `medians of ${passes}${quick ? ' short' : ''} passes, ${date}.\n`
  );
}
