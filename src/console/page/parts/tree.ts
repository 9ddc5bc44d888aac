import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { isHiddenText } from '../../../journal/secret-names.ts';

/** Maximum of levels; deeper values are printed as JSON. */
const MAX_LEVELS = 24;
/** Maximum of listed members per object or list. */
const MAX_MEMBERS = 500;

/** Remark on a place in a JSON value. */
export interface Remark {
  /** Path of keys with dots between, such as `args.activity.state`. */
  readonly path: string;
  readonly text: string;
}

/** JSON value as a tree that opens and closes; its strings are inserted only as text. */
export function Tree({
  value,
  name,
  level = 0,
  isOpen = false,
  path = '',
  remarks = [],
}: {
  readonly value: unknown;
  readonly name?: string;
  readonly level?: number;
  /** Whether it is open at any level, as are the errors of a refusal. */
  readonly isOpen?: boolean;
  readonly path?: string;
  /** Places that are open and marked. */
  readonly remarks?: readonly Remark[];
}): VNode {
  const remark = html`<${Remarked} path=${path} remarks=${remarks} />`;
  const key = name === undefined ? null : html`<span class="key">${name}</span>`;
  if (typeof value !== 'object' || value === null || level > MAX_LEVELS) {
    return html`<div class="leaf">${key} <${Value} value=${value} />${remark}</div>` as VNode;
  }
  const members = Object.entries(value);
  const brackets = Array.isArray(value) ? `[${members.length}]` : `{${members.length}}`;
  if (members.length === 0)
    return html`<div class="leaf">${key} <span class="value">${brackets}</span>${remark}</div>` as VNode;
  return html`<details class="branch" open=${isOpen || level < 3 || remarks.some((one) => one.path.startsWith(`${path}.`))}>
    <summary>${key} <span class="count">${brackets}</span>${remark}</summary>
    ${members.slice(0, MAX_MEMBERS).map(
      ([member, inner]) =>
        html`<${Tree} key=${member} name=${member} value=${inner} level=${level + 1} isOpen=${isOpen || name === 'errors'}
              path=${path === '' ? member : `${path}.${member}`} remarks=${remarks} />`,
    )}
    ${members.length > MAX_MEMBERS ? html`<div class="leaf">… ${members.length - MAX_MEMBERS} more</div>` : null}
  </details>` as VNode;
}

/** Remark on the value at a path. */
export function Remarked({
  path,
  remarks,
}: {
  readonly path: string;
  readonly remarks: readonly Remark[];
}): VNode | null {
  const text = remarks.find((one) => one.path === path)?.text;
  return text === undefined ? null : (html` <span class="remark">${text}</span>` as VNode);
}

/** A value alone; a value that the journal hides does not look like a text. */
export function Value({ value }: { readonly value: unknown }): VNode {
  if (isHiddenText(value))
    return html`<span class="value hidden" title="Hidden by the journal">‹${value.replace(/[[\]]/g, '')}›</span>` as VNode;
  return html`<span class=${`value ${value === null ? 'null' : typeof value}`}>${JSON.stringify(value)}</span>` as VNode;
}
