import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { shellWord } from '../../../../base/shell-word.ts';
import type { Exchange } from '../../../../journal/exchange.ts';
import { withTerm } from '../../../../journal/filter/edit.ts';
import type { Feed } from '../../data/feed.ts';
import { useNames } from '../../data/use-names.ts';
import { useFeed } from '../../parts/controls.ts';
import { Icon } from '../../parts/icon.ts';
import { Empty } from '../../parts/states.ts';
import { clockText } from '../../parts/time.ts';
import { useKeys } from '../../shell/keys.ts';
import type { PageAddress } from '../../shell/pages.ts';
import { FilterInput } from './filter-input.ts';
import { type FilterState, useFilter } from './filter-state.ts';
import { positionOf } from './matching.ts';
import { Downloads } from './opened/downloads.ts';
import { useOpened } from './opened/entry-option.ts';
import { Opened } from './opened/opened.ts';
import { Pins } from './pins.ts';
import { Presets } from './presets.ts';
import { RowHead } from './row.ts';
import { RowList } from './row-list.ts';
import { Strip } from './strip.ts';

/** Number of the last rows whose names complete a filter. */
const LAST_ROWS = 10_000;
/** Number of rows of a step by Page Up and Page Down. */
const PAGE_STEP = 12;

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: PAGE_STEP,
  PageUp: -PAGE_STEP,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** Live list of all traffic: a request and its answer are one row; one row is open. The children are controls below it. */
export function Traffic({
  feed,
  address,
  children,
}: {
  readonly feed: Feed;
  readonly address: PageAddress;
  readonly children: ComponentChildren;
}): VNode {
  useFeed(feed);
  useNames(feed);
  const filter = useFilter(feed, address);
  const [opened, setOpened] = useOpened(feed, address);
  const [follows, setFollows] = useState(true);
  const openedId = opened?.id;
  // While the user reads one row, the others must not move.
  useLayoutEffect(() => {
    if (openedId !== undefined) setFollows(false);
  }, [openedId]);
  const input = useRef<HTMLInputElement>(null);
  const [, draw] = useState(0);
  const { rows } = filter.matching;
  const pin = (row: Exchange): void => {
    if (!feed.pins.delete(row)) feed.pins.add(row);
    draw((count) => count + 1);
  };
  const move = (by: number): void => {
    const now = opened === undefined ? rows.length : positionOf(rows, opened.id);
    const next = rows[Math.min(rows.length - 1, Math.max(0, now + by))];
    if (next !== undefined) setOpened(next);
  };
  const follow = (): void => setFollows(!follows);
  const clear = (): void => feed.clear();
  useKeys([
    { key: '/', does: 'write a filter', run: () => input.current?.focus() },
    { key: 'x', does: 'filter on or off', run: filter.turn },
    { key: 'j', does: 'next row', run: () => move(1) },
    { key: 'k', does: 'row before', run: () => move(-1) },
    { key: 'p', does: 'pin the opened row, or unpin it', run: () => opened !== undefined && pin(opened) },
    { key: 'f', does: 'follow new rows, or stay', run: follow },
    { key: 'c', does: 'clear all but pinned rows', run: clear },
    { key: 'Escape', does: 'close the opened row', run: () => setOpened(undefined) },
  ]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    move(step);
  };
  const isPinned = opened !== undefined && feed.pins.has(opened);
  const list = { names: feed.names, pins: feed.pins, opened, open: setOpened, pin };
  const isListed = opened !== undefined && rows[positionOf(rows, opened.id)] === opened;
  return html`<section class="traffic" aria-labelledby="traffic-title">
    <div class="bar"><h1 id="traffic-title">Traffic</h1><${Count} feed=${feed} filter=${filter} /></div>
    <div class="bar" role="search">
      <${FilterInput} text=${filter.text} setText=${filter.setText} problem=${filter.problem} isOff=${filter.isOff} input=${input}
        known=${() => knownValues(feed)} />
      <button type="button" role="switch" aria-checked=${!filter.isOff} disabled=${filter.text === ''} onClick=${filter.turn}>Use filter</button>
      <${Presets} text=${filter.text} setText=${filter.setText} />
      <button type="button" role="switch" aria-checked=${follows} onClick=${follow}><${Icon} name="down" /> Follow</button>
      <button type="button" disabled=${opened === undefined} aria-pressed=${isPinned} onClick=${() => opened !== undefined && pin(opened)}><${Icon} name="pin" /> Pin</button>
      <button type="button" onClick=${clear}>Clear</button>
    </div>
    ${feed.journalOff === undefined ? null : html`<p class="problem" role="alert">${feed.journalOff}</p>`}
    <${Strip} rows=${filter.atAnyTime.rows} selected=${filter.time}
      select=${(period: { readonly from: number; readonly to: number } | undefined) => filter.setText(withTerm(filter.text, 'time', period === undefined ? undefined : `${clockText(period.from)}..${clockText(period.to)}`))} />
    <div class=${`panes${opened === undefined ? '' : ' two'}`}>
      <div class="row-pane" onKeyDown=${onKeyDown}>
        <${RowHead} />
        <${Pins} ...${list} />
        <${RowList} rows=${rows} follows=${follows} setFollows=${setFollows} ...${list} />
        ${rows.length === 0 ? html`<${NoRows} feed=${feed} filter=${filter} />` : null}
      </div>
      ${opened === undefined ? null : html`<${Opened} key=${opened.id} row=${opened} feed=${feed} isListed=${isListed} close=${() => setOpened(undefined)} />`}
    </div>
    <div class="bar below"><${Downloads} rows=${() => rows} feed=${feed} />${children}
      <span class="note">The same on the command line: <code>footbridge watch${filter.applied === '' ? '' : ` --filter ${shellWord(filter.applied)}`}</code></span></div>
  </section>` as VNode;
}

/** Number of the rows, and of entries that came too fast to be read. */
function Count({ feed, filter }: { readonly feed: Feed; readonly filter: FilterState }): VNode {
  const { rows, isRunning } = filter.matching;
  const all = feed.rows.length;
  const of = rows.length === all ? '' : ` of ${all.toLocaleString('en')}`;
  return html`<span class="note count">${rows.length.toLocaleString('en')}${of} ${all === 1 ? 'row' : 'rows'}${isRunning ? ', looking…' : ''}${feed.dropped > 0 ? `, ${feed.dropped.toLocaleString('en')} entries missed` : ''}</span>` as VNode;
}

/** Why the list is empty, and what to do. */
function NoRows({ feed, filter }: { readonly feed: Feed; readonly filter: FilterState }): VNode {
  if (feed.rows.length > 0)
    return html`<div class="none"><${Empty} icon="search" title="No traffic matches the filter">
      <button type="button" onClick=${() => filter.setText('')}>Remove the filter</button><//></div>` as VNode;
  return html`<div class="none"><${Empty} icon="traffic" title="Nothing has passed yet">
    <p>Start an app: its requests and answers appear here at once.</p><//></div>` as VNode;
}

/** Values of the rows, with which a filter is completed. */
function knownValues(feed: Feed): { readonly apps: Iterable<string>; readonly names: Iterable<string> } {
  const [apps, names] = [new Set<string>(), new Set<string>()];
  for (const { peer, name } of feed.rows.slice(-LAST_ROWS)) {
    if (peer.app !== undefined) apps.add(feed.names.of(peer.app) ?? peer.app);
    names.add(name);
  }
  return { apps, names };
}
