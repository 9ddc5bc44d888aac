import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { votesText } from '../../../message-text/poll.ts';
import { numberOf, objectOf, own } from '../../../message-text/shape.ts';
import { automodAlertOf, pollResultOf, systemText } from '../../../message-text/system.ts';
import { Icon } from '../parts/icon.ts';
import { Excerpt } from './context.ts';
import { useDrawing } from './drawing.ts';
import { Sent } from './header.ts';
import { Inline, Text } from './text.ts';

const THREAD_STARTER = 21;

/** System message: its sentence, and what it is about. */
export function SystemMessage({ message }: { readonly message: object }): VNode {
  const { names } = useDrawing();
  const starter =
    numberOf(message, 'type') === THREAD_STARTER ? objectOf(message, 'referenced_message') : undefined;
  return html`<div class="system-message"><${Icon} name="event" /><div class="system-text">
      <div><${Inline} nodes=${systemText(message, names)} /> <${Sent} message=${message} /></div>
      <${Alert} message=${message} /><${Result} message=${message} />
      ${starter === undefined ? null : html`<div class="message-context"><${Excerpt} message=${starter} /></div>`}
    </div></div>` as VNode;
}

function Alert({ message }: { readonly message: object }): VNode | null {
  const { names } = useDrawing();
  const alert = automodAlertOf(message);
  if (alert === undefined) return null;
  const channel = own(names.channels, alert.channel)?.name;
  return html`<div class="embed"><div class="embed-text"><${Text} text=${alert.content} />
    <div class="note">Rule <bdi>${alert.rule}</bdi>${alert.keyword === '' ? null : html` · keyword <bdi>${alert.keyword}</bdi>`}${channel === undefined ? null : html` · <bdi>#${channel}</bdi>`}</div></div></div>` as VNode;
}

function Result({ message }: { readonly message: object }): VNode | null {
  const result = pollResultOf(message);
  if (result === undefined) return null;
  const percent = result.total === 0 ? 0 : Math.round((result.votes / result.total) * 100);
  return html`<div class="embed"><div class="embed-text"><strong><bdi>${result.question}</bdi></strong>
    <div>${result.winner === undefined ? 'There was no winner.' : html`<bdi>${result.winner}</bdi> won with ${percent}%`} <span class="note">${votesText(result.total)}</span></div></div></div>` as VNode;
}
