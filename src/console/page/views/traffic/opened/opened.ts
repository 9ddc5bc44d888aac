import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { wholeOf } from '../../../../../journal/describe.ts';
import type { JournalEntry } from '../../../../../journal/entry.ts';
import type { Exchange } from '../../../../../journal/exchange.ts';
import type { AppNames } from '../../../data/app-names.ts';
import type { Feed } from '../../../data/feed.ts';
import { Tree } from '../../../parts/tree.ts';

/** The opened row. `entries` are those of the row; `feed.rows` has all others. */
export interface OpenedProps {
  readonly row: Exchange;
  readonly entries: readonly JournalEntry[];
  readonly feed: Feed;
  readonly names: AppNames;
  readonly close: () => void;
}

export function Opened({ row, entries, close }: OpenedProps): VNode {
  return html`<aside class="opened" aria-label="One entry">
    <header><h2>${row.name}</h2><button type="button" onClick=${close}>Close</button></header>
    ${entries.map((entry) => html`<div key=${entry.seq} class="tree" tabindex="0" role="group" aria-label="Its content"><${Tree} value=${wholeOf(entry)} /></div>`)}
  </aside>` as VNode;
}
