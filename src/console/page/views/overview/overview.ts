import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { applicationText, shortId, timeOfDay } from '../../../../journal/describe.ts';
import type { CountedRefusal } from '../../../../journal/entry.ts';
import type { Feed } from '../../data/feed.ts';
import type { SessionStatus } from '../../data/status.ts';
import { Chart } from '../../parts/chart.ts';
import { useFeed } from '../../parts/controls.ts';
import { Empty } from '../../parts/states.ts';
import { useSeconds } from '../../shell/seconds.ts';
import type { useWaiting } from '../decisions/decisions.ts';

/** Connected apps and message rates. */
export function Overview({
  feed,
}: {
  readonly feed: Feed;
  readonly waiting: ReturnType<typeof useWaiting>;
}): VNode {
  useFeed(feed);
  const now = useSeconds();
  const { status } = feed;
  const messages = feed.rates.messages(now);
  const trips = feed.rates.trips(now);
  const over = feed.rates.tripsOver(now);
  const latest = messages.at(-2) ?? 0;
  const max = Math.max(...messages);
  const tripText =
    over === undefined
      ? 'no request in the last minute'
      : `median ${over.p50.toFixed(1)} ms, 95 of 100 within ${over.p95.toFixed(1)} ms, ${over.count} requests`;
  return html`<section aria-labelledby="overview-title">
    <h1 id="overview-title">Overview</h1>
    <div class="cards">
      <article class="card"><h2>Messages a second</h2><p class="figure">${latest}</p>
        <${Chart} values=${messages} label=${`Messages a second in the last minute: ${latest} now, at most ${max}`} />
        <p class="note">at most ${max} in the last minute</p></article>
      <article class="card"><h2>Round trip</h2><p class="figure">${over === undefined ? '–' : `${over.p50.toFixed(1)} ms`}</p>
        <${Chart} values=${trips} label=${`Round trips in the last minute: ${tripText}`} />
        <p class="note">${tripText}</p></article>
      ${
        status === undefined
          ? null
          : html`<article class="card"><h2>Bridge</h2>
        <dl>
          <dt>Version</dt><dd>${status.version}, pid ${status.pid}</dd>
          <dt>Core</dt><dd>${status.core.name}</dd>
          ${status.core.api === null ? null : html`<dt>Platform</dt><dd><code>${status.core.api}</code></dd>`}
          ${status.endpoints.map(({ kind, path }) => html`<dt key=${path}>${kind}</dt><dd><code>${path}</code></dd>`)}
          ${status.notInFrontOf.map(({ path, why }) => html`<dt key=${path}>Answered by another program</dt><dd class="problem">${path}: ${why}</dd>`)}
          ${status.weaker.map((text) => html`<dt key=${text}>Weaker</dt><dd>${text}</dd>`)}
        </dl></article>`
      }
    </div>
    <h2>Connected apps</h2>
    <${Sessions} sessions=${status?.sessions} />
    <${Refused} refused=${status?.refused ?? []} />
  </section>` as VNode;
}

function Sessions({ sessions }: { readonly sessions: readonly SessionStatus[] | undefined }): VNode {
  if (sessions === undefined) return html`<${Empty}>No bridge answers.<//>` as VNode;
  if (sessions.length === 0) return html`<${Empty}>No app is connected.<//>` as VNode;
  return html`<div class="table" role="region" aria-label="Connected apps" tabindex="0"><table>
    <thead><tr><th scope="col">Session</th><th scope="col">Program</th><th scope="col">Application</th><th scope="col">Over</th>
      <th scope="col">State</th><th scope="col">Scopes</th><th scope="col">Subscriptions</th><th scope="col">In flight</th></tr></thead>
    <tbody>${sessions.map(
      (one) => html`<tr key=${one.id}>
        <td><a href=${`#/traffic/${one.id}`}>${shortId(one.id)}</a></td>
        <td>${one.program ?? 'unknown'}${one.pid === null ? '' : ` (${one.pid})`}</td>
        <td>${one.application ?? ''} <span class="id">${one.clientId ?? '–'}</span></td>
        <td>${[one.transport, one.endpoint, one.sandbox].filter(Boolean).join(', ')}</td><td>${one.state}</td>
        <td>${one.scopes.length === 0 ? '–' : one.scopes.join(' ')}</td>
        <td class="number">${one.subscriptions}</td><td class="number">${one.requestsInFlight}</td>
      </tr>`,
    )}</tbody>
  </table></div>` as VNode;
}

/** List of web pages that the bridge refused, with the command that allows each page. */
function Refused({ refused }: { readonly refused: readonly CountedRefusal[] }): VNode | null {
  if (refused.length === 0) return null;
  return html`<h2>Refused web pages</h2>
  <div class="table" role="region" aria-label="Refused web pages" tabindex="0"><table>
    <thead><tr><th scope="col">Origin</th><th scope="col">Application</th><th scope="col">Over</th><th scope="col">Why</th>
      <th scope="col">Times</th><th scope="col">Last</th><th scope="col">To do</th></tr></thead>
    <tbody>${refused.map(
      (one) => html`<tr key=${[one.over, one.why, one.clientId, one.origin].join(' ')}>
        <td>${one.origin ?? 'none'}</td><td>${applicationText(one)}</td><td>${one.over}</td><td>${one.why}</td>
        <td class="number">${one.count}</td><td>${timeOfDay(one.at)}</td><td><code>${one.remedy}</code></td>
      </tr>`,
    )}</tbody>
  </table></div>` as VNode;
}
