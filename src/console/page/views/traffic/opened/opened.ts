import { html } from 'htm/preact';
import { createContext, type VNode } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { shortId, timeOfDay } from '../../../../../journal/describe.ts';
import { type Exchange, isByHand } from '../../../../../journal/exchange.ts';
import { neverResent } from '../../../../../journal/never-resent.ts';
import type { AppNames } from '../../../data/app-names.ts';
import type { Feed } from '../../../data/feed.ts';
import { Icon } from '../../../parts/icon.ts';
import { Ago } from '../../../parts/time.ts';
import { useKeys } from '../../../shell/keys.ts';
import { appTraffic, pageAddress } from '../../../shell/pages.ts';
import { useSeconds } from '../../../shell/seconds.ts';
import { codeName } from '../code-names.ts';
import { reasonOf } from '../refusal.ts';
import { contentText, durationText, sizeText } from '../row-text.ts';
import { BodySearch } from './body-search.ts';
import { Copies } from './copies.ts';
import { entryAddress, openEntry } from './entry-option.ts';
import { isAboutGrant, linksOf } from './links.ts';
import { EditForm, isEditable, ResendButton, resendableOf } from './resend.ts';
import { FORMS, type Form, SideView } from './side-view.ts';
import { sidesOf } from './sides.ts';

/** The opened row; `feed.rows` has all others. */
export interface OpenedProps {
  readonly row: Exchange;
  readonly feed: Feed;
  readonly close: () => void;
  /** Whether the filter passes it. */
  readonly isListed: boolean;
}

/** Form that was chosen last: it stays from row to row, and from view to view. */
export const LastForm = createContext<{ current: Form } | undefined>(undefined);

/** One row with its request beside its answer, and what can be done with it. */
export function Opened({ row, feed, close, isListed }: OpenedProps): VNode {
  const lastForm = useContext(LastForm);
  const [form, setForm] = useState<Form>(lastForm?.current ?? 'tree');
  const [isEditing, setEditing] = useState(false);
  const contents = useRef<HTMLDivElement>(null);
  useEffect(() => setEditing(false), [row.id]);
  const entry = feed.recorded === undefined ? resendableOf(row) : undefined;
  const never = entry && neverResent(entry, row.name);
  const edits = entry !== undefined && isEditable(entry);
  useKeys(
    edits && never === undefined
      ? [{ key: 'e', does: 'edit the opened row and send it', run: () => setEditing(true) }]
      : [],
  );
  const choose = (one: Form): void => {
    if (lastForm !== undefined) lastForm.current = one;
    setForm(one);
  };
  // The list draws with each entry that comes, and a content is read once.
  const version = `${row.id} ${form} ${row.answer?.seq ?? ''} ${row.state}`;
  const sides = useMemo(
    () => sidesOf(row).map((side) => html`<${SideView} key=${side.title} side=${side} form=${form} />`),
    [version],
  );
  const api = feed.status?.core.api ?? undefined;
  const copies = useMemo(() => html`<${Copies} row=${row} api=${api} />`, [version, api]);
  return html`<aside class="opened" aria-label="Opened row">
    <header class="title"><h2>${row.name}</h2>
      ${isByHand(row) ? html`<span class="by-hand">sent by hand</span>` : null}
      ${isListed ? null : html`<span class="by-hand">not in the filter</span>`}
      <button type="button" class="close" aria-label="Close" onClick=${close}><${Icon} name="close" /></button></header>
    <${Facts} row=${row} names=${feed.names} />
    <${Links} key=${row.id} row=${row} feed=${feed} />
    <div class="buttons">
      ${entry === undefined ? null : html`<${ResendButton} key=${row.id} entry=${entry} sent=${openEntry} never=${never} />`}
      ${
        !edits
          ? null
          : html`<button type="button" aria-expanded=${isEditing} disabled=${never !== undefined} onClick=${() => setEditing(!isEditing)}><${Icon} name="edit" /> Edit and resend</button>`
      }
      ${copies}
      ${never === undefined ? null : html`<span class="note">${never}</span>`}
    </div>
    ${isEditing && entry !== undefined ? html`<${EditForm} key=${row.id} entry=${entry} why=${reasonOf(row)} sent=${openEntry} close=${() => setEditing(false)} />` : null}
    <div class="bar tools">
      <div class="forms" role="group" aria-label="Form of the content">
        ${FORMS.map((one) => html`<button key=${one} type="button" aria-pressed=${form === one} onClick=${() => choose(one)}>${TITLES[one]}</button>`)}
      </div>
      <${BodySearch} within=${contents} version=${version} />
    </div>
    <div class="sides" ref=${contents}>${sides}</div>
  </aside>` as VNode;
}

const TITLES: Readonly<Record<Form, string>> = { tree: 'Tree', table: 'Table', raw: 'Raw' };

/** App, time, duration and result as a sentence. */
function Facts({ row, names }: Pick<OpenedProps, 'row'> & { readonly names: AppNames }): VNode {
  const now = useSeconds();
  const { peer, at, ms, code, state, bytes, seq, answer } = row;
  const name = names.text(peer);
  const named = codeName(row);
  const numbers =
    answer === undefined || answer.seq === seq ? `Number ${seq}` : `Numbers ${seq} and ${answer.seq}`;
  return html`<ul class="facts">
    ${name === '' ? null : html`<li><a href=${appTraffic(name)}>${name}</a></li>`}
    <li><${Ago} at=${at} now=${now} />, at ${timeOfDay(at)}</li>
    ${code === '' ? null : html`<li class=${state === 'failed' ? 'failed' : ''}>Result ${code}${named === undefined ? '' : ` ${named}`}</li>`}
    ${ms === undefined ? null : html`<li>Took ${durationText(ms)}</li>`}
    ${bytes === 0 ? null : html`<li>${sizeText(bytes)}</li>`}
    ${peer.session === undefined ? null : html`<li>Session <code>${shortId(peer.session)}</code></li>`}
    <li>${numbers} in the journal</li>
  </ul>` as VNode;
}

/** Related rows, and the grant. */
function Links({ row, feed }: Pick<OpenedProps, 'row' | 'feed'>): VNode | null {
  const now = useSeconds();
  const [links, setLinks] = useState(() => linksOf(row, feed.rows));
  // What a row leads to comes later, and a search of all rows is not for each frame.
  useEffect(() => setLinks(linksOf(row, feed.rows)), [row.id, Math.floor(now / 1000)]);
  const hasGrant = isAboutGrant(row) && feed.recorded === undefined;
  if (links.length === 0 && !hasGrant) return null;
  const { app } = row.peer;
  return html`<ul class="links" aria-label="What belongs to it">
    ${links.map(
      ({ text, row: other }) =>
        html`<li key=${other.id}><a href=${entryAddress(other.seq)} onClick=${(event: Event) => {
          event.preventDefault();
          openEntry(other.seq);
        }}>${text}</a> <span class="note">${contentText(other) ?? other.name}</span></li>`,
    )}
    ${hasGrant ? html`<li><a href=${pageAddress('requests', '', app === undefined ? {} : { app })}>Grants and decisions of the app</a></li>` : null}
  </ul>` as VNode;
}
