import { html } from 'htm/preact';
import { Component, type ComponentChildren, type VNode } from 'preact';
import { useState } from 'preact/hooks';
import {
  type DrawnMessage,
  hasFlag,
  listOf,
  numberOf,
  objectOf,
  textOf,
  userName,
} from '../../../message-text/shape.ts';
import { isSystemMessage } from '../../../message-text/system.ts';
import { Icon } from '../parts/icon.ts';
import { Attachments } from './attachments.ts';
import { Avatar } from './avatar.ts';
import { Components } from './components.ts';
import { Context } from './context.ts';
import { type Drawing, DrawingContext, useDrawing } from './drawing.ts';
import { Embeds } from './embed.ts';
import { Header } from './header.ts';
import { Poll } from './poll.ts';
import { AddReaction, Reactions } from './reactions.ts';
import { Forwarded } from './snapshot.ts';
import { Stickers } from './sticker.ts';
import { SystemMessage } from './system.ts';
import { Text } from './text.ts';
import { Thread } from './thread.ts';
import { Toolbar } from './toolbar.ts';
import { useTurn } from './turn.ts';

export type { DrawnMessage } from '../../../message-text/shape.ts';
export type { Drawing, MessageActions } from './drawing.ts';

/** Props of {@link Message}: the message, and what it is drawn with. */
export interface MessageProps extends Drawing {
  readonly drawn: DrawnMessage;
  /** Whether it follows a message of the same author, so that it needs no name. */
  readonly isContinued?: boolean | undefined;
}

/**
 * A message as a chat client draws it. It is made of elements, never of HTML, and lies in a box that it cannot leave.
 * Without `actions` nothing of it is a control.
 */
export function Message({ drawn, isContinued = false, ...drawing }: MessageProps): VNode {
  const { message } = drawn;
  const isDrawn = useTurn(() => JSON.stringify(message).length);
  const isSystem = isSystemMessage(message);
  const [isReacting, setReacting] = useState(false);
  if (!isDrawn) return html`<article class="message waiting" aria-busy="true"></article>` as VNode;
  const isAlone = isContinued && numberOf(message, 'type') === 0;
  return html`<${DrawingContext.Provider} value=${drawing}>
    <article class=${`message ${drawn.ephemeral ? 'ephemeral' : ''} ${isAlone || isSystem ? 'continued' : ''}`} data-message=${textOf(message, 'id')} aria-label=${`Message of ${userName(drawing.names, objectOf(message, 'author'))}`}>
      <${Guard} key=${drawn.revision}>
        ${isSystem ? html`<${SystemMessage} message=${message} />` : html`<${Written} drawn=${drawn} isAlone=${isAlone} />`}
        <div class="message-below"><${Reactions} reactions=${listOf(message, 'reactions')} />
          ${isReacting ? html`<${AddReaction} close=${() => setReacting(false)} />` : null}</div>
      <//>
      <${Toolbar} id=${textOf(message, 'id')} isSystem=${isSystem} react=${() => setReacting(!isReacting)} />
    </article><//>` as VNode;
}

function Written({ drawn, isAlone }: { readonly drawn: DrawnMessage; readonly isAlone: boolean }): VNode {
  const { message, ephemeral } = drawn;
  const poll = objectOf(message, 'poll');
  const thread = objectOf(message, 'thread');
  return html`<${Context} message=${message} />
    <div class="message-row">
      ${isAlone ? null : html`<${Avatar} user=${objectOf(message, 'author')} />`}
      <div class="message-body">
        ${isAlone ? null : html`<${Header} message=${message} />`}
        ${hasFlag(message, 'loading') ? html`<${Thinking} message=${message} />` : html`<${Content} message=${message} />`}
        ${textOf(message, 'edited_timestamp') === '' ? null : html`<span class="note edited">(edited)</span>`}
        <${Forwarded} message=${message} draw=${(inside: object) => html`<${Content} message=${inside} />`} />
        ${poll === undefined ? null : html`<${Poll} poll=${poll} />`}
        ${thread === undefined ? null : html`<${Thread} thread=${thread} />`}
        ${ephemeral ? html`<div class="note only-you"><${Icon} name="eye" /> Only you can see this message</div>` : null}
      </div>
    </div>` as VNode;
}

/** What a message says and shows; also of a message that another one forwards. */
function Content({ message }: { readonly message: object }): VNode {
  const text = textOf(message, 'content');
  return html`${text === '' ? null : html`<${Text} large text=${text} />`}
    <${Attachments} message=${message} files=${listOf(message, 'attachments', 10)} />
    <${Embeds} embeds=${listOf(message, 'embeds', 10)} />
    <${Stickers} stickers=${listOf(message, 'sticker_items', 3)} />
    <${Components} components=${listOf(message, 'components', 40)} />` as VNode;
}

function Thinking({ message }: { readonly message: object }): VNode {
  const { names } = useDrawing();
  return html`<div class="thinking" role="status"><span class="thinking-dots" aria-hidden="true"><i></i><i></i><i></i></span>
    <em><bdi>${userName(names, objectOf(message, 'author'))}</bdi> is thinking…</em></div>` as VNode;
}

/** Part whose error does not end the page: a message that cannot be drawn is named so. */
class Guard extends Component<{ readonly children?: ComponentChildren }, { readonly isBroken: boolean }> {
  override state = { isBroken: false };

  static override getDerivedStateFromError(): { readonly isBroken: boolean } {
    return { isBroken: true };
  }

  override render(): ComponentChildren {
    return this.state.isBroken
      ? html`<p class="note broken">This message cannot be drawn.</p>`
      : this.props.children;
  }
}
