import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { JournalEntry } from '../../../../../journal/entry.ts';
import { type Exchange, entriesOf } from '../../../../../journal/exchange.ts';
import { trafficText } from '../../../../../journal/format.ts';
import { harOf } from '../../../../../journal/har.ts';
import type { Feed } from '../../../data/feed.ts';
import { Icon } from '../../../parts/icon.ts';

/** Time after which the browser has taken a file (ms). */
const TAKEN_MS = 60_000;

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
    save('traffic.ndjson', 'application/x-ndjson', trafficText(entriesIn(rows()), core));
  };
  const archive = (): void => {
    const har = harOf(entriesIn(rows()), feed.status?.version ?? '0');
    save('traffic.har', 'application/json', `${JSON.stringify(har)}\n`);
  };
  return html`<span class="buttons downloads">
    <button type="button" onClick=${lines}><${Icon} name="download" /> Download JSON lines</button>
    <button type="button" onClick=${archive}><${Icon} name="download" /> Download HAR</button>
  </span>` as VNode;
}

/** Entries of the rows in the order in which they came. */
function entriesIn(rows: readonly Exchange[]): readonly JournalEntry[] {
  return rows.flatMap(entriesOf).sort((a, b) => a.at - b.at || a.seq - b.seq);
}

function save(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), TAKEN_MS);
}
