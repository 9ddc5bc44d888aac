import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { amount } from '../../../../base/text.ts';
import type { Operations } from '../../../../control/generated.ts';
import { call } from '../../data/api.ts';
import { Action, Line, Problem, usePolled } from '../../parts/controls.ts';
import { Command } from '../../parts/copy.ts';
import { Icon } from '../../parts/icon.ts';
import { Empty } from '../../parts/states.ts';

type Fault = Operations['fault.list']['result'][number];

/** List of injected faults, with a form to add one. */
export function Faults(): VNode {
  const { value, problem, again } = usePolled(() => call('fault.list'), 1000);
  return html`<section aria-labelledby="faults-title">
    <h1 id="faults-title">Faults</h1>
    <p class="note">Let something fail on purpose, to see how an app takes it.</p>
    <div class="card faults">
    <h2><${Icon} name="faults" /> Add a fault</h2>
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
    <//></div>
    <${Problem} text=${problem} />
    ${
      value?.length === 0
        ? html`<${Empty} icon="faults" title="There is no fault.">
      <p>One that every app notices: answers that come half a second late.</p>
      <${Command} text="footbridge emulator fault add delay=500" what="a command that adds a fault" /><//>`
        : null
    }
    ${value === undefined || value.length === 0 ? null : html`<${List} faults=${value} again=${again} />`}
  </section>` as VNode;
}

function List({ faults, again }: { readonly faults: readonly Fault[]; readonly again: () => void }): VNode {
  return html`<h2>Faults in force</h2>
    <ul class="rows card" aria-label="List of faults">${faults.map(
      (
        one,
      ) => html`<li key=${one.id}><span><strong>${one.fault}</strong>${one.probability === 1 ? '' : `, chance ${one.probability}`}
        ${' '}<span class="mark">${one.where}</span>
        <br /><span class="note">${one.id}, ${one.application === null ? 'every application' : `application ${one.application}`},
          ${' '}struck ${amount(one.struck, 'time')}, ${one.left === null ? 'without an end' : `${one.left} left`}</span></span>
        <${Action} kind="bad" action=${() => call('fault.remove', { id: one.id })} done=${again} label=${`Remove the fault ${one.id}`}>Remove<//></li>`,
    )}</ul>` as VNode;
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
