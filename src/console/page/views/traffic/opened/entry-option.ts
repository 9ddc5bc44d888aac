import { useEffect } from 'preact/hooks';
import type { Exchange } from '../../../../../journal/exchange.ts';
import type { Feed } from '../../../data/feed.ts';
import { type PageAddress, pageAddress, replaceOptions } from '../../../shell/pages.ts';

/** Maximum number of rows that are searched, from the newest. */
const MAX_SEARCHED = 20_000;

/** Address at which the row of an entry is opened, of the journal that the page follows. */
export function entryAddress(seq: number): string {
  return pageAddress('traffic', '', { entry: String(seq) });
}

/** Opens the row of an entry, also of one that has not come to the page yet. The filter stays. */
export function openEntry(seq: number): void {
  replaceOptions({ entry: String(seq) });
}

/** Opens the row that the option `entry` of the address names as soon as it is there, and takes the option back. */
export function useEntryOption(feed: Feed, { query }: PageAddress, open: (row: Exchange) => void): void {
  const wanted = Number(query.get('entry') ?? 0);
  const row = wanted > 0 ? rowOf(feed.rows, wanted) : undefined;
  useEffect(() => {
    if (row === undefined) return;
    replaceOptions({ entry: '' });
    open(row);
  }, [row]);
}

function rowOf(rows: readonly Exchange[], seq: number): Exchange | undefined {
  for (let at = rows.length - 1; at >= Math.max(0, rows.length - MAX_SEARCHED); at -= 1) {
    const row = rows[at];
    if (row?.request?.seq === seq || row?.answer?.seq === seq) return row;
  }
  return undefined;
}
