import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Exchange } from '../../../../journal/exchange.ts';
import type { AppNames } from '../../data/app-names.ts';
import { Row } from './row.ts';

/** Pinned rows; they stay when the list is cleared, and when older rows are removed. */
export function Pins({
  pins,
  names,
  opened,
  open,
  pin,
}: {
  readonly pins: ReadonlySet<Exchange>;
  readonly names: AppNames;
  readonly opened: Exchange | undefined;
  readonly open: (row: Exchange) => void;
  readonly pin: (row: Exchange) => void;
}): VNode | null {
  if (pins.size === 0) return null;
  const rows = [...pins].sort((a, b) => a.id - b.id);
  return html`<div class="list pins" role="listbox" aria-label="Pinned" tabindex="0">
    ${rows.map(
      (
        row,
      ) => html`<${Row} key=${row.id} row=${row} names=${names} top=${undefined} list="pin" isOpened=${opened?.id === row.id}
        isPinned=${true} open=${open} pin=${pin} />`,
    )}
  </div>` as VNode;
}
