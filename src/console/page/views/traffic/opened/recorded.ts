import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { amount } from '../../../../../base/text.ts';
import type { Feed } from '../../../data/feed.ts';
import { messageOf } from '../../../parts/controls.ts';
import { Icon } from '../../../parts/icon.ts';
import type { PageAddress } from '../../../shell/pages.ts';
import { Traffic } from '../traffic.ts';

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
      const { readRecorded } = await import('../../../drawn.ts');
      setRecorded(await readRecorded(file));
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
    <${Traffic} key=${file?.name ?? ''} feed=${visible} address=${address}>
      <span class="open-file"><label class="button" title="A file of footbridge journal, record or watch --json"><input type="file" class="unseen" accept=".ndjson,.jsonl,.json,.txt" onChange=${pick} />
      <${Icon} name="traffic" /> Open a recorded file</label>${isReading ? html` <span class="note">Reading…</span>` : null}
      ${problem === undefined ? null : html`<span class="problem" role="alert">${problem}</span>`}</span><//>` as VNode;
}
