import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Operations } from '../../../../control/generated.ts';
import { call } from '../../data/api.ts';
import { isOurs, programName } from '../../data/app-names.ts';
import type { Feed } from '../../data/feed.ts';
import { usePolled } from '../../parts/controls.ts';
import { Empty } from '../../parts/states.ts';
import { timeText } from '../../parts/time.ts';
import { appTraffic } from '../../shell/pages.ts';
import { useSeconds } from '../../shell/seconds.ts';
import { isRevoked } from '../traffic/opened/links.ts';
import { Failure } from './failure.ts';
import { deciderName, ofApp, PLACES } from './who.ts';

type Ended = Operations['requests.history']['result'][number];

/** List of requests that were decided, expired or withdrawn since the bridge started, and of revocations. */
export function History({ feed, app }: { readonly feed: Feed; readonly app: string | null }): VNode {
  const { value, problem } = usePolled(async () => ofApp(await call('requests.history'), app), 2000);
  const now = useSeconds();
  const closed = useMemo(() => new Set(feed.rows.filter(isRevoked).map(({ peer }) => peer.app)), [now]);
  return html`<section aria-labelledby="history-title">
    <h2 id="history-title">Decisions</h2>
    <${Failure} text=${problem} />
    ${value?.length === 0 ? html`<${Empty}>Nothing was decided since the bridge started.<//>` : null}
    ${
      value === undefined || value.length === 0
        ? null
        : html`<ul class="rows card decisions" aria-label="List of decisions">${value.map(
            (
              one,
            ) => html`<li key=${`${one.id} ${one.endedAt}`}><span><strong><bdi>${one.applicationName}</bdi></strong>${' '}
          ${one.wishes.map((wish) => html`<span key=${wish} class="mark">${wish}</span>${' '}`)}
          <br /><span class="note">${[timeText(one.endedAt), ...partiesOf(one)].filter(Boolean).join(' · ')}</span></span>
          <span class=${`outcome ${isEnded(one) ? 'revoked' : one.outcome}`}>${outcomeText(one)}${
            isEnded(one) && closed.has(one.clientId)
              ? html` · <a href=${appTraffic(one.applicationName, ' cmd:CLOSE status:4003')}>closed connections</a>`
              : null
          }</span></li>`,
          )}</ul>`
    }
  </section>` as VNode;
}

/** Whether the application lost what it was allowed. */
function isEnded({ outcome, revokedAt }: Ended): boolean {
  return outcome === 'revoked' || revokedAt !== null;
}

function outcomeText({ outcome, always, revokedAt }: Ended): string {
  const ended = revokedAt === null ? '' : `, revoked ${timeText(revokedAt)}`;
  if (outcome === 'allowed') return `${always ? 'always allowed' : 'allowed once'}${ended}`;
  return { denied: 'denied', 'timed-out': 'not answered', withdrawn: 'withdrawn', revoked: 'revoked' }[
    outcome
  ];
}

/** Requester and decider. */
function partiesOf(one: Ended): readonly string[] {
  const { program, pid, entrance } = one;
  const requester = program === null ? (pid === null ? undefined : `pid ${pid}`) : programName(program);
  const through = entrance === null ? '' : `through the ${entrance}`;
  const request = [requester === undefined ? '' : `asked by ${requester}`, through].filter(Boolean).join(' ');
  return [request, deciderOf(one)];
}

/** Where a person decided, what decided without one, or why there was no decision. */
function deciderOf({ where, outcome, by }: Ended): string {
  if (where === 'control') {
    const program = programName(by?.split(', ').slice(1).join(', ') ?? '');
    return program === '' || isOurs(program) ? 'on the command line' : `by ${program}`;
  }
  if (where !== null) return PLACES[where];
  if (outcome === 'withdrawn') return by ?? '';
  return by === null ? '' : `by ${deciderName(by)}`;
}
