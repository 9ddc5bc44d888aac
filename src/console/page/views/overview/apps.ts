import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Operations } from '../../../../control/generated.ts';
import type { Feed } from '../../data/feed.ts';
import { Icon } from '../../parts/icon.ts';
import { appTraffic } from '../../shell/pages.ts';
import { stateLine, textIn, typeLine } from '../presence/presence-text.ts';
import { type ConnectedApp, initialsOf } from './connected-apps.ts';

type Presence = Operations['presence.list']['result']['entries'][number];

/** Card of an application: who it is, what it shows, how it fares, and the way to its traffic. */
export function AppCard({
  app: { clientId, name, sessions },
  figures,
  presence,
}: {
  readonly app: ConnectedApp;
  readonly figures: ReturnType<Feed['rates']['ofApp']> | undefined;
  readonly presence: Presence | undefined;
}): VNode {
  const unique = (texts: readonly (string | null | undefined)[]): string =>
    [...new Set(texts.filter((text) => typeof text === 'string' && text !== ''))].join(', ');
  const programs = sessions.map(
    ({ program, pid }) => `${program ?? 'unknown'}${pid === null ? '' : ` (${pid})`}`,
  );
  const over = sessions.map(({ transport, endpoint, sandbox }) => unique([transport, endpoint, sandbox]));
  const states = sessions.filter(({ state }) => state !== 'ready').map(({ state }) => state);
  return html`<article class="card app" aria-label=${`App ${name}`}>
    <header><span class="initials" aria-hidden="true">${initialsOf(name)}</span>
      <div><h3><bdi>${name}</bdi></h3><p class="note"><bdi>${unique(programs)}</bdi></p></div></header>
    <p class="showing">${presence === undefined ? html`<span class="note">shows nothing</span>` : html`<${Showing} presence=${presence} />`}</p>
    <dl class="fare">
      <div><dt>p50</dt><dd>${msText(figures?.trips?.p50)}</dd></div>
      <div><dt>p95</dt><dd>${msText(figures?.trips?.p95)}</dd></div>
      <div><dt>Requests</dt><dd>${figures?.requests ?? 0}</dd></div>
      <div><dt>Errors</dt><dd class=${(figures?.errors ?? 0) > 0 ? 'wrong' : ''}>${figures?.errors ?? 0}</dd></div>
    </dl>
    <p class="note">Figures of all its connections, also of ended ones and resends</p>
    <p class="note">${unique([...over, ...states])}${sessions.length > 1 ? `, ${sessions.length} connections` : ''}${clientId === null ? '' : html`, <span class="id">${clientId}</span>`}</p>
    <p><a href=${appTraffic(name)} aria-label=${`Traffic of ${name}`}><${Icon} name="traffic" /> Traffic</a></p>
  </article>` as VNode;
}

function Showing({ presence: { state, shown, activity } }: { readonly presence: Presence }): VNode {
  const visible = shown ?? activity;
  const lines = [textIn(visible, 'details'), stateLine(visible)].filter((line) => line !== undefined);
  const title = [typeLine(visible), textIn(visible, 'name')].filter(Boolean).join(' ');
  return html`<span class="mark">${state}</span> <bdi>${[title, ...lines].filter(Boolean).join(' · ')}</bdi>` as VNode;
}

function msText(ms: number | undefined): string {
  return ms === undefined ? '–' : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}
