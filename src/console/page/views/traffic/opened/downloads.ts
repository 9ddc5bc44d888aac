import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { JournalEntry } from '../../../../../journal/entry.ts';
import { type Exchange, entriesOf } from '../../../../../journal/exchange.ts';
import { trafficText } from '../../../../../journal/format.ts';
import type { Feed } from '../../../data/feed.ts';
import { Action } from '../../../parts/controls.ts';
import { Icon } from '../../../parts/icon.ts';
import { saveFile } from '../../../parts/save-file.ts';

/** Buttons that download the rows of a list, in the formats of `footbridge journal`. */
export function Downloads({
  rows,
  feed,
}: {
  readonly rows: () => readonly Exchange[];
  readonly feed: Feed;
}): VNode {
  const lines = (): void => {
    const core = feed.recorded?.core ?? feed.status?.core.name ?? 'emulator';
    saveFile('traffic.ndjson', trafficText(entriesIn(rows()), core), 'application/x-ndjson');
  };
  const archive = async (): Promise<void> => {
    const { harOf } = await import('../../../drawn.ts');
    const har = harOf(entriesIn(rows()), feed.status?.version ?? '0');
    saveFile('traffic.har', `${JSON.stringify(har)}\n`, 'application/json');
  };
  return html`<span class="buttons downloads">
    <button type="button" onClick=${lines}><${Icon} name="download" /> Download JSON lines</button>
    <${Action} isLocal action=${archive}><${Icon} name="download" /> Download HAR<//>
  </span>` as VNode;
}

/** Entries of the rows in the order in which they came. */
function entriesIn(rows: readonly Exchange[]): readonly JournalEntry[] {
  return rows.flatMap(entriesOf).sort((a, b) => a.at - b.at || a.seq - b.seq);
}
