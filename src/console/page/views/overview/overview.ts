import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { amount } from '../../../../base/text.ts';
import { call } from '../../data/api.ts';
import type { Feed } from '../../data/feed.ts';
import type { Status } from '../../data/status.ts';
import { useNames } from '../../data/use-names.ts';
import { Chart } from '../../parts/chart.ts';
import { useFeed, usePolled } from '../../parts/controls.ts';
import { Command } from '../../parts/copy.ts';
import { Empty } from '../../parts/states.ts';
import { pageAddress } from '../../shell/pages.ts';
import { useSeconds } from '../../shell/seconds.ts';
import { RequestCard, type useWaiting } from '../decisions/request.ts';
import { durationText } from '../traffic/row-text.ts';
import { AppCard } from './apps.ts';
import { appsOf } from './connected-apps.ts';
import { Refused } from './refused.ts';

/** What waits for a decision, the apps, the bridge, and refused web pages. */
export function Overview({
  feed,
  waiting,
  operations,
}: {
  readonly feed: Feed;
  readonly waiting: ReturnType<typeof useWaiting>;
  readonly operations: ReadonlySet<string> | undefined;
}): VNode {
  useFeed(feed);
  const { status, link } = feed;
  return html`<section aria-labelledby="overview-title">
    <h1 id="overview-title">Overview</h1>
    <div class="overview"><div>
      ${link.kind === 'up' ? html`<${Decisions} waiting=${waiting} />` : null}
      <${Apps} feed=${feed} hasPresence=${operations?.has('presence.list') !== false} />
      <${Refused} refused=${status?.refused ?? []} />
    </div><div>
      <h2>Traffic</h2>
      <${Figures} feed=${feed} />
      ${status === undefined ? null : html`<h2>Bridge</h2><${Bridge} status=${status} />`}
    </div></div>
  </section>` as VNode;
}

function Decisions({
  waiting: { value, again },
}: {
  readonly waiting: ReturnType<typeof useWaiting>;
}): VNode | null {
  if (value === undefined || value.length === 0) return null;
  return html`<h2>Waits for you</h2>
    <div class="cards wide">${value.map((one) => html`<${RequestCard} key=${one.id} request=${one} again=${again} />`)}</div>` as VNode;
}

function Apps({ feed, hasPresence }: { readonly feed: Feed; readonly hasPresence: boolean }): VNode {
  const { value } = usePolled(async () => (hasPresence ? call('presence.list') : undefined), 2000);
  const { status, link } = feed;
  useNames(feed);
  const apps = appsOf(status?.sessions ?? [], feed.rates, feed.names);
  if (apps.length === 0) {
    if (link.kind !== 'up' || status === undefined) return html`<${Empty}>No bridge answers.<//>` as VNode;
    return html`<${FirstMinute} status=${status} />` as VNode;
  }
  return html`<h2>Apps</h2>
    <div class="cards" role="region" aria-label="Apps">${apps.map(
      (app) => html`<${AppCard} key=${app.key} app=${app} programs=${feed.names.programsOf(app.key)}
        presence=${value?.entries.find(({ clientId }) => clientId === app.clientId)} />`,
    )}</div>` as VNode;
}

/** What to do on a bridge without apps. */
function FirstMinute({ status: { core } }: { readonly status: Status }): VNode {
  return html`<${Empty} icon="apps" title="No app is connected yet.">
    <ol class="steps">
      <li><p>Start your app on this machine: it finds the bridge by itself, as it finds a chat client. Or connect one from here:</p>
        <${Command} text=${TRY} what="a command that connects an app" /></li>
      <li><p>Every request and answer is a row of <a href=${pageAddress('traffic')}>Traffic</a>.</p></li>
      <li><p>${
        core.name === 'emulator'
          ? html`What it asks a person for waits in <a href=${pageAddress('requests')}>Requests</a>; what others see of it is in <a href=${pageAddress('presence')}>Presence</a>.`
          : html`What others see of it is in <a href=${pageAddress('presence')}>Presence</a>.`
      }</p></li>
      <li><p>It does not connect? <a href=${pageAddress('doctor')}>Doctor</a> says why.</p></li>
    </ol><//>` as VNode;
}

/** Command that works on every core. */
const TRY = `footbridge call SET_ACTIVITY '{"pid":1,"activity":{"state":"hello"}}'`;

/** Message rates and round trips of the last minute. */
function Figures({ feed: { rates } }: { readonly feed: Feed }): VNode {
  const now = useSeconds();
  const messages = rates.messages(now);
  const over = rates.tripsOver(now);
  const latest = messages.at(-2) ?? 0;
  const max = Math.max(...messages);
  const tripText =
    over === undefined
      ? 'no request in the last minute'
      : `p50 ${durationText(over.p50)}, p95 ${durationText(over.p95)}, ${amount(over.count, 'request')}`;
  return html`<div class="cards">
    <article class="card"><h3>Messages a second</h3><p class="figure">${latest}</p>
      <${Chart} values=${messages} label=${`Messages a second in the last minute: ${latest} now, at most ${max}`} />
      <p class="note">at most ${max} in the last minute</p></article>
    <article class="card"><h3>Round trip</h3><p class="figure">${over === undefined ? '–' : durationText(over.p50)}</p>
      <${Chart} values=${rates.trips(now)} label=${`Round trips in the last minute: ${tripText}`} />
      <p class="note">${tripText}</p></article>
  </div>` as VNode;
}

/** Addresses of the bridge, each with a line to try, and what is wrong with it. */
function Bridge({ status }: { readonly status: Status }): VNode {
  const { version, pid, core, endpoints, notInFrontOf, weaker } = status;
  return html`<article class="card bridge" aria-label="Bridge">
    <p class="note">version ${version}, pid ${pid}, core ${core.name}</p>
    ${notInFrontOf.map(({ path, why }) => html`<p key=${path} class="problem">Answered by another program: ${path}, ${why}</p>`)}
    <dl>
      ${endpoints.map(({ kind, path }) => html`<dt key=${path}>${KINDS[kind] ?? kind}</dt><dd><${Command} text=${path} what=${`the address for ${KINDS[kind] ?? kind}`} /></dd>`)}
      ${core.api === null ? null : html`<dt>HTTP API</dt><dd><${Command} text=${core.api} what="the address of the HTTP API" /></dd>`}
      <dt>Try an app</dt><dd><${Command} text=${TRY} what="a command that connects an app" /></dd>
      ${core.api === null ? null : html`<dt>Try the API</dt><dd><${Command} text=${`curl -s ${core.api}/v10/gateway`} what="a request to the HTTP API" /></dd>`}
      ${weaker.map((text) => html`<dt key=${text}>Weaker</dt><dd>${text}</dd>`)}
    </dl></article>` as VNode;
}

/** What connects to each kind of endpoint. */
const KINDS: Readonly<Record<string, string>> = {
  ipc: 'Apps',
  websocket: 'Web pages',
  'node-ipc': 'Apps that use node-ipc',
};
