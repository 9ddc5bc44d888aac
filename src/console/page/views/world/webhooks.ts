import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { call } from '../../data/api.ts';
import type { World } from '../../data/world-data.ts';
import { Action, usePolled } from '../../parts/controls.ts';
import { Icon } from '../../parts/icon.ts';
import { Empty } from '../../parts/states.ts';

/** Maximum of listed deliveries. */
const MAX_LISTED = 30;

/** Webhook deliveries to applications. */
export function Webhooks({ world }: { readonly world: World }): VNode {
  const { value, again } = usePolled(() => call('webhooks.list'), 2000);
  return html`<article class="card"><h2><${Icon} name="send" /> Webhook inbox</h2>
    ${value?.length === 0 ? html`<${Empty}>Nothing was sent to an application. Give one an address: <code>footbridge emulator webhook set APP URL</code><//>` : null}
    <ul class="rows">${value
      ?.slice(-MAX_LISTED)
      .toReversed()
      .map(({ id, application, type, state, url, attempts }) => {
        const last = attempts.at(-1)?.outcome;
        const name = world.applications.find((one) => one.id === application)?.name ?? application;
        return html`<li key=${id}><span><strong>${type}</strong> to <bdi>${name}</bdi> <span class="id">${url}</span>
          <br /><span class=${`mark ${state}`}>${state}</span> ${attempts.length}×, last ${last === undefined ? 'not tried yet' : last.kind === 'answered' ? last.status : last.reason}</span>
          <${Action} action=${() => call('webhook.redeliver', { id })} done=${again} label=${`Redeliver ${type} to ${name}`}>Redeliver<//></li>`;
      })}</ul>
  </article>` as VNode;
}
