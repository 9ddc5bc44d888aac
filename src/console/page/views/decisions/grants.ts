import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { amount } from '../../../../base/text.ts';
import type { Operations } from '../../../../control/generated.ts';
import { call } from '../../data/api.ts';
import { isOurs, programName } from '../../data/app-names.ts';
import { Action, usePolled } from '../../parts/controls.ts';
import { Empty } from '../../parts/states.ts';
import { Ago } from '../../parts/time.ts';
import { useSeconds } from '../../shell/seconds.ts';
import { Failure } from './failure.ts';
import { deciderName, ofApp, PLACES } from './who.ts';

type Grant = Operations['grants.list']['result'][number];

/** List of permissions of apps, each with the button that takes it back. */
export function Grants({ app }: { readonly app: string | null }): VNode {
  const { value, problem, again } = usePolled(async () => ofApp(await call('grants.list'), app), 2000);
  const now = useSeconds();
  const [revoked, setRevoked] = useState('');
  const revoke = async ({ id }: Grant): Promise<void> =>
    setRevoked(revokedText(await call('grants.revoke', { id })));
  return html`<section aria-labelledby="grants-title">
    <h2 id="grants-title">Grants</h2>
    <${Failure} text=${problem} />
    <p role="status" class="note">${revoked}</p>
    ${value?.length === 0 ? html`<${Empty}>${app === null ? 'No app has a permission.' : 'It has no permission now.'}<//>` : null}
    ${
      value === undefined || value.length === 0
        ? null
        : html`<p class="note">Revoking a grant takes back all that its user allowed its application: the other grants and the tokens as well.</p>
      <ul class="rows card" aria-label="List of grants">${value.map(
        (
          grant,
        ) => html`<li key=${grant.id}><span><strong><bdi>${grant.applicationName ?? grant.clientId}</bdi></strong>${' '}
          ${grant.scopes.map((scope) => html`<span key=${scope} class="mark">${scope}</span>${' '}`)}
          <br /><span class="note">${grant.always ? 'always' : 'once'}, for ${grant.username ?? grant.userId}, over ${grant.transport},
            ${' '}<${Ago} at=${grant.grantedAt} now=${now} />, allowed ${decider(grant)}</span></span>
          <${Action} kind="bad" confirm="Really revoke?" action=${() => revoke(grant)} done=${again}
            label=${`Revoke the grant of ${grant.applicationName ?? grant.clientId}`}>Revoke<//></li>`,
      )}</ul>`
    }
  </section>` as VNode;
}

/** Sentence about everything that a revocation ended. */
function revokedText({
  applicationName,
  clientId,
  otherGrants,
  tokens,
  sessions,
}: Operations['grants.revoke']['result']): string {
  const ended = `${amount(otherGrants.length + 1, 'grant')} revoked, ${amount(tokens, 'token')} ended`;
  return `${applicationName ?? clientId}: ${ended}, ${amount(sessions, 'connection')} closed.`;
}

/** Where it was allowed, in the words of {@link History}. A grant does not distinguish the console from the command line. */
function decider({ decidedBy: { kind, via, program = '' } }: Grant): string {
  if (kind !== 'person') return `by ${deciderName(kind)}`;
  if (via === 'terminal' || via === 'notification') return PLACES[via];
  const name = programName(program);
  if (name === '') return 'by an unnamed program';
  return isOurs(name) ? 'in the console or on the command line' : `by ${name}`;
}
