import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { emojiText } from '../../../message-text/plain.ts';
import { isTrue, numberOf, objectOf } from '../../../message-text/shape.ts';
import { Problem, useAct, useOffer } from '../parts/controls.ts';
import { useDrawing } from './drawing.ts';
import { Emoji, emojiArgument } from './emoji.ts';

/** Reactions to a message; one that is pressed is the viewer's own. */
export function Reactions({ reactions }: { readonly reactions: readonly object[] }): VNode | null {
  const { actions } = useDrawing();
  const offer = useOffer();
  const { problem, run } = useAct();
  if (reactions.length === 0) return null;
  return html`<div class="reactions">${reactions.slice(0, 20).map((one) => {
    const emoji = objectOf(one, 'emoji') ?? {};
    const isMine = isTrue(one, 'me');
    const count = numberOf(one, 'count') ?? 0;
    const content = html`<${Emoji} emoji=${emoji} /><span class="reaction-count">${count}</span>`;
    const look = `reaction ${isMine ? 'mine' : ''}`;
    return actions === undefined
      ? html`<span key=${emojiArgument(emoji)} class=${look}>${content}</span>`
      : html`<button key=${emojiArgument(emoji)} type="button" class=${look} aria-pressed=${isMine} aria-label=${`${emojiText(emoji)}: ${count}${isMine ? ', with yours' : ''}`}
        onClick=${() => run(() => actions.react(emojiArgument(emoji), isMine))} ...${offer}>${content}</button>`;
  })}<${Problem} text=${problem} /></div>` as VNode;
}

const OFTEN: readonly string[] = ['👍', '❤️', '😂', '🎉', '😢', '👀'];

/** Form that adds a reaction: one of a few signs, or any other by its sign or as `name:id`. */
export function AddReaction({ close }: { readonly close: () => void }): VNode {
  const { actions } = useDrawing();
  const offer = useOffer();
  const { problem, run } = useAct();
  const [text, setText] = useState('');
  const add = (emoji: string): void =>
    run(async () => {
      await actions?.react(emoji, false);
      close();
    });
  const submit = (event: Event): void => {
    event.preventDefault();
    if (text.trim() !== '') add(text.trim());
  };
  return html`<form class="add-reaction" aria-label="Add a reaction" onSubmit=${submit} onKeyDown=${(event: KeyboardEvent) => event.key === 'Escape' && close()}>
    ${OFTEN.map((sign) => html`<button key=${sign} type="button" class="reaction" aria-label=${`React with ${sign}`} onClick=${() => add(sign)} ...${offer}>${sign}</button>`)}
    <input aria-label="Other emoji, or name:id" placeholder="name:id" size="10" value=${text} onInput=${(event: Event) => setText((event.currentTarget as HTMLInputElement).value)} />
    <button type="submit" ...${offer}>React</button><button type="button" onClick=${close}>Close</button><${Problem} text=${problem} /></form>` as VNode;
}
