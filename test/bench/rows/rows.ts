import { commandsRow } from './commands.ts';
import { fanoutRow } from './fanout.ts';
import { floodRows } from './flood.ts';
import { readyRow } from './ready.ts';
import { requestRows } from './requests.ts';
import { restingRows } from './resting.ts';
import type { Row } from './row.ts';
import { startRow } from './start.ts';
import { throughputRows } from './throughput.ts';

/** Everything that is measured, in the order it is shown. */
export const rows: readonly Row[] = [
  ...requestRows,
  ...throughputRows,
  readyRow,
  fanoutRow,
  ...restingRows,
  startRow,
  commandsRow,
  ...floodRows,
];

/** The rows with these ids, all without ids; a sentence for an id that no row has. */
export function chooseRows(ids: string | undefined): readonly Row[] | string {
  if (ids === undefined) return rows;
  const wanted = ids.split(',');
  const unknown = wanted.find((id) => !rows.some((row) => row.id === id));
  if (unknown !== undefined)
    return `There is no row "${unknown}". The rows are ${rows.map((row) => row.id).join(', ')}.`;
  return wanted.flatMap((id) => rows.filter((row) => row.id === id));
}
