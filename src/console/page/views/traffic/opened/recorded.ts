import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { amount } from '../../../../../base/text.ts';
import { plainEntry } from '../../../../../journal/plain-entry.ts';
import { RecordReader } from '../../../../../journal/record-reader.ts';
import { Feed } from '../../../data/feed.ts';
import { MAX_ROWS } from '../../../data/row-store.ts';
import { messageOf } from '../../../parts/controls.ts';
import { Icon } from '../../../parts/icon.ts';
import type { PageAddress } from '../../../shell/pages.ts';
import { Traffic } from '../traffic.ts';

/** Maximum size of a file (bytes). The bridge's own journal has 8 MiB. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** Number of entries between two pauses, in which the page can draw. */
const ENTRIES_PER_TURN = 500;

/** The traffic of the bridge, or of a recorded file in its place. */
export function TrafficPage({
  feed,
  address,
}: {
  readonly feed: Feed;
  readonly address: PageAddress;
}): VNode {
  const [recorded, setRecorded] = useState<Feed | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [isReading, setReading] = useState(false);
  const open = async (file: File): Promise<void> => {
    setReading(true);
    try {
      setRecorded(await readFile(file));
      setProblem(undefined);
    } catch (error) {
      setProblem(messageOf(error));
    } finally {
      setReading(false);
    }
  };
  const pick = (event: Event): void => {
    const input = event.currentTarget as HTMLInputElement;
    const [file] = input.files ?? [];
    if (file !== undefined) void open(file);
    // The same file can be chosen again.
    input.value = '';
  };
  const visible = recorded ?? feed;
  const file = visible.recorded;
  return html`
    ${
      file === undefined
        ? null
        : html`<div class="recorded" role="status"><${Icon} name="download" />
      <p><strong>Recorded file ${file.name}</strong>, ${amount(file.entries, 'entry', 'entries')}${file.core === undefined ? '' : ` of the core "${file.core}"`}. It is read only, and nothing here is of the bridge that runs.</p>
      <button type="button" onClick=${() => setRecorded(undefined)}>Back to the bridge</button></div>`
    }
    <${Traffic} key=${file?.name ?? ''} feed=${visible} address=${address} />
    <p class="open-file"><label class="button"><input type="file" class="unseen" accept=".ndjson,.jsonl,.json,.txt" onChange=${pick} />
      <${Icon} name="traffic" /> Open a recorded file</label> <span class="note">${isReading ? 'Reading…' : 'of footbridge journal, record or watch --json'}</span>
      ${problem === undefined ? null : html`<span class="problem" role="alert">${problem}</span>`}</p>` as VNode;
}

/** Rows of a recorded file. Rejects with the reason for a file that is none. */
async function readFile(file: File): Promise<Feed> {
  if (file.size > MAX_FILE_BYTES)
    throw new Error(
      `${file.name}: has more than ${MAX_FILE_BYTES / 1024 / 1024} MiB. Use footbridge journal or replay.`,
    );
  const reader = new RecordReader(file.name.slice(0, 100), MAX_ROWS);
  const parts = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await parts.read(); !part.done; part = await parts.read()) reader.write(part.value);
  const { core, entries } = reader.end();
  const feed = new Feed();
  feed.recorded = { name: file.name.slice(0, 100), core: core?.slice(0, 40), entries: entries.length };
  for (let at = 0; at < entries.length; at += ENTRIES_PER_TURN) {
    feed.take({ entries: entries.slice(at, at + ENTRIES_PER_TURN).map(plainEntry), dropped: 0 });
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  return feed;
}
