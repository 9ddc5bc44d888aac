import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { timeOfDay } from '../../../../journal/describe.ts';
import { type Exchange, entriesOf } from '../../../../journal/exchange.ts';
import type { Feed } from '../../data/feed.ts';
import { useFeed } from '../../parts/controls.ts';
import { Empty } from '../../parts/states.ts';
import { pageAddress } from '../../shell/pages.ts';

/** Number of listed rows, and of the newest rows that are searched for them. */
const MAX_ROWS = 40;
const MAX_SEARCHED = 1500;

/** One row: what the platform sent to a bot, or what a bot did. */
interface Row {
  readonly id: number;
  readonly at: number;
  readonly isFromBot: boolean;
  readonly what: string;
  readonly result: string;
  readonly isBad: boolean;
}

/** What the gateway sent and what the bots answered, with times, the newest first. */
export function Passed({ feed, channel }: { readonly feed: Feed; readonly channel: string }): VNode {
  useFeed(feed);
  const [isHere, setHere] = useState(false);
  const rows = rowsOf(feed.rows, isHere ? channel : '');
  return html`<section class="passed" aria-labelledby="passed-title"><h2 id="passed-title">Between platform and bots</h2>
    <label><input type="checkbox" checked=${isHere} onChange=${() => setHere(!isHere)} /> Only this channel</label>
    ${rows.length === 0 ? html`<${Empty}>${feed.journalOff ?? 'Nothing passed yet: a bot connects to the gateway of this bridge.'}<//>` : null}
    <ol tabindex="0" aria-label="Newest first">${rows.map(
      ({ id, at, isFromBot, what, result, isBad }) => html`<li key=${id} class=${isFromBot ? 'from-bot' : ''}>
        <time dateTime=${new Date(at).toISOString()}>${timeOfDay(at)}</time> <span class="unseen">${isFromBot ? 'bot' : 'platform'}</span> <span aria-hidden="true">${isFromBot ? '←' : '→'}</span>${' '}<code>${what}</code>${result === '' ? null : html`<span class=${isBad ? 'problem' : 'note'}>${result}</span>`}</li>`,
    )}</ol>
    <p><a href=${pageAddress('traffic')}>All traffic</a></p>
  </section>` as VNode;
}

/** Traffic that says nothing of a channel. */
const QUIET = /^(?:READY|RESUMED|GUILD_CREATE|PRESENCE_UPDATE|heartbeat|hello)\b/i;

function rowsOf(rows: readonly Exchange[], channel: string): readonly Row[] {
  const found: Row[] = [];
  const oldest = Math.max(0, rows.length - MAX_SEARCHED);
  for (let index = rows.length - 1; index >= oldest && found.length < MAX_ROWS; index--) {
    const row = rows[index];
    if (row !== undefined && isOf(row, channel)) found.push(rowOf(row));
  }
  return found;
}

/** Whether a row is of a bot and names a channel, in its path or in its text. */
function isOf(row: Exchange, channel: string): boolean {
  if (!['http', 'gateway', 'webhook'].includes(row.kind) || QUIET.test(row.name)) return false;
  return channel === '' || entriesOf(row).some((entry) => JSON.stringify(entry).includes(channel));
}

function rowOf({ id, at, kind, name, request, code, ms, state }: Exchange): Row {
  const isFromBot = kind === 'http' || (kind === 'gateway' && request !== undefined);
  const result = [code, ms === undefined ? '' : `${Math.round(ms)} ms`]
    .filter((text) => text !== '')
    .join(', ');
  const isBad = state === 'failed' || state === 'unanswered';
  return { id, at, isFromBot, what: kind === 'webhook' ? `webhook ${name}` : shortened(name), result, isBad };
}

/** Route without the version of the API, and without the tokens of interactions. */
function shortened(name: string): string {
  return name.replace(/^(\w+) \/api(?:\/v\d+)?/, '$1 ').replace(/[\w-]{60,}/g, '…');
}
