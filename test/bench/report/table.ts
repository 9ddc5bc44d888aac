import { BARE, type PeerName, peerNames } from '../peers.ts';
import { GENERATOR } from '../rows/row.ts';
import type { Cell, Report, ReportRow } from './report.ts';

/** A table for people, and the goals below it. */
export function reportText(report: Report): string {
  const { machine, passes, quick, footbridge, generator, rows, goals } = report;
  const names = peerNames.filter((name) =>
    rows.some(({ quantities, reasons }) => name in reasons || quantities.some(({ cells }) => name in cells)),
  );
  const lines = rows.flatMap((row) => rowLines(row, names));
  const head = [
    `${machine.processor}, ${machine.processors} processors, ${machine.memoryGiB} GiB, ${machine.system}, node ${machine.node}`,
    `Footbridge ${footbridge}; load from a generator ${generator}`,
    `${passes} interleaved${quick ? ' short' : ''} passes: median (min–max), × ${BARE}`,
  ];
  const notes = rows.flatMap((row) => generatorNotes(row));
  const verdicts = goals.map(({ figure, must, measured, met, aim, aimMet }) => [
    met ? 'met' : 'NOT MET',
    figure,
    must,
    aim === undefined ? '' : `aim ${aim}${aimMet ? '' : ' (not met)'}`,
    measured,
  ]);
  return `${[...head, '', ...align([['', ...names], ...lines]), ...notes, '', ...align(verdicts)].join('\n')}\n`;
}

/** From here on a generator may be what is measured (% of its core). */
const GENERATOR_LIMIT = 90;

function generatorNotes({ title, quantities }: ReportRow): string[] {
  const shares = Object.entries(quantities.find(({ key }) => key === GENERATOR.key)?.cells ?? {});
  return shares
    .filter(([, { median }]) => median >= GENERATOR_LIMIT)
    .map(
      ([name]) => `${name}, ${title}: the generator was busy all the time, so that the server may be faster`,
    );
}

function rowLines({ title, quantities, reasons }: ReportRow, names: readonly PeerName[]): string[][] {
  const figures = quantities.map(({ label, unit, digits, better, cells }) => [
    `  ${label}${unit === '' ? '' : `, ${unit}`}`,
    ...names.map((name) => {
      const cell = cells[name];
      return cell === undefined ? '–' : cellText(cell, digits, better !== 'neither');
    }),
  ]);
  const absent = Object.entries(reasons).map(([name, reason]) => [`  ${name}: not measured: ${reason}`]);
  return [[title], ...figures, ...absent];
}

function cellText({ median, min, max, ratio }: Cell, digits: number, compared: boolean): string {
  if (Number.isNaN(median)) return 'not measured';
  const spread = `${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
  return ratio === null || !compared ? spread : `${spread} ${ratio.toFixed(2)}×`;
}

/** Columns of one width each; a row of one cell is a heading, as wide as it likes. */
function align(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    if (row.length === 1) continue;
    row.forEach((text, column) => {
      widths[column] = Math.max(widths[column] ?? 0, text.length);
    });
  }
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
