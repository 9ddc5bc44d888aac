import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { beginning } from '../../../message-text/context.ts';
import { numberOf, objectOf, textOf } from '../../../message-text/shape.ts';
import { Icon } from '../parts/icon.ts';
import { Avatar, UserName } from './avatar.ts';
import { useDrawing } from './drawing.ts';

const REPLY = 19;

/** What led to a message, above it: the message that it replies to, and the command that it answers. */
export function Context({ message }: { readonly message: object }): VNode {
  const isReply = numberOf(message, 'type') === REPLY;
  return html`<${Command} message=${message} />${isReply ? html`<${Reply} to=${objectOf(message, 'referenced_message')} />` : null}` as VNode;
}

function Command({ message }: { readonly message: object }): VNode | null {
  const origin = objectOf(message, 'interaction_metadata') ?? objectOf(message, 'interaction');
  const name = textOf(origin, 'name');
  if (name === '') return null;
  const isSlash = textOf(origin, 'target_message_id') === '' && objectOf(origin, 'target_user') === undefined;
  const user = objectOf(origin, 'user');
  return html`<div class="message-context"><${Icon} name="replied" /><${Avatar} user=${user} /><${UserName} user=${user} /><span>used</span>
    <bdi class="mention">${isSlash ? '/' : ''}${name}</bdi></div>` as VNode;
}

function Reply({ to }: { readonly to: object | undefined }): VNode {
  if (to === undefined)
    return html`<div class="message-context"><${Icon} name="replied" /><em>The original message was deleted</em></div>` as VNode;
  return html`<div class="message-context"><${Icon} name="replied" /><${Excerpt} message=${to} /></div>` as VNode;
}

/** Author and beginning of a message in one line. */
export function Excerpt({ message }: { readonly message: object }): VNode {
  const drawing = useDrawing();
  const author = objectOf(message, 'author');
  return html`<${Avatar} user=${author} /><${UserName} user=${author} /><bdi class="excerpt">${beginning(message, drawing)}</bdi>` as VNode;
}
