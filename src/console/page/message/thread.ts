import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { amount } from '../../../base/text.ts';
import { isTrue, numberOf, objectOf, textOf } from '../../../message-text/shape.ts';
import { Icon } from '../parts/icon.ts';
import { useDrawing } from './drawing.ts';

/** Thread that began at a message. */
export function Thread({ thread }: { readonly thread: object }): VNode {
  const { actions } = useDrawing();
  const open = actions?.open;
  const count = numberOf(thread, 'message_count') ?? 0;
  const isArchived = isTrue(objectOf(thread, 'thread_metadata'), 'archived');
  const content = html`<${Icon} name="thread" /><strong><bdi>${textOf(thread, 'name')}</bdi></strong>
    <span class="note">${amount(count, 'message')}${isArchived ? ', archived' : ''}</span>`;
  return (
    open === undefined
      ? html`<div class="message-thread">${content}</div>`
      : html`<button type="button" class="message-thread" onClick=${() => open(textOf(thread, 'id'))}>${content}</button>`
  ) as VNode;
}
