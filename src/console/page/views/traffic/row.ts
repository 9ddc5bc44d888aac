import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { timeOfDay } from '../../../../journal/describe.ts';
import { type Exchange, isByHand } from '../../../../journal/exchange.ts';
import { type AppNames, colourOf } from '../../data/app-names.ts';
import { Icon } from '../../parts/icon.ts';
import { codeName } from './code-names.ts';
import { detailOf, durationText, kindText, resultText, sizeText } from './row-text.ts';

/** Height of a row in the style sheet (px). */
export const ROW_HEIGHT = 28;

/** Names of the columns; each is a class of the style sheet, too. */
const COLUMNS = [
  ['number', '#'],
  ['time', 'Time'],
  ['app', 'App'],
  ['kind', 'Kind'],
  ['name', 'Name'],
  ['detail', ''],
  ['result', 'Result'],
  ['ms', 'Took'],
  ['size', 'Size'],
] as const;

/** Names of the columns, for who sees them: a screen reader reads rows as sentences. */
export function RowHead(): VNode {
  return html`<div class="row head" aria-hidden="true">${COLUMNS.map(([name, title]) => html`<span key=${name} class=${name}>${title}</span>`)}</div>` as VNode;
}

export interface RowProps {
  readonly row: Exchange;
  readonly names: AppNames;
  /** Distance from the start of the list (px); undefined where rows follow one another by themselves. */
  readonly top: number | undefined;
  /** Prefix of the element's id. */
  readonly list: string;
  readonly isOpened: boolean;
  readonly isPinned: boolean;
  readonly open: (row: Exchange) => void;
  readonly pin: (row: Exchange) => void;
}

/** One row of the list. */
export function Row({ row, names, top, list, isOpened, isPinned, open, pin }: RowProps): VNode {
  const colour = colourOf(row.peer);
  const pinned = (event: Event): void => {
    event.stopPropagation();
    pin(row);
  };
  const { text: detail, isContent } = detailOf(row);
  return html`<div class=${`row ${row.state}${isPinned ? ' pinned' : ''}${isContent ? ' content' : ''}`} id=${`${list}-${row.id}`} role="option" aria-selected=${isOpened}
    style=${top === undefined ? {} : { top: `${top}px` }} onClick=${() => open(row)}>
    <span class="number" title=${isPinned ? 'Unpin (p)' : 'Pin (p)'} onClick=${pinned}>${isPinned ? html`<${Icon} name="pin" />` : null}${row.seq}</span>
    <span class="time">${timeOfDay(row.at)}</span>
    <span class=${`app${colour === undefined ? '' : ` colour-${colour}`}`}>${names.text(row.peer)}</span>
    <span class="kind">${kindText(row)}</span>
    <span class="name" data-why=${row.state === 'failed' ? detail.replace(`${row.name} `, '') : undefined}>${isByHand(row) ? html`<span class="by-hand"><${Icon} name="send" /><span> by hand</span></span> ` : null}${row.name}</span>
    <span class="detail">${detail}</span>
    <span class="result" title=${codeName(row)}>${resultText(row)}</span>
    <span class="ms">${durationText(row.ms)}</span>
    <span class="size">${sizeText(row.bytes)}</span>
  </div>` as VNode;
}
