import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { Icon, type IconName } from './icon.ts';

/** Placeholder for an empty list: one line, or with `icon` and `title` a place that says what to do next. */
export function Empty({
  icon,
  title,
  children,
}: {
  readonly icon?: IconName;
  readonly title?: string;
  readonly children?: ComponentChildren;
}): VNode {
  if (icon === undefined) return html`<p class="empty">${children}</p>` as VNode;
  return html`<div class="empty large"><${Icon} name=${icon} /><p><strong>${title}</strong></p>${children}</div>` as VNode;
}

/** Placeholder until the first answer. */
export function Loading(): VNode {
  return html`<p class="loading" role="status">Looking…</p>` as VNode;
}
