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

/** Those with these ids. Throws an error that names what is not there. */
export function chooseRows(ids: string | undefined): readonly Row[] {
  if (ids === undefined) return rows;
  return ids.split(',').map((id) => {
    const found = rows.find((row) => row.id === id);
    if (found) return found;
    throw new RangeError(`There is no row "${id}". Known: ${rows.map((row) => row.id).join(', ')}`);
  });
}
