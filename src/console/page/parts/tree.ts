import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { isHiddenText } from '../../../journal/secret-names.ts';

/** Maximum of levels; deeper values are printed as JSON. */
const MAX_LEVELS = 24;
/** Maximum of listed members per object or list. */
const MAX_MEMBERS = 500;

/** JSON value as a tree that opens and closes; its strings are inserted only as text. */
export function Tree({
  value,
  name,
  level = 0,
  isOpen = false,
}: {
  readonly value: unknown;
  readonly name?: string;
  readonly level?: number;
  /** Whether it is open at any level, as are the errors of a refusal. */
  readonly isOpen?: boolean;
}): VNode {
  const key = name === undefined ? null : html`<span class="key">${name}</span>`;
  if (typeof value !== 'object' || value === null || level > MAX_LEVELS) {
    return html`<div class="leaf">${key} <${Value} value=${value} /></div>` as VNode;
  }
  const members = Object.entries(value);
  const brackets = Array.isArray(value) ? `[${members.length}]` : `{${members.length}}`;
  if (members.length === 0)
    return html`<div class="leaf">${key} <span class="value">${brackets}</span></div>` as VNode;
  return html`<details class="branch" open=${isOpen || level < 3}>
    <summary>${key} <span class="count">${brackets}</span></summary>
    ${members
      .slice(0, MAX_MEMBERS)
      .map(
        ([member, inner]) =>
          html`<${Tree} key=${member} name=${member} value=${inner} level=${level + 1} isOpen=${isOpen || name === 'errors'} />`,
      )}
    ${members.length > MAX_MEMBERS ? html`<div class="leaf">… ${members.length - MAX_MEMBERS} more</div>` : null}
  </details>` as VNode;
}

/** A value alone; what the journal hides does not look like a text. */
export function Value({ value }: { readonly value: unknown }): VNode {
  if (isHiddenText(value))
    return html`<span class="value hidden" title="Hidden by the journal">‹${value.replace(/[[\]]/g, '')}›</span>` as VNode;
  return html`<span class=${`value ${value === null ? 'null' : typeof value}`}>${JSON.stringify(value)}</span>` as VNode;
}
