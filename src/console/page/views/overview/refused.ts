import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { applicationText } from '../../../../journal/describe.ts';
import type { CountedRefusal } from '../../../../journal/entry.ts';
import { Command } from '../../parts/copy.ts';
import { Ago } from '../../parts/time.ts';
import { useSeconds } from '../../shell/seconds.ts';

/** List of web pages that the bridge refused, with the command that allows each page. */
export function Refused({ refused }: { readonly refused: readonly CountedRefusal[] }): VNode | null {
  const now = useSeconds();
  if (refused.length === 0) return null;
  return html`<h2>Refused web pages</h2>
  <ul class="rows card refused" aria-label="Refused web pages">${refused.map(
    (one) => html`<li key=${[one.over, one.why, one.clientId, one.origin].join(' ')}>
      <span><strong>${one.origin ?? 'no origin'}</strong> <span class="note">for ${applicationText(one)}, over ${one.over}, because of its ${one.why},
        ${' '}${one.count === 1 ? 'once' : `${one.count} times`}, <${Ago} at=${one.at} now=${now} /></span></span>
      <${Remedy} text=${one.remedy} />
    </li>`,
  )}</ul>` as VNode;
}

/** The command that allows the page, or why none does. */
function Remedy({ text }: { readonly text: string }): VNode {
  const [, command, note] = /^(footbridge [^(]*\S)(?: \((.*)\))?$/.exec(text) ?? [];
  if (command === undefined) return html`<span>To do: ${text}</span>` as VNode;
  return html`<span><${Command} text=${command} what="the command that allows it" />
    ${note === undefined ? null : html`<span class="note">${note}</span>`}</span>` as VNode;
}
