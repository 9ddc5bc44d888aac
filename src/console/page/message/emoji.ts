import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { textOf } from '../../../message-text/shape.ts';
import { useDrawing } from './drawing.ts';

/** Custom emoji: its picture, or its name where there is none. */
export function CustomEmoji({ id, name }: { readonly id: string; readonly name: string }): VNode {
  const { media } = useDrawing();
  const [isBroken, setBroken] = useState(false);
  const address = isBroken ? undefined : media(`/emojis/${id}.png`);
  return (
    address === undefined
      ? html`<span class="emoji-name">:${name}:</span>`
      : html`<img class="emoji" src=${address} alt=${`:${name}:`} title=${`:${name}:`} onError=${() => setBroken(true)} />`
  ) as VNode;
}

/** Emoji object of a reaction, a button, an option or a poll. */
export function Emoji({ emoji }: { readonly emoji: object | undefined }): VNode | null {
  if (emoji === undefined) return null;
  const [id, name] = [textOf(emoji, 'id'), textOf(emoji, 'name')];
  if (/^\d{1,20}$/.test(id)) return html`<${CustomEmoji} id=${id} name=${name || 'removed'} />` as VNode;
  // A text of any length and direction may stand in this field.
  return html`<bdi class="sign">${name.slice(0, 40)}</bdi>` as VNode;
}

/** An emoji object as operations name it: the sign, or `name:id`. */
export function emojiArgument(emoji: object): string {
  const [id, name] = [textOf(emoji, 'id'), textOf(emoji, 'name')];
  return id === '' ? name : `${name}:${id}`;
}
