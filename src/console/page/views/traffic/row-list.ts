import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Exchange } from '../../../../journal/exchange.ts';
import type { AppNames } from '../../data/app-names.ts';
import { Icon } from '../../parts/icon.ts';
import { positionOf } from './matching.ts';
import { ROW_HEIGHT, Row } from './row.ts';

/** Number of extra rows above and below the visible ones. */
const SPARE = 8;
/** Height of the list before it is measured (px). */
const FIRST_HEIGHT = 1200;

export interface RowListProps {
  readonly rows: readonly Exchange[];
  readonly names: AppNames;
  readonly opened: Exchange | undefined;
  readonly pins: ReadonlySet<Exchange>;
  /** Whether the list stays at its end. */
  readonly follows: boolean;
  readonly setFollows: (follows: boolean) => void;
  readonly open: (row: Exchange) => void;
  readonly pin: (row: Exchange) => void;
}

/** Place that must not move while the user reads: a row, and how far it is above the top of the list (px). */
interface Anchor {
  readonly id: number;
  readonly above: number;
}

/** List that draws only visible rows, and that moves only where it follows or is scrolled. */
export function RowList({ rows, names, opened, pins, follows, setFollows, open, pin }: RowListProps): VNode {
  const box = useRef<HTMLDivElement>(null);
  const anchor = useRef<Anchor>({ id: 0, above: 0 });
  const [, draw] = useState(0);
  const height = useHeight(box);
  const end = Math.max(0, rows.length * ROW_HEIGHT - height);
  const { id, above } = anchor.current;
  const offset = follows ? end : Math.min(end, positionOf(rows, id) * ROW_HEIGHT + above);
  // Rows came or went above, so the place to draw is another than that of the last scroll event.
  const first = Math.max(0, Math.floor(offset / ROW_HEIGHT) - SPARE);
  const items = rows.slice(first, Math.ceil((offset + height) / ROW_HEIGHT) + SPARE);
  const drawn = useRef(new Map<number, number>());
  drawn.current = new Map(items.map((row, at) => [first + at, row.id]));
  useLayoutEffect(() => {
    const element = box.current;
    if (element !== null && Math.abs(element.scrollTop - offset) >= 1) element.scrollTop = offset;
  });
  // Rows below what was seen are new to the user; those of a list that is not full are all seen.
  const read = useRef(0);
  const lastSeen = rows[Math.min(rows.length, Math.floor((offset + height) / ROW_HEIGHT)) - 1];
  read.current = Math.max(read.current, lastSeen?.id ?? 0);
  const newer = follows ? 0 : rows.length - positionOf(rows, read.current + 1);
  const shownId = opened?.id;
  useLayoutEffect(() => {
    const at = shownId === undefined ? -1 : positionOf(rows, shownId);
    if (follows || at === -1 || rows[at]?.id !== shownId || box.current === null) return;
    const [top, view] = [at * ROW_HEIGHT, box.current.clientHeight];
    const now = box.current.scrollTop;
    const next = Math.max(Math.min(now, top), top + ROW_HEIGHT - view);
    if (next !== now) box.current.scrollTop = next;
  }, [shownId]);
  const onScroll = ({ currentTarget }: Event): void => {
    const { scrollTop, scrollHeight, clientHeight } = currentTarget as HTMLDivElement;
    const index = Math.floor(scrollTop / ROW_HEIGHT);
    const topmost = drawn.current.get(index) ?? rows[index]?.id ?? 0;
    anchor.current = { id: topmost, above: scrollTop - index * ROW_HEIGHT };
    if (follows && scrollTop + clientHeight < scrollHeight - 2 * ROW_HEIGHT) setFollows(false);
    draw((count) => count + 1);
  };
  return html`<div class="list" ref=${box} tabindex="0" aria-label="Traffic" onScroll=${onScroll}
    ...${rows.length === 0 ? { role: 'group' } : { role: 'listbox', 'aria-activedescendant': opened === undefined || !items.includes(opened) ? undefined : `row-${opened.id}` }}>
    <div class="all" role="presentation" style=${{ height: `${rows.length * ROW_HEIGHT}px` }}>
      ${items.map(
        (row, at) =>
          html`<${Row} key=${row.id} row=${row} names=${names} top=${(first + at) * ROW_HEIGHT} list="row" isOpened=${opened?.id === row.id}
              isPinned=${pins.has(row)} open=${open} pin=${pin} />`,
      )}
    </div>
  </div>
  ${newer === 0 ? null : html`<button type="button" class="newer" onClick=${() => setFollows(true)}><${Icon} name="down" /> ${newer.toLocaleString('en')} new</button>`}` as VNode;
}

/** Height of an element, now and after each change (px). */
function useHeight(box: { readonly current: HTMLDivElement | null }): number {
  const [height, setHeight] = useState(FIRST_HEIGHT);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return height;
}
