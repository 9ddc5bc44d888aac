import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Operations } from '../../../../control/generated.ts';
import { call, callAny } from '../../data/api.ts';
import { Action, messageOf, Problem } from '../../parts/controls.ts';
import { Command } from '../../parts/copy.ts';
import { Empty, Loading } from '../../parts/states.ts';
import { timeText } from '../../parts/time.ts';
import { useSeconds } from '../../shell/seconds.ts';
import { PresenceCard } from './presence-card.ts';

type PresenceList = Operations['presence.list']['result'];

/** Wait of one call for a change (ms). */
const WAIT_MS = 10_000;
/** Time between two calls (ms), so that apps that change without a pause cost the page little. */
const PAUSE_MS = 250;
/** Pause before the next attempt while no bridge answers (ms). */
const AWAY_MS = 1000;
const HOUR_MS = 3_600_000;
/** Command that shows something for as long as it runs. */
const TRY = `footbridge presence set --details 'On a walk'`;
/** Maximum number of cards. */
const MAX_CARDS = 100;

/** View of what each app shows, and why. */
export function Presence(): VNode {
  const { value, problem } = usePresences();
  const now = useSeconds();
  return html`<section aria-labelledby="presence-title">
    <h1 id="presence-title">Presence</h1>
    <p>What others see of your apps. Rules are in the configuration file: <code>footbridge help presence-rules</code></p>
    <div class="bar">
      ${
        value?.paused === undefined
          ? html`<${Action} key="pause" action=${() => call('presence.pause', { until: Date.now() + HOUR_MS })}>Pause for an hour<//>`
          : html`<${Action} key="resume" kind="good" action=${() => call('presence.resume')}>Resume<//>
            <span role="status">${pauseText(value.paused)}</span>`
      }
      <${Action} key="clear" kind="bad" confirm="Really clear?" label="Clear held presences" action=${() => call('presence.clear')}>Clear held presences<//>
    </div>
    <${Problem} text=${problem} />
    ${value === undefined && problem === undefined ? html`<${Loading} />` : null}
    ${value?.problems.map((text) => html`<p key=${text} class="problem">${text}</p>`)}
    ${
      value?.entries.length === 0
        ? html`<${Empty} icon="presence" title="No app shows anything.">
      <p>An app that sets its activity has a card here: what others see of it, and why. One from here:</p>
      <${Command} text=${TRY} what="a command that shows something" /><//>`
        : null
    }
    <div class="cards wide">${value?.entries.slice(0, MAX_CARDS).map((entry) => html`<${PresenceCard} key=${entry.clientId} entry=${entry} now=${now} />`)}</div>
    ${value !== undefined && value.entries.length > MAX_CARDS ? html`<p class="note">And ${value.entries.length - MAX_CARDS} more: <code>footbridge presence</code></p>` : null}
    ${value?.unusedRules.map((place) => html`<p key=${place} class="note">No app has matched the rule of ${place}</p>`)}
  </section>` as VNode;
}

function pauseText(until: number | null): string {
  return until === null ? 'Nothing is shown until you resume.' : `Nothing is shown until ${timeText(until)}.`;
}

/** The list of presences, requested again after each change. */
function usePresences(): { readonly value: PresenceList | undefined; readonly problem: string | undefined } {
  const [value, setValue] = useState<PresenceList | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  useEffect(() => {
    const left = new AbortController();
    const follow = async (): Promise<void> => {
      let after: number | undefined;
      while (!left.signal.aborted) {
        try {
          const args = after === undefined ? {} : { after, wait: WAIT_MS };
          // The request ends with the view, because a browser makes only a few at a time.
          const list = (await callAny('presence.list', args, left.signal)) as PresenceList;
          setValue(list);
          setProblem(undefined);
          after = list.revision;
          await delay(PAUSE_MS);
        } catch (error) {
          if (left.signal.aborted) return;
          after = undefined;
          // Presences of a bridge that no longer answers are outdated.
          setValue(undefined);
          setProblem(messageOf(error));
          await delay(AWAY_MS);
        }
      }
    };
    void follow();
    return () => left.abort();
  }, []);
  return { value, problem };
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
