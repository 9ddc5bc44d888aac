import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { splitFilter } from '../../../../journal/filter/edit.ts';
import { Icon } from '../../parts/icon.ts';

/** Filters that are there from the start. */
export const PRESETS: readonly (readonly [title: string, filter: string])[] = [
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
/** Value of the choice for a filter that is no preset. */
const OTHER = '?';
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
  // A preset is chosen within what an app did.
  const { having: ofApp, others } = splitFilter(filter, ['app', 'session']);
  const isPreset = PRESETS.some(([, one]) => one === others);
  const chosen = isOwn ? filter : isPreset ? others : filter === '' ? '' : OTHER;
  const choose = (one: string): void =>
    setText(one === '' || own.includes(one) ? one : [ofApp, one].filter(Boolean).join(' '));
  const keep = (): void => {
    const next = isOwn ? own.filter((one) => one !== filter) : [...own, filter].slice(-MAX_OWN);
    localStorage.setItem(KEY, JSON.stringify(next));
    setOwn(next);
  };
  return html`<select class="presets" aria-label="Preset" value=${chosen} onChange=${({ currentTarget }: Event) => choose((currentTarget as HTMLSelectElement).value)}>
        <option value="">Everything</option>
        ${chosen === OTHER ? html`<option value=${OTHER} hidden>Own filter</option>` : null}
        ${PRESETS.map(([title, one]) => html`<option key=${one} value=${one}>${title}</option>`)}
        ${own.map((one) => html`<option key=${one} value=${one}>${one}</option>`)}
      </select>
    <button type="button" aria-label=${isOwn ? 'Forget filter' : 'Keep filter'} disabled=${filter === '' || (isPreset && !isOwn)} onClick=${keep}><${Icon} name=${isOwn ? 'close' : 'check'} /> ${isOwn ? 'Forget' : 'Keep'}</button>` as VNode;
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
