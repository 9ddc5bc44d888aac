import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Operations } from '../../../../control/generated.ts';
import { call } from '../../data/api.ts';
import { Action, Line, usePolled } from '../../parts/controls.ts';
import { Empty } from '../../parts/states.ts';
import { Failure } from './failure.ts';

type Origins = Operations['origins.list']['result'];
type Entry = Origins['origins'][number];

/** List of web pages that may connect, with forms to allow another one. */
export function Origins(): VNode {
  const { value, problem, again } = usePolled(() => call('origins.list'), 2000);
  return html`<section aria-labelledby="origins-title">
    <h2 id="origins-title">Web pages</h2>
    <p class="note">A web page connects only where its origin is allowed for its application.</p>
    <${Failure} text=${problem} />
    ${value === undefined ? null : html`<${Allowed} value=${value} again=${again} />`}
  </section>` as VNode;
}

function Allowed({ value, again }: { readonly value: Origins; readonly again: () => void }): VNode {
  const { origins, ofCore, presets, damaged } = value;
  return html`<div class="card">
    ${damaged.map((path) => html`<p key=${path} class="problem">${path} could not be read and allows nothing.</p>`)}
    ${origins.length + ofCore.length === 0 ? html`<${Empty}>No web page may connect.<//>` : null}
    <ul class="rows" aria-label="List of web pages">
      ${origins.map(
        (
          entry,
        ) => html`<li key=${keyOf(entry)}><span><strong>${entry.origin}</strong> <span class="note">${forText(entry)}</span></span>
          <${Action} kind="bad" confirm="Really revoke?" action=${() => call('origins.remove', { clientId: entry.clientId, origin: entry.origin })}
            done=${again} label=${`Revoke ${entry.origin} for ${entry.clientId}`}>Revoke<//></li>`,
      )}
      ${ofCore.map(
        (
          entry,
        ) => html`<li key=${`core ${keyOf(entry)}`}><span><strong>${entry.origin}</strong> <span class="note">${forText(entry)}</span></span>
          <span class="note" title="rpc_origins of the application">allowed by the emulator's own data</span></li>`,
      )}
    </ul>
    <${Line} label="Allow a web page" button="Allow" done=${again} action=${({ clientId = '', origin = '' }) => call('origins.add', { clientId, origin })}>
      <label>Origin <input name="origin" required size="24" placeholder="http://localhost:3000" /></label>
      <label>Application <input name="clientId" required size="20" inputmode="numeric" placeholder="its id" /></label>
    <//>
    <h3>Known overlays</h3>
    <ul class="rows">${presets.map(
      ({
        name,
        summary,
      }) => html`<li key=${name}><span><strong>${name}</strong> <span class="note">${summary}</span></span>
        <${Action} action=${() => call('origins.add', { preset: name })} done=${again} label=${`Allow the preset ${name}`}>Allow<//></li>`,
    )}</ul>
  </div>` as VNode;
}

const keyOf = ({ clientId, origin }: Entry): string => `${clientId} ${origin}`;

function forText({ clientId }: Entry): string {
  return clientId === '*' ? 'for every application' : `for ${clientId}`;
}
