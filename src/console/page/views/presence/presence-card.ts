import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Operations } from '../../../../control/generated.ts';
import { Command } from '../../parts/copy.ts';
import {
  type Activity,
  buttonLabels,
  changedFields,
  stateLine,
  textIn,
  timeLine,
  typeLine,
} from './presence-text.ts';

/** Presence of one application. */
export type PresenceEntry = Operations['presence.list']['result']['entries'][number];

/** Card of one application: the presence as a chat client draws it, and why it is shown or not. */
export function PresenceCard({ entry, now }: { readonly entry: PresenceEntry; readonly now: number }): VNode {
  const { clientId, application, program, pid, connections, state, why, shown, activity, clients } = entry;
  const name = application ?? program ?? clientId;
  const changed = shown === null ? [] : changedFields(activity, shown);
  const isAtNone = shown !== null && clients.length === 0;
  return html`<article class="card" aria-label=${`Presence of ${name}`}>
    <h2><bdi>${name}</bdi> <span class="mark">${state}</span></h2>
    <${Drawn} activity=${shown ?? activity} name=${name} isSeen=${shown !== null} now=${now} />
    <dl>
      <dt>Why</dt><dd>${why}</dd>
      ${clients.length > 0 || isAtNone ? html`<dt>Shown at</dt><dd>${isAtNone ? 'no connected client' : clients.join(', ')}</dd>` : null}
      ${changed.length === 0 ? null : html`<dt>Changed by rules</dt><dd>${changed.join(', ')}</dd>`}
      ${program === null ? null : html`<dt>Program</dt><dd><bdi>${program}</bdi>${pid === null ? '' : `, pid ${pid}`}${connections > 1 ? `, ${connections} connections` : ''}</dd>`}
      <dt>Application</dt><dd class="id">${clientId}</dd>
    </dl>
    ${/^\d{1,20}$/.test(clientId) ? html`<${Commands} clientId=${clientId} name=${name} />` : null}
  </article>` as VNode;
}

/** An activity as a chat client draws it, without its pictures: a picture of an app is never loaded. */
function Drawn({
  activity,
  name,
  isSeen,
  now,
}: {
  readonly activity: Activity;
  readonly name: string;
  readonly isSeen: boolean;
  readonly now: number;
}): VNode {
  const { assets } = activity;
  const lines = [textIn(activity, 'details'), stateLine(activity), timeLine(activity, now)];
  return html`<div class="activity" role="group" aria-label=${isSeen ? 'What others see' : 'What nobody sees'}>
    <p class="note">${typeLine(activity)}${isSeen ? '' : ' (nobody sees it)'}</p>
    <${Picture} assets=${assets} size="large" /><${Picture} assets=${assets} size="small" />
    <div><strong><bdi>${textIn(activity, 'name') ?? name}</bdi></strong>
      ${lines.map((line) => (line === undefined ? null : html`<bdi>${line}</bdi>`))}</div>
    ${buttonLabels(activity).map((label) => html`<span class="label"><bdi>${label}</bdi></span>`)}
  </div>` as VNode;
}

function Picture({
  assets,
  size,
}: {
  readonly assets: unknown;
  readonly size: 'large' | 'small';
}): VNode | null {
  const text = textIn(assets, `${size}_text`);
  if (text === undefined && textIn(assets, `${size}_image`) === undefined) return null;
  return html`<div class=${`picture ${size}`} title=${text}><bdi>${text ?? `${size} picture`}</bdi></div>` as VNode;
}

/** Commands that write a rule for the application; the page itself does not change the configuration. */
function Commands({ clientId, name }: { readonly clientId: string; readonly name: string }): VNode {
  return html`<div class="rules">${['hide', 'show', 'prefer'].map((verb) => {
    const command = `footbridge presence ${verb} ${clientId}`;
    return html`<${Command} key=${verb} text=${command} what=${`the command to ${verb} ${name}`} />`;
  })}</div>` as VNode;
}
