import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { listOf, objectOf } from '../../../message-text/shape.ts';
import { Icon } from '../parts/icon.ts';
import { Sent } from './header.ts';

/** Messages that a message forwards. */
export function Forwarded({
  message,
  draw,
}: {
  readonly message: object;
  readonly draw: (inside: object) => ComponentChildren;
}): VNode | null {
  const inside = listOf(message, 'message_snapshots', 1).flatMap((one) => objectOf(one, 'message') ?? []);
  if (inside.length === 0) return null;
  return html`<div class="forwarded"><div class="message-context"><${Icon} name="forward" /><em>Forwarded</em></div>
    ${inside.map((one) => html`${draw(one)}<${Sent} message=${one} />`)}</div>` as VNode;
}
