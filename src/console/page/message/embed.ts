import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { isTrue, listOf, numberOf, objectOf, textOf, webAddress } from '../../../message-text/shape.ts';
import { momentText } from '../../../message-text/time.ts';
import { colorStyle, useDrawing } from './drawing.ts';
import { Picture } from './picture.ts';
import { Link, Text } from './text.ts';

/** Maximum number of pictures of embeds with one address, which a client draws as one embed. */
const MAX_MERGED = 4;

/** Embeds of a message. */
export function Embeds({ embeds }: { readonly embeds: readonly object[] }): VNode {
  return html`${merged(embeds).map(({ embed, pictures }) => html`<${Embed} embed=${embed} pictures=${pictures} />`)}` as VNode;
}

interface Merged {
  readonly embed: object;
  readonly pictures: object[];
}

/** Embeds, where one that follows with the same address only adds its picture. */
function merged(embeds: readonly object[]): readonly Merged[] {
  const all: Merged[] = [];
  for (const embed of embeds.slice(0, 10)) {
    const url = textOf(embed, 'url');
    const image = objectOf(embed, 'image');
    const first =
      url === '' || image === undefined ? undefined : all.find((one) => textOf(one.embed, 'url') === url);
    if (first !== undefined && image !== undefined && first.pictures.length < MAX_MERGED)
      first.pictures.push(image);
    else all.push({ embed, pictures: image === undefined ? [] : [image] });
  }
  return all;
}

function Embed({ embed, pictures }: Merged): VNode {
  const { now, locale } = useDrawing();
  const author = objectOf(embed, 'author');
  const thumbnail = objectOf(embed, 'thumbnail');
  const [title, description] = [textOf(embed, 'title'), textOf(embed, 'description')];
  const provider = textOf(objectOf(embed, 'provider'), 'name');
  const fields = listOf(embed, 'fields', 25);
  return html`<article class="embed" style=${colorStyle('--bar', numberOf(embed, 'color'))}>
    <div class="embed-text">
      ${provider === '' ? null : html`<div class="embed-provider"><bdi>${provider}</bdi></div>`}
      ${textOf(author, 'name') === '' ? null : html`<div class="embed-author"><${Small} url=${textOf(author, 'icon_url')} /><${Linked} url=${textOf(author, 'url')} text=${textOf(author, 'name')} /></div>`}
      ${title === '' ? null : html`<div class="embed-title"><${Title} url=${textOf(embed, 'url')} text=${title} /></div>`}
      ${description === '' ? null : html`<${Text} text=${description} />`}
      ${
        fields.length === 0
          ? null
          : html`<dl class="embed-fields">${fields.map(
              (field) => html`<div class=${isTrue(field, 'inline') ? 'inline-field' : ''}>
        <dt><${Text} inert text=${textOf(field, 'name')} /></dt><dd><${Text} text=${textOf(field, 'value')} /></dd></div>`,
            )}</dl>`
      }
    </div>
    ${textOf(thumbnail, 'url') === '' ? null : html`<div class="embed-thumbnail"><${Picture} url=${textOf(thumbnail, 'url')} description="" /></div>`}
    ${pictures.length === 0 ? null : html`<div class=${`pictures count-${Math.min(4, pictures.length)}`}>${pictures.map((one) => html`<${Picture} url=${textOf(one, 'url')} description=${textOf(one, 'description')} />`)}</div>`}
    <${Footer} footer=${objectOf(embed, 'footer')} moment=${momentText(textOf(embed, 'timestamp'), now, locale)} />
  </article>` as VNode;
}

function Footer({
  footer,
  moment,
}: {
  readonly footer: object | undefined;
  readonly moment: string;
}): VNode | null {
  const text = textOf(footer, 'text');
  if (text === '' && moment === '') return null;
  return html`<div class="embed-footer"><${Small} url=${textOf(footer, 'icon_url')} /><bdi>${text}</bdi>
    ${text === '' || moment === '' ? '' : ' · '}${moment}</div>` as VNode;
}

/** Small round picture beside a name; nothing where the console does not store it. */
function Small({ url }: { readonly url: string }): VNode | null {
  const address = useDrawing().media(url);
  return address === undefined ? null : (html`<img class="small-picture" src=${address} alt="" />` as VNode);
}

function Title({ url, text }: { readonly url: string; readonly text: string }): VNode {
  const address = webAddress(url);
  const content = html`<${Text} inert=${address !== undefined} text=${text} />`;
  return (address === undefined ? content : html`<${Link} url=${address}>${content}<//>`) as VNode;
}

function Linked({ url, text }: { readonly url: string; readonly text: string }): VNode {
  const address = webAddress(url);
  const content = html`<bdi>${text}</bdi>`;
  return (address === undefined ? content : html`<${Link} url=${address}>${content}<//>`) as VNode;
}
