import { useEffect, useRef, useState } from 'preact/hooks';
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

/** Row that is open: the one that the option `entry` of the address names as soon as it is there, or another that was opened since. */
export function useOpened(
  feed: Feed,
  { query }: PageAddress,
): readonly [Exchange | undefined, (row: Exchange | undefined) => void] {
  const [opened, setOpened] = useState<Exchange | undefined>(undefined);
  const wanted = Number(query.get('entry') ?? 0);
  const done = useRef(0);
  const row = wanted > 0 && wanted !== done.current ? rowOf(feed.rows, wanted) : undefined;
  useEffect(() => {
    if (wanted === 0) done.current = 0;
    if (row === undefined) return;
    done.current = wanted;
    setOpened(row);
  }, [row, wanted]);
  const open = (next: Exchange | undefined): void => {
    setOpened(next);
    if (wanted > 0) replaceOptions({ entry: '' });
  };
  return [opened, open];
}

function rowOf(rows: readonly Exchange[], seq: number): Exchange | undefined {
  for (let at = rows.length - 1; at >= Math.max(0, rows.length - MAX_SEARCHED); at -= 1) {
    const row = rows[at];
    if (row?.request?.seq === seq || row?.answer?.seq === seq) return row;
  }
  return undefined;
}
