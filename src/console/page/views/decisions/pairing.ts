import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { callAny } from '../../data/api.ts';
import { Action, Line, usePolled } from '../../parts/controls.ts';
import { Command } from '../../parts/copy.ts';
import { Empty } from '../../parts/states.ts';
import { Ago } from '../../parts/time.ts';
import { useSeconds } from '../../shell/seconds.ts';
import { Failure } from './failure.ts';

/** Paired client in the answer to `attach.list`, an operation of the core `attach`. */
interface Client {
  readonly name: string;
  readonly pairedAt: number;
  readonly attached: readonly { readonly user: { readonly id: string; readonly username: string } | null }[];
}

/** Answer to `attach.list`. */
interface Clients {
  readonly url: string | null;
  readonly account: string | null;
  readonly refused: number;
  readonly clients: readonly Client[];
}

/** Answer to `attach.pair`. */
interface Code {
  readonly name: string;
  readonly code: string;
  readonly stored: boolean;
  readonly reason?: string;
}

/** Chat clients that may attach to the bridge, with the form that pairs another one. */
export function Pairing(): VNode {
  const { value, problem, again } = usePolled(
    async () => (await callAny('attach.list', {})) as Clients,
    2000,
  );
  const [code, setCode] = useState<Code | undefined>(undefined);
  const now = useSeconds();
  return html`<section aria-labelledby="pairing-title">
    <h2 id="pairing-title">Attached clients</h2>
    <${Failure} text=${problem} />
    ${
      value === undefined
        ? null
        : html`<div class="card">
      ${value.url === null ? html`<p class="problem">Nobody can attach: the port is taken.</p>` : html`<${Command} text=${value.url} what="the address to attach to" />`}
      ${value.refused === 0 ? null : html`<p class="note">${value.refused} refused so far</p>`}
      ${value.clients.length === 0 ? html`<${Empty}>No client is paired.<//>` : null}
      <ul class="rows" aria-label="List of clients">${value.clients.map(
        (client) => html`<li key=${client.name}><span><strong>${client.name}</strong>${' '}
          <span class="note">paired <${Ago} at=${client.pairedAt} now=${now} />${attachedText(client)}</span></span>
          <span class="buttons">${client.attached.flatMap(({ user }) =>
            user === null || user.id === value.account
              ? []
              : html`<${Action} key=${user.id} action=${() => callAny('attach.choose', { account: user.id })} done=${again}
                  label=${`Show apps the account of ${user.username}`}>Use this account<//>`,
          )}
          <${Action} kind="bad" confirm="Really remove?" action=${() => callAny('attach.remove', { name: client.name })} done=${again}
            label=${`Remove the client ${client.name}`}>Remove<//></span></li>`,
      )}</ul>
      <${Line} label="Pair a client" button="Pair" done=${again} action=${async ({ name = '' }) => setCode((await callAny('attach.pair', { name })) as Code)}>
        <label>Name <input name="name" required size="20" placeholder="my client" /></label>
      <//>
      ${
        code === undefined
          ? null
          : html`<div role="status"><p>Give this code to ${code.name}; it works once:</p>
        <${Command} text=${code.code} what=${`the code of ${code.name}`} />
        ${code.stored ? null : html`<p class="problem">It ends with the bridge: ${code.reason}</p>`}</div>`
      }
    </div>`
    }
  </section>` as VNode;
}

function attachedText({ attached }: Client): string {
  const names = attached.map(({ user }) => user?.username ?? 'nobody logged in');
  return names.length === 0 ? ', not attached' : `, attached: ${names.join(', ')}`;
}
