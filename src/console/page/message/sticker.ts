import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { numberOf, textOf } from '../../../message-text/shape.ts';
import { Picture } from './picture.ts';

/** Format of stickers that are animated drawings (Lottie), which are no pictures. */
const LOTTIE = 3;

/** Stickers of a message; one without a picture is a box with its name. */
export function Stickers({ stickers }: { readonly stickers: readonly object[] }): VNode {
  return html`${stickers.slice(0, 3).map((sticker) => {
    const name = textOf(sticker, 'name') || 'sticker';
    const isPicture = numberOf(sticker, 'format_type') !== LOTTIE;
    return html`<span key=${textOf(sticker, 'id')} class="sticker">${isPicture ? html`<${Picture} url=${`/stickers/${textOf(sticker, 'id')}.png`} description=${name} />` : html`<span class="no-picture"><bdi>${name}</bdi></span>`}</span>`;
  })}` as VNode;
}
