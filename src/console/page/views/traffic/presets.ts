import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from '../../parts/icon.ts';

/** Filters that are there from the start. */
const PRESETS: readonly (readonly [title: string, filter: string])[] = [
  ['Errors', 'status:error'],
  ['Slow: more than 100 ms', 'ms:>100'],
  ['Without PING and heartbeats', '-cmd:PING,HEARTBEAT'],
  ['Commands and events', 'kind:rpc,event'],
  ['HTTP and webhooks', 'kind:http,webhook'],
  ['Gateway', 'kind:gateway'],
  ['Without an answer yet', 'status:open'],
];

/** Key of the own presets in this browser's storage. */
const KEY = 'footbridge-filters';
/** Maximum of own presets; the oldest gives way. */
const MAX_OWN = 20;

/** Choice of a filter among presets, and a button that stores the present one as a preset of this browser. */
export function Presets({
  text,
  setText,
}: {
  readonly text: string;
  readonly setText: (text: string) => void;
}): VNode {
  const [own, setOwn] = useState(readOwn);
  const filter = text.trim();
  const isOwn = own.includes(filter);
  const isPreset = PRESETS.some(([, one]) => one === filter);
  const keep = (): void => {
    const next = isOwn ? own.filter((one) => one !== filter) : [...own, filter].slice(-MAX_OWN);
    localStorage.setItem(KEY, JSON.stringify(next));
    setOwn(next);
  };
  return html`<label class="presets">Preset
      <select value=${isOwn || isPreset ? filter : ''} onChange=${({ currentTarget }: Event) => setText((currentTarget as HTMLSelectElement).value)}>
        <option value="">${filter === '' ? 'Everything' : isOwn || isPreset ? 'Everything' : 'Own filter'}</option>
        ${PRESETS.map(([title, one]) => html`<option key=${one} value=${one}>${title}</option>`)}
        ${own.map((one) => html`<option key=${one} value=${one}>${one}</option>`)}
      </select></label>
    ${filter === '' || isPreset ? null : html`<button type="button" onClick=${keep}><${Icon} name=${isOwn ? 'close' : 'pin'} /> ${isOwn ? 'Forget filter' : 'Keep filter'}</button>`}` as VNode;
}

function readOwn(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
  } catch {
    // Another program of this origin wrote something else.
    return [];
  }
}
