import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { describe, searchTextOf, timeOfDay } from '../../../../journal/describe.ts';
import type { EntryKind } from '../../../../journal/entry.ts';
import { type Exchange, entriesOf, firstOf } from '../../../../journal/exchange.ts';
import type { Feed } from '../../data/feed.ts';
import { useFeed } from '../../parts/controls.ts';
import { Empty } from '../../parts/states.ts';
import type { PageAddress } from '../../shell/pages.ts';
import { Opened } from './opened/opened.ts';

/** Height of a row in the style sheet (px). */
const ROW = 28;
/** Number of extra rows above and below the visible ones. */
const SPARE = 8;

const KINDS: readonly (readonly [kind: string, label: string, kinds: readonly EntryKind[] | undefined])[] = [
  ['all', 'Everything', undefined],
  ['rpc', 'RPC', ['frame', 'connect', 'close', 'broken', 'warning', 'refused', 'missing', 'end']],
  ['http', 'HTTP', ['http']],
  ['gateway', 'Gateway', ['gateway']],
  ['webhook', 'Webhooks', ['webhook']],
  ['fault', 'Faults', ['fault']],
];

const ARROWS = { in: '→', out: '←' } as const;
const TONES = { plain: '', quiet: '', warning: ' bad', failure: ' bad' } as const;

interface Filter {
  readonly kind: string;
  readonly session: string;
  readonly text: string;
}

/** Live list of all traffic, with one entry open. */
export function Traffic({ feed, address }: { readonly feed: Feed; readonly address: PageAddress }): VNode {
  const { rest: session } = address;
  useFeed(feed);
  const [filter, setFilter] = useState<Filter>({ kind: 'all', session, text: '' });
  const [paused, setPaused] = useState<readonly Exchange[] | undefined>(undefined);
  const [opened, setOpened] = useState<Exchange | undefined>(undefined);
  useEffect(() => setFilter((now) => ({ ...now, session })), [session]);
  const visible = useVisible(feed, paused, filter);
  const set = (name: keyof Filter) => (event: Event) =>
    setFilter({ ...filter, [name]: (event.currentTarget as HTMLInputElement).value });
  const sessions = [
    ...new Set([
      ...(feed.status?.sessions ?? []).map(({ id }) => id),
      ...sessionsIn(feed.rows),
      ...(filter.session === '' ? [] : [filter.session]),
    ]),
  ];
  return html`<section aria-labelledby="traffic-title">
    <h1 id="traffic-title">Traffic</h1>
    <div class="bar" role="search">
      <label>Kind
        <select value=${filter.kind} onChange=${set('kind')}>
          ${KINDS.map(([kind, label]) => html`<option key=${kind} value=${kind}>${label}</option>`)}
        </select>
      </label>
      <label>Session
        <select value=${filter.session} onChange=${set('session')}>
          <option value="">All</option>
          ${sessions.map((one) => html`<option key=${one} value=${one}>${one.slice(0, 8)}</option>`)}
        </select>
      </label>
      <label>Search <input type="search" value=${filter.text} onInput=${set('text')} placeholder="command, text, status" /></label>
      <button type="button" aria-pressed=${paused !== undefined}
        onClick=${() => setPaused(paused === undefined ? [...feed.rows] : undefined)}>
        ${paused === undefined ? 'Pause' : 'Go on'}
      </button>
      <span class="note" role="status">${visible.length} shown${feed.dropped > 0 ? `, ${feed.dropped} missed` : ''}</span>
    </div>
    ${feed.journalOff === undefined ? null : html`<p class="problem" role="alert">${feed.journalOff}</p>`}
    <div class="panes">
      <${List} entries=${visible} opened=${opened} open=${setOpened} follows=${paused === undefined} />
      ${opened === undefined ? null : html`<${Opened} row=${opened} entries=${entriesOf(opened)} feed=${feed} names=${feed.names} close=${() => setOpened(undefined)} />`}
    </div>
    <p class="note">The same on the command line: <code>footbridge watch</code>, <code>footbridge journal --har FILE</code></p>
  </section>` as VNode;
}

/** Returns the entries that pass the filter; after a change of the feed only new entries are examined. */
function useVisible(
  feed: Feed,
  paused: readonly Exchange[] | undefined,
  filter: Filter,
): readonly Exchange[] {
  const kinds = KINDS.find(([kind]) => kind === filter.kind)?.[2];
  const text = filter.text.trim().toLowerCase();
  const passes = (row: Exchange): boolean =>
    (kinds === undefined || kinds.includes(firstOf(row).kind)) &&
    (filter.session === '' || row.peer.session === filter.session) &&
    (text === '' || entriesOf(row).some((entry) => searchTextOf(entry).includes(text)));
  // The list is created for each filter, and then extended.
  const matching = useMemo<{ list: Exchange[]; upTo: number }>(
    () => ({ list: [], upTo: 0 }),
    [filter.kind, filter.session, text, paused],
  );
  const entries = paused ?? feed.rows;
  const [first] = entries;
  if (first === undefined || (entries.at(-1)?.id ?? 0) < matching.upTo) {
    matching.list = [];
    matching.upTo = 0;
  }
  let from = entries.length;
  while (from > 0 && (entries[from - 1]?.id ?? 0) > matching.upTo) from -= 1;
  for (const entry of entries.slice(from)) if (passes(entry)) matching.list.push(entry);
  matching.upTo = entries.at(-1)?.id ?? 0;
  const outdated = matching.list.findIndex(({ id }) => id >= (first?.id ?? 0));
  if (outdated > 0) matching.list.splice(0, outdated);
  return matching.list;
}

/** Most recent sessions, most of which have ended. */
function sessionsIn(entries: readonly Exchange[]): readonly string[] {
  const found = new Set<string>();
  for (const entry of entries) {
    if (entry.peer.session !== undefined) found.add(entry.peer.session);
  }
  return [...found].slice(-50);
}

interface ListProps {
  readonly entries: readonly Exchange[];
  readonly opened: Exchange | undefined;
  readonly open: (entry: Exchange) => void;
  readonly follows: boolean;
}

/** List that draws only visible rows. */
function List({ entries, opened, open, follows }: ListProps): VNode {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(400);
  const atEnd = useRef(true);
  const isEmpty = entries.length === 0;
  // An empty list has no box element. When rows appear again, the element is new and scrolled to its start.
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    atEnd.current = true;
    setTop(element.scrollTop);
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [isEmpty]);
  useEffect(() => {
    const element = box.current;
    if (element === null || !follows || !atEnd.current) return;
    element.scrollTop = element.scrollHeight;
  });
  const onScroll = ({ currentTarget }: Event): void => {
    const { scrollTop, scrollHeight, clientHeight } = currentTarget as HTMLDivElement;
    atEnd.current = scrollTop + clientHeight > scrollHeight - 2 * ROW;
    setTop(scrollTop);
  };
  const move = (by: number): void => {
    const now = opened === undefined ? -1 : entries.findIndex(({ id }) => id === opened.id);
    const next =
      entries[Math.min(entries.length - 1, Math.max(0, now === -1 ? entries.length - 1 : now + by))];
    if (next === undefined || box.current === null) return;
    open(next);
    const offset = entries.indexOf(next) * ROW;
    atEnd.current = false;
    if (offset < box.current.scrollTop) box.current.scrollTop = offset;
    else if (offset + ROW > box.current.scrollTop + height) box.current.scrollTop = offset + ROW - height;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    move(step);
  };
  const first = Math.max(0, Math.floor(top / ROW) - SPARE);
  const rows = entries.slice(first, first + Math.ceil(height / ROW) + 2 * SPARE);
  if (isEmpty) return html`<${Empty}>No traffic matches yet.<//>` as VNode;
  return html`<div class="list" ref=${box} tabindex="0" role="listbox" aria-label="Traffic"
    aria-activedescendant=${opened === undefined ? undefined : `entry-${opened.id}`} onScroll=${onScroll} onKeyDown=${onKeyDown}>
    <div class="all" role="presentation" style=${{ height: `${entries.length * ROW}px` }}>
      ${rows.map(
        (entry, index) => html`<${Row} key=${entry.id} entry=${entry} top=${(first + index) * ROW}
        isOpened=${opened?.id === entry.id} open=${open} />`,
      )}
    </div>
  </div>` as VNode;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 12,
  PageUp: -12,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

interface RowProps {
  readonly entry: Exchange;
  readonly top: number;
  readonly isOpened: boolean;
  readonly open: (entry: Exchange) => void;
}

function Row({ entry, top, isOpened, open }: RowProps): VNode {
  const { who, direction, label, detail, tone } = describe(firstOf(entry));
  return html`<div class=${`row ${entry.kind}${TONES[tone]}`} id=${`entry-${entry.id}`} role="option"
    aria-selected=${isOpened} style=${{ top: `${top}px` }} onClick=${() => open(entry)}>
    <span class="time">${timeOfDay(entry.at)}</span><span class="who">${who}</span><span class="arrow">${direction === undefined ? '' : ARROWS[direction]}</span>
    <span class="name">${label}</span><span class="rest">${detail}</span>
  </div>` as VNode;
}
