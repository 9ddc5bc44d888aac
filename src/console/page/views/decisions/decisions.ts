import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Operations } from '../../../../control/generated.ts';
import { READING_MS } from '../../../../emulator/accounts/consent/reading-time.ts';
import { call } from '../../data/api.ts';
import { Action, usePolled } from '../../parts/controls.ts';
import { Empty } from '../../parts/states.ts';

/** Poll interval of waiting requests (ms). */
const POLL_MS = 1000;

/** Request that waits for the user, in the console's list of requests. */
export type Waiting = Operations['requests.list']['result'][number];

/** Polls the waiting requests. */
export function useWaiting(): ReturnType<typeof usePolled<readonly Waiting[]>> {
  return usePolled(() => call('requests.list'), POLL_MS);
}

/** List of waiting requests in plain language. */
export function Requests({ waiting }: { readonly waiting: ReturnType<typeof useWaiting> }): VNode {
  const { value, problem, again } = waiting;
  return html`<section aria-labelledby="requests-title">
    <h1 id="requests-title">Requests and grants</h1>
    ${problem === undefined ? null : html`<p class="problem" role="alert">${problem}</p>`}
    ${value?.length === 0 ? html`<${Empty}>No request waits for you.<//>` : null}
    <div class="cards wide">${value?.map((one) => html`<${Request} key=${one.id} request=${one} again=${again} />`)}</div>
    <${Grants} />
  </section>` as VNode;
}

function Request({ request, again }: { readonly request: Waiting; readonly again: () => void }): VNode {
  const { id, clientId, applicationName } = request;
  const isNew = useNew();
  const answer =
    (operation: 'requests.approve' | 'requests.deny', args = {}) =>
    () =>
      call(operation, { id, ...args });
  const [pid, program] =
    request.kind === 'authorization'
      ? [request.peer.pid, request.peer.program]
      : [request.pid ?? undefined, undefined];
  const entrance = request.kind === 'authorization' ? request.peer.entrance : request.entrance;
  const wishes =
    request.kind === 'authorization'
      ? request.scopes.map(
          ({ name, description }) =>
            html`<li key=${name}>${description} <span class="id">${name}</span></li>`,
        )
      : [
          html`<li>${request.what} <span class="id">${request.cmd}</span></li>`,
          ...request.details.map((text) => html`<li>${text}</li>`),
        ];
  return html`<article class="card request" aria-label=${`Request of ${applicationName}`}>
    <h2>${applicationName}</h2>
    <p class="note">application ${clientId}, asked by ${program ?? 'an unnamed program'}${pid ? `, pid ${pid}` : ''} (unverified)</p>
    ${entrance === undefined ? null : html`<p class="note">through the ${entrance}</p>`}
    <p>asks to:</p>
    <ul>${wishes}</ul>
    <p class="buttons">
      <${Action} kind="good" waits=${isNew} action=${answer('requests.approve')} done=${again} label=${`Allow once: ${applicationName}`}>Allow once<//>
      ${
        request.kind === 'authorization'
          ? html`<${Action} waits=${isNew} action=${answer('requests.approve', { always: true })} done=${again} label=${`Always: ${applicationName}`}>Always<//>`
          : null
      }
      <${Action} kind="bad" action=${answer('requests.deny')} done=${again} label=${`Deny: ${applicationName}`}>Deny<//>
    </p>
  </article>` as VNode;
}

/** Whether a request has just appeared, so that a click on Allow may have been meant for another element. */
function useNew(): boolean {
  const [isNew, setNew] = useState(true);
  useEffect(() => {
    const timer = setTimeout(() => setNew(false), READING_MS);
    return () => clearTimeout(timer);
  }, []);
  return isNew;
}

type Grant = Operations['grants.list']['result'][number];

function decider({ decidedBy: { kind, via = '', program = 'an unnamed program' } }: Grant): string {
  if (kind === 'policy') return 'the policy';
  if (kind === 'secret') return 'a configured secret';
  return kind === 'publisher' ? 'its publisher' : `${via}: ${program}`;
}

/** List of permissions of apps. */
function Grants(): VNode {
  const { value, problem, again } = usePolled(() => call('grants.list'), 2000);
  return html`<section aria-labelledby="grants-title">
    <h2 id="grants-title">Grants</h2>
    ${problem === undefined ? null : html`<p class="problem" role="alert">${problem}</p>`}
    ${value?.length === 0 ? html`<${Empty}>No app has a permission.<//>` : null}
    ${
      value === undefined || value.length === 0
        ? null
        : html`<p>Revoking a grant takes back all that its user allowed its application: the other grants and the tokens as well.</p>
      <div class="table" role="region" aria-label="List of grants" tabindex="0"><table>
      <thead><tr><th scope="col">User</th><th scope="col">Application</th><th scope="col">Scopes</th><th scope="col">Over</th><th scope="col">When</th><th scope="col">How long</th>
        <th scope="col">Decided by</th><th scope="col"><span class="unseen">Revoke</span></th></tr></thead>
      <tbody>${value.map(
        (grant) => html`<tr key=${grant.id}>
          <td>${grant.username ?? grant.userId}</td>
          <td>${grant.applicationName ?? ''} <span class="id">${grant.clientId}</span></td>
          <td>${grant.scopes.join(' ')}</td><td>${grant.transport}</td><td>${new Date(grant.grantedAt).toLocaleString()}</td><td>${grant.always ? 'always' : 'once'}</td>
          <td>${decider(grant)}</td>
          <td><${Action} kind="bad" confirm="Really revoke?" action=${() => call('grants.revoke', { id: grant.id })} done=${again}
            label=${`Revoke the grant of ${grant.applicationName ?? grant.clientId}`}>Revoke<//></td>
        </tr>`,
      )}</tbody></table></div>`
    }
  </section>` as VNode;
}
