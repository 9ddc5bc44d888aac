import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { timeOfDay } from '../../../../journal/describe.ts';
import { type Exchange, entriesOf, isError } from '../../../../journal/exchange.ts';
import { CALLBACK } from '../../../../journal/exchange-facts.ts';
import type { Feed } from '../../data/feed.ts';
import { useFeed } from '../../parts/controls.ts';
import { Empty } from '../../parts/states.ts';
import { pageAddress } from '../../shell/pages.ts';
import { positionOf } from '../traffic/matching.ts';
import { entryAddress } from '../traffic/opened/entry-option.ts';
import { interactionOf } from '../traffic/opened/links.ts';
import { contentText, durationText, resultText } from '../traffic/row-text.ts';

/** Number of listed rows, and of the newest rows that are searched for them. */
const MAX_ROWS = 40;
const MAX_SEARCHED = 1500;

/** One row: what the platform sent to a bot, or what a bot did. */
interface Listed {
  readonly row: Exchange;
  /** Its content as a sentence. */
  readonly content: string | undefined;
}

/** What the gateway sent and what the bots answered, with times, the newest first. */
export function Passed({ feed, channel }: { readonly feed: Feed; readonly channel: string }): VNode {
  useFeed(feed);
  const [isHere, setHere] = useState(false);
  const listed = isHere ? channel : '';
  const listing = useMemo(() => new Listing(listed), [listed]);
  const rows = listing.of(feed.rows);
  return html`<section class="passed" aria-labelledby="passed-title"><h2 id="passed-title">Between platform and bots</h2>
    <label><input type="checkbox" checked=${isHere} onChange=${() => setHere(!isHere)} /> Only this channel</label>
    ${rows.length === 0 ? html`<${Empty}>${feed.journalOff ?? 'Nothing passed yet: a bot connects to the gateway of this bridge.'}<//>` : null}
    <ol tabindex="0" aria-label="Newest first">${rows.map(lineOf)}</ol>
    <p><a href=${pageAddress('traffic')}>All traffic</a></p>
  </section>` as VNode;
}

function lineOf({ row, content }: Listed): VNode {
  const { id, seq, at, kind, name, request, state, ms } = row;
  const isFromBot = kind === 'http' || (kind === 'gateway' && request !== undefined);
  const result = [resultText(row), durationText(ms)].filter((text) => text !== '').join(', ');
  const full = kind === 'webhook' ? `webhook ${name}` : shortened(name);
  // As in the list of traffic, the name says more of a failure than the content.
  const what = state === 'failed' || content === undefined ? html`<code>${full}</code>` : content;
  return html`<li key=${id} class=${isFromBot ? 'from-bot' : ''}>
    <time dateTime=${new Date(at).toISOString()}>${timeOfDay(at)}</time> <span class="unseen">${isFromBot ? 'bot' : 'platform'}</span> <span aria-hidden="true">${isFromBot ? '←' : '→'}</span>${' '}<a href=${entryAddress(seq)} title=${full}>${what}</a>${result === '' ? null : html`<span class=${isError(row) ? 'problem' : 'note'}>${result}</span>`}</li>` as VNode;
}

/** Traffic that says nothing of a channel. */
const QUIET = /^(?:READY|RESUMED|GUILD_CREATE|PRESENCE_UPDATE|heartbeat|hello)\b/i;
/** Routes whose paths have the credentials of an application, so that its bot sends no others. */
const HELD_BY_TOKEN = /^\w+ \S*\/(?:interactions|webhooks)\//;

/** Newest rows of bots, of all channels or of one. Each row is examined once, because that costs its text. */
class Listing {
  readonly #channel: string;
  /** Interactions in the channel: their callbacks do not name it. */
  readonly #interactions = new Set<string>();
  #upTo = 0;
  #found: readonly Listed[] = [];

  constructor(channel: string) {
    this.#channel = channel;
  }

  /** Listed rows among all rows of the traffic, the one that began last first. */
  of(rows: readonly Exchange[]): readonly Listed[] {
    const next = Math.max(positionOf(rows, this.#upTo + 1), rows.length - MAX_SEARCHED);
    const added = rows.slice(next).filter((row) => this.#has(row));
    this.#upTo = rows.at(-1)?.id ?? this.#upTo;
    const oldest = rows[0]?.id ?? Number.POSITIVE_INFINITY;
    const present = this.#found.filter(({ row }) => row.id >= oldest);
    this.#found = [...added.slice(-MAX_ROWS).toReversed().map(listed), ...present]
      .toSorted((a, b) => b.row.at - a.row.at)
      .slice(0, MAX_ROWS);
    return this.#found;
  }

  #has(row: Exchange): boolean {
    if (!isOfBot(row) || QUIET.test(row.name)) return false;
    if (this.#channel === '') return true;
    if (this.#interactions.has(CALLBACK.exec(row.name)?.[1] ?? '')) return true;
    if (!entriesOf(row).some((entry) => JSON.stringify(entry).includes(this.#channel))) return false;
    const interaction = interactionOf(row);
    if (interaction !== undefined) this.#interactions.add(interaction);
    return true;
  }
}

/** Whether a row is of a bot; other programs, such as apps with access tokens, use the HTTP API, too. */
function isOfBot({ kind, name, request }: Exchange): boolean {
  if (request?.kind !== 'http') return kind === 'gateway' || kind === 'webhook';
  return request.request.headers['authorization']?.startsWith('Bot ') === true || HELD_BY_TOKEN.test(name);
}

function listed(row: Exchange): Listed {
  return { row, content: contentText(row) };
}

/** Route without the version of the API, and without the tokens of interactions. */
function shortened(name: string): string {
  return name.replace(/^(\w+) \/api(?:\/v\d+)?/, '$1 ').replace(/[\w-]{60,}/g, '…');
}
