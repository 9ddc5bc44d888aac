import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Operations } from '../../../../control/generated.ts';
import { call } from '../../data/api.ts';
import { usePolled } from '../../parts/controls.ts';
import { Empty } from '../../parts/states.ts';
import { timeText } from '../../parts/time.ts';
import { Failure } from './failure.ts';

type Ended = Operations['requests.history']['result'][number];

/** List of requests that were decided, expired or withdrawn since the bridge started. */
export function History(): VNode {
  const { value, problem } = usePolled(() => call('requests.history'), 2000);
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
          <br /><span class="note">${[timeText(one.endedAt), whoOf(one), one.by].filter(Boolean).join(', ')}</span></span>
          <span class=${`outcome ${one.outcome}`}>${outcomeText(one)}</span></li>`,
          )}</ul>`
    }
  </section>` as VNode;
}

function outcomeText({ outcome, always }: Ended): string {
  if (outcome === 'allowed') return always ? 'always allowed' : 'allowed once';
  return { denied: 'denied', 'timed-out': 'not answered', withdrawn: 'withdrawn' }[outcome];
}

function whoOf({ program, pid, entrance }: Ended): string {
  const who = program ?? (pid === null ? '' : `pid ${pid}`);
  return [who === '' ? '' : `asked by ${who}`, entrance === null ? '' : `through the ${entrance}`]
    .filter(Boolean)
    .join(' ');
}
