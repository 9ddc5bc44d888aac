import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { printExact } from '../../../../../base/exact-json.ts';
import { amount } from '../../../../../base/text.ts';
import { CopyButton } from '../../../parts/copy.ts';
import { Remarked, Tree, Value } from '../../../parts/tree.ts';
import { leavesOf, MAX_LEAVES } from '../leaves.ts';
import { sizeText } from '../row-text.ts';
import type { Side } from './sides.ts';

/** Forms of a content. */
export const FORMS = ['tree', 'table', 'raw'] as const;
export type Form = (typeof FORMS)[number];

/** Maximum length of a text on the page (characters); the copy has all of it. */
const MAX_RAW = 200_000;

/** One side of a row, in one of the forms. */
export function SideView({ side, form }: { readonly side: Side; readonly form: Form }): VNode {
  const { title, line, headers, value, text, bytes } = side;
  const names = headers === undefined ? [] : Object.entries(headers);
  return html`<section class="side" aria-label=${title}>
    <header><h3>${title}</h3>${bytes === undefined ? null : html`<span class="note">${sizeText(bytes)}</span>`}
      ${text === '' ? null : html`<${CopyButton} text=${() => indented(side)} what=${title} />`}</header>
    ${line === '' ? null : html`<p class="line-of">${line}</p>`}
    ${
      names.length === 0
        ? null
        : html`<details class="headers"><summary>${amount(names.length, 'header')}</summary>
      <dl>${names.map(([name, header]) => html`<dt key=${name}>${name}</dt><dd>${header}</dd>`)}</dl></details>`
    }
    ${value === undefined ? null : html`<div class="body" tabindex="0" role="group" aria-label=${`Content: ${title}`}><${Content} side=${side} form=${form} /></div>`}
  </section>` as VNode;
}

function Content({ side, form }: { readonly side: Side; readonly form: Form }): VNode {
  const { value, remarks = [] } = side;
  if (form === 'raw' || typeof value === 'string') {
    const raw = indented(side);
    return html`<pre class="raw">${raw.slice(0, MAX_RAW)}${raw.length > MAX_RAW ? `\n… ${raw.length - MAX_RAW} more characters; Copy has all` : ''}</pre>` as VNode;
  }
  if (form === 'tree') return html`<${Tree} value=${value} remarks=${remarks} />` as VNode;
  const leaves = leavesOf(value);
  return html`<table class="leaves"><thead><tr><th scope="col">Path</th><th scope="col">Value</th></tr></thead>
    <tbody>${leaves.map((leaf) => html`<tr key=${leaf.path}><th scope="row">${leaf.path === '' ? '(all)' : leaf.path}</th><td><${Value} value=${leaf.value} /><${Remarked} path=${leaf.path} remarks=${remarks} /></td></tr>`)}</tbody>
    ${leaves.length < MAX_LEAVES ? null : html`<tfoot><tr><td colspan="2">Only the first ${MAX_LEAVES} values are listed.</td></tr></tfoot>`}
  </table>` as VNode;
}

/** The content of a side, indented where it is JSON. */
function indented({ value, text }: Side): string {
  if (typeof value === 'string' || value === undefined) return text;
  try {
    return printExact(value, 2);
  } catch {
    // A recorded file may be deeper than the browser prints.
    return text;
  }
}
