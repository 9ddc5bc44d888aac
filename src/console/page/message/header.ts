import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { hasFlag, isTrue, objectOf, textOf } from '../../../message-text/shape.ts';
import { timeText } from '../../../message-text/time.ts';
import { Icon } from '../parts/icon.ts';
import { UserName } from './avatar.ts';
import { useDrawing } from './drawing.ts';

/** Who wrote a message, as what, and when. */
export function Header({ message }: { readonly message: object }): VNode {
  const author = objectOf(message, 'author');
  return html`<div class="message-head"><${UserName} user=${author} />
    ${isTrue(author, 'bot') ? html`<span class="author-tag">${isWebhook(message) ? 'Webhook' : 'App'}</span>` : null}
    ${hasFlag(message, 'crosspost') ? html`<span class="author-tag">Followed</span>` : null}
    <${Sent} message=${message} />
    ${isTrue(message, 'pinned') ? html`<span class="note" title="Pinned"><${Icon} name="pin" /><span class="unseen">pinned</span></span>` : null}
    ${hasFlag(message, 'silent') ? html`<span class="note">silent</span>` : null}
    ${isTrue(message, 'tts') ? html`<span class="note">spoken</span>` : null}
  </div>` as VNode;
}

/** Whether a webhook of its own wrote a message, and not an application that answers an interaction. */
function isWebhook(message: object): boolean {
  return textOf(message, 'webhook_id') !== '' && textOf(message, 'application_id') === '';
}

/** Time of a message. */
export function Sent({ message }: { readonly message: object }): VNode | null {
  const { now, locale } = useDrawing();
  const at = Date.parse(textOf(message, 'timestamp'));
  if (Number.isNaN(at)) return null;
  return html`<time class="note" dateTime=${new Date(at).toISOString()} title=${timeText(at / 1000, 'F', now, locale)}>${timeText(at / 1000, 's', now, locale)}</time>` as VNode;
}
