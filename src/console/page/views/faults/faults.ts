import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { call } from '../../data/api.ts';
import { Action, Line, usePolled } from '../../parts/controls.ts';
import { Empty } from '../../parts/states.ts';

/** List of injected faults, with a form to add one. */
export function Faults(): VNode {
  const { value, problem, again } = usePolled(() => call('fault.list'), 1000);
  return html`<section aria-labelledby="faults-title">
    <h1 id="faults-title">Faults</h1>
    <p>Injected faults, to test how an app reacts.</p>
    <${Line} label="Add a fault" button="Add" action=${add} done=${again}>
      <label>Kind <input name="fault" required list="fault-kinds" placeholder="delay=500" /></label>
      <datalist id="fault-kinds">${KINDS.map((kind) => html`<option key=${kind} value=${kind} />`)}</datalist>
      <label>Where <select name="on">
        <option value="rpc">RPC</option><option value="http">HTTP</option>
        <option value="webhook">Webhooks</option><option value="gateway">Gateway</option>
      </select></label>
      <label>Command or route <input name="what" placeholder="all" /></label>
      <label>Times <input name="count" inputmode="numeric" pattern="[0-9]*" size="4" placeholder="ever" /></label>
      <label>Chance <input name="probability" inputmode="decimal" size="4" placeholder="1" /></label>
    <//>
    ${problem === undefined ? null : html`<p class="problem" role="alert">${problem}</p>`}
    ${value?.length === 0 ? html`<${Empty}>There is no fault.<//>` : null}
    ${
      value === undefined || value.length === 0
        ? null
        : html`<div class="table" role="region" aria-label="List of faults" tabindex="0"><table>
      <thead><tr><th scope="col">Id</th><th scope="col">Fault</th><th scope="col">Where</th><th scope="col">Application</th>
        <th scope="col">Struck</th><th scope="col">Left</th><th scope="col"><span class="unseen">Remove</span></th></tr></thead>
      <tbody>${value.map(
        (one) => html`<tr key=${one.id}><td>${one.id}</td>
          <td>${one.fault}${one.probability === 1 ? '' : `, chance ${one.probability}`}</td>
          <td>${one.where}</td><td>${one.application ?? 'every'}</td><td class="number">${one.struck}</td><td class="number">${one.left ?? '∞'}</td>
          <td><${Action} kind="bad" action=${() => call('fault.remove', { id: one.id })} done=${again} label=${`Remove the fault ${one.id}`}>Remove<//></td></tr>`,
      )}</tbody></table></div>`
    }
  </section>` as VNode;
}

const KINDS = [
  'delay=500',
  'drop',
  'error=5000',
  'close=4000',
  'split',
  'coalesce',
  'slow=1000',
  'status=429',
  'status=503',
  'reconnect',
];

function add(values: Readonly<Record<string, string>>): Promise<unknown> {
  const { fault = '', on, what = '', count = '', probability = '' } = values;
  const where = {
    rpc: what === '' ? {} : { command: what },
    http: { route: what === '' ? '*' : what },
    webhook: { webhook: true },
    gateway: { gateway: true },
  }[on ?? 'rpc'];
  return call('fault.add', {
    fault,
    ...where,
    ...(count === '' ? {} : { count: Number(count) }),
    ...(probability === '' ? {} : { probability: Number(probability) }),
  });
}
