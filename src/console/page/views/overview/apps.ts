import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { amount } from '../../../../base/text.ts';
import type { Operations } from '../../../../control/generated.ts';
import { programText } from '../../data/app-names.ts';
import { Icon } from '../../parts/icon.ts';
import { timeText } from '../../parts/time.ts';
import { appTraffic } from '../../shell/pages.ts';
import { stateLine, textIn, typeLine } from '../presence/presence-text.ts';
import { detailOf, durationText } from '../traffic/row-text.ts';
import { type ConnectedApp, initialsOf } from './connected-apps.ts';

type Presence = Operations['presence.list']['result']['entries'][number];

/** Maximum of programs of a card that have ended. */
const MAX_ENDED = 3;

/** Card of an application: who it is, what it shows, how it fares, and the way to its traffic. */
export function AppCard({
  app: { clientId, name, sessions, figures },
  programs,
  presence,
}: {
  readonly app: ConnectedApp;
  /** Programs that were seen as the application, those that have ended too. */
  readonly programs: readonly string[];
  readonly presence: Presence | undefined;
}): VNode {
  const unique = (texts: readonly (string | null | undefined)[]): string =>
    [...new Set(texts.filter((text) => typeof text === 'string' && text !== ''))].join(', ');
  const running = sessions.map(programText);
  const endedPrograms = programs.filter((program) => !running.includes(program));
  const further = endedPrograms.length - MAX_ENDED;
  const ended = [...endedPrograms.slice(-MAX_ENDED), ...(further > 0 ? [`${further} earlier`] : [])];
  const over = sessions.map(({ transport, endpoint, sandbox }) => unique([transport, endpoint, sandbox]));
  const states = sessions.filter(({ state }) => state !== 'ready').map(({ state }) => state);
  const { requests = 0, errors = 0, byHand = 0, trips, lastError } = figures ?? {};
  return html`<article class="card app" aria-label=${`App ${name}`}>
    <header><span class="initials" aria-hidden="true">${initialsOf(name)}</span>
      <div><h3><bdi>${name}</bdi>${figures?.isBot ? ' (bot)' : ''}</h3>
        <p class="note"><bdi>${sessions.length === 0 ? stateOf(figures) : unique(running)}${ended.length === 0 ? '' : ','}</bdi>${ended.length === 0 ? '' : html` ${sessions.length === 0 ? '' : 'ended: '}<bdi>${unique(ended)}</bdi>`}</p></div></header>
    ${presence === undefined ? (figures?.isBot ? null : html`<p class="showing note">shows nothing</p>`) : html`<p class="showing"><${Showing} presence=${presence} /></p>`}
    <dl class="fare" title="Of all its connections, also of ended ones and resends">
      <div><dt>p50</dt><dd>${durationText(trips?.p50) || '–'}</dd></div>
      <div><dt>p95</dt><dd>${durationText(trips?.p95) || '–'}</dd></div>
      <div><dt>Requests</dt><dd>${requests}</dd></div>
      <div><dt>Errors</dt><dd>${
        errors === 0
          ? 0
          : html`<a class="wrong" href=${appTraffic(name, ' status:error')} aria-label=${`${amount(errors, 'error')} of ${name}`}>${errors}</a>`
      }</dd></div>
    </dl>
    ${lastError === undefined ? null : html`<p class="last"><bdi>${lastError.name}: ${lastError.state === 'unanswered' ? 'no answer' : [lastError.code, detailOf(lastError).text].filter(Boolean).join(' ')}</bdi></p>`}
    <p class="note">${[unique([...over, ...states]), sessions.length > 1 ? `${sessions.length} connections` : '', byHand > 0 ? `${byHand} sent by hand` : ''].filter(Boolean).map((text) => `${text}, `)}${clientId === null ? '' : html`<span class="id">${clientId}</span>`}</p>
    <p><a href=${appTraffic(name)} aria-label=${`Traffic of ${name}`}><${Icon} name="traffic" /> Traffic</a></p>
  </article>` as VNode;
}

/** Whether an application without a session is connected. */
function stateOf(figures: ConnectedApp['figures']): string {
  if ((figures?.gateway.size ?? 0) > 0) return 'connected';
  return figures?.endedAt === undefined ? 'uses HTTP only' : `ended ${timeText(figures.endedAt)}`;
}

function Showing({ presence: { state, shown, activity } }: { readonly presence: Presence }): VNode {
  const visible = shown ?? activity;
  const lines = [textIn(visible, 'details'), stateLine(visible)].filter((line) => line !== undefined);
  const title = [typeLine(visible), textIn(visible, 'name')].filter(Boolean).join(' ');
  return html`<span class="mark">${state}</span> <bdi>${[title, ...lines].filter(Boolean).join(' · ')}</bdi>` as VNode;
}
