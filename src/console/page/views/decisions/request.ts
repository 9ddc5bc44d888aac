import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Operations } from '../../../../control/generated.ts';
import { READING_MS } from '../../../../emulator/accounts/consent/reading-time.ts';
import { call } from '../../data/api.ts';
import { Action, usePolled } from '../../parts/controls.ts';
import { spanText } from '../../parts/time.ts';

/** Poll interval of waiting requests (ms). */
const POLL_MS = 1000;

/** Request that waits for the user, in the console's list of requests. */
type Waiting = Operations['requests.list']['result'][number];

/** Polls the waiting requests. */
export function useWaiting(): ReturnType<typeof usePolled<readonly Waiting[]>> {
  return usePolled(() => call('requests.list'), POLL_MS);
}

/** One waiting request: who asks, for what, how long it waits, and the answers. */
export function RequestCard({
  request,
  again,
}: {
  readonly request: Waiting;
  readonly again: () => void;
}): VNode {
  const { id, clientId, applicationName, expiresAt } = request;
  const isNew = useNew();
  const answer =
    (operation: 'requests.approve' | 'requests.deny', args = {}) =>
    () =>
      call(operation, { id, ...args });
  const { program, pid, entrance, over } = requesterOf(request);
  // A third-party client core may not report the time that is left.
  const left = (request as Partial<Waiting>).expiresIn ?? expiresAt - Date.now();
  return html`<article class="card request" aria-label=${`Request of ${applicationName}`}>
    <header><h2><bdi>${applicationName}</bdi></h2><span class="mark" title="It is denied when the time is over">${spanText(left)} left</span></header>
    <p>asks to:</p>
    <ul class="wishes">${wishesOf(request)}</ul>
    <dl>
      <dt>Program</dt><dd><bdi>${program ?? 'an unnamed program'}</bdi>${pid === undefined ? '' : `, pid ${pid}`} (unverified)</dd>
      ${entrance === undefined ? null : html`<dt>Through</dt><dd>the ${entrance}</dd>`}
      ${over === undefined ? null : html`<dt>Connection</dt><dd>${over}</dd>`}
      <dt>Application</dt><dd class="id">${clientId}</dd>
    </dl>
    <p class="buttons">
      <${Action} kind="good" waits=${isNew} action=${answer('requests.approve')} done=${again} label=${`Allow once: ${applicationName}`}>Allow once<//>
      ${
        request.kind === 'authorization'
          ? html`<${Action} waits=${isNew} action=${answer('requests.approve', { always: true })} done=${again} label=${`Always allow: ${applicationName}`}>Always allow<//>`
          : null
      }
      <${Action} kind="bad" action=${answer('requests.deny')} done=${again} label=${`Deny: ${applicationName}`}>Deny<//>
    </p>
  </article>` as VNode;
}

function requesterOf(request: Waiting): {
  readonly program: string | undefined;
  readonly pid: number | undefined;
  readonly entrance: string | undefined;
  readonly over: string | undefined;
} {
  if (request.kind === 'command')
    return { program: undefined, pid: request.pid ?? undefined, entrance: request.entrance, over: undefined };
  const { program, pid, entrance, transport } = request.peer;
  return { program, pid, entrance, over: transport };
}

function wishesOf(request: Waiting): readonly VNode[] {
  if (request.kind === 'authorization') {
    return request.scopes.map(
      ({ name, description }) =>
        html`<li key=${name}>${description} <span class="id">${name}</span></li>` as VNode,
    );
  }
  return [
    html`<li>${request.what} <span class="id">${request.cmd}</span></li>` as VNode,
    ...request.details.map((text) => html`<li>${text}</li>` as VNode),
  ];
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
