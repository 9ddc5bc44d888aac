import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { own, textOf, userName } from '../../../message-text/shape.ts';
import { colorStyle, useDrawing } from './drawing.ts';

/** Number of colours of the avatars of users without a picture. */
const COLORS = 6;
const QUESTION_MARK = 63;

/** Picture of a user; without one, the first letter of the name on a colour that follows from the id. */
export function Avatar({ user }: { readonly user: object | undefined }): VNode {
  const { names, media } = useDrawing();
  const [broken, setBroken] = useState('');
  const id = textOf(user, 'id');
  const picture = own(names.users, id)?.avatar ?? textOf(user, 'avatar');
  const address =
    picture === ''
      ? undefined
      : media(/^(\/|https?:)/.test(picture) ? picture : `/avatars/${id}/${picture}.png`);
  if (address !== undefined && broken !== address) {
    return html`<img class="avatar" src=${address} alt="" onError=${() => setBroken(address)} />` as VNode;
  }
  const letter = String.fromCodePoint(userName(names, user).trim().codePointAt(0) ?? QUESTION_MARK);
  const color = (Number(id.slice(-6)) || 0) % COLORS;
  return html`<span class=${`avatar letter color-${color}`} aria-hidden="true">${letter.toUpperCase()}</span>` as VNode;
}

/** Name of a user, in the colour of their role. */
export function UserName({ user }: { readonly user: object | undefined }): VNode {
  const { names } = useDrawing();
  const known = own(names.users, textOf(user, 'id'));
  return html`<bdi class="user-name" style=${colorStyle('--tint', known?.color)}>${userName(names, user)}</bdi>` as VNode;
}
