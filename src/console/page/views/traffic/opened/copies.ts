import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { callCommand, curlCommand, lackOf } from '../../../../../journal/as-command.ts';
import { wholeOf } from '../../../../../journal/describe.ts';
import { type Exchange, entriesOf, firstOf } from '../../../../../journal/exchange.ts';
import { neverResent } from '../../../../../journal/never-resent.ts';
import { CopyButton } from '../../../parts/copy.ts';

/** Buttons that copy a row: as JSON, and as a command line that sends the request again. */
export function Copies({ row, api }: { readonly row: Exchange; readonly api: string | undefined }): VNode {
  const first = firstOf(row);
  const line = callCommand(first, row.peer.app, row.answer);
  const curl = neverResent(first, row.name) === undefined ? curlCommand(first, api) : undefined;
  const lack = line === undefined && curl === undefined ? undefined : lackOf(first);
  return html`<${CopyButton} text=${() => jsonOf(row)} what="the whole row">Copy as JSON<//>
    ${line === undefined ? null : html`<${CopyButton} text=${line} what="the request">Copy as footbridge call<//>`}
    ${curl === undefined ? null : html`<${CopyButton} text=${curl} what="the request">Copy as curl<//>`}
    ${lack === undefined ? null : html`<span class="note">${lack}</span>`}` as VNode;
}

function jsonOf(row: Exchange): string {
  const entries = entriesOf(row).map(wholeOf);
  return JSON.stringify(entries.length === 1 ? entries[0] : entries, null, 2);
}
