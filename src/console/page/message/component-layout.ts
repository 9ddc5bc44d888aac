import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { isTrue, listOf, numberOf, objectOf, textOf } from '../../../message-text/shape.ts';
import { FileCard } from './attachments.ts';
import type { ComponentProps } from './component-props.ts';
import { colorStyle } from './drawing.ts';
import { Picture } from './picture.ts';
import { Spoiler } from './spoiler.ts';
import { Text } from './text.ts';

/** Buttons beside each other, or one select. */
export function Row({ component, draw }: ComponentProps): VNode {
  return html`<div class="component-row">${draw(listOf(component, 'components'))}</div>` as VNode;
}

/** Texts with a picture or a button beside them. */
export function Section({ component, draw }: ComponentProps): VNode {
  const accessory = objectOf(component, 'accessory');
  return html`<div class="component-section"><div class="component-section-text">${draw(listOf(component, 'components'))}</div>
    ${accessory === undefined ? null : html`<div class="accessory">${draw([accessory])}</div>`}</div>` as VNode;
}

export function TextDisplay({ component }: ComponentProps): VNode {
  return html`<${Text} text=${textOf(component, 'content')} />` as VNode;
}

export function Thumbnail({ component }: ComponentProps): VNode {
  return html`<div class="thumbnail"><${MediaItem} item=${component} /></div>` as VNode;
}

export function Gallery({ component }: ComponentProps): VNode {
  const items = listOf(component, 'items', 10);
  return html`<div class=${`pictures count-${Math.min(4, items.length)}`}>${items.map((item) => html`<${MediaItem} item=${item} />`)}</div>` as VNode;
}

function MediaItem({ item }: { readonly item: object }): VNode {
  return html`<${Picture} url=${textOf(objectOf(item, 'media'), 'url')} description=${textOf(item, 'description')} isSpoiler=${isTrue(item, 'spoiler')} />` as VNode;
}

export function FileComponent({ component }: ComponentProps): VNode {
  const url = textOf(objectOf(component, 'file'), 'url');
  return html`<${FileCard} url=${url} name=${textOf(component, 'name') || 'file'} size=${numberOf(component, 'size')} isSpoiler=${isTrue(component, 'spoiler')} />` as VNode;
}

/** Space of one of two sizes, with or without a line. */
export function Separator({ component }: ComponentProps): VNode {
  const size = numberOf(component, 'spacing') === 2 ? 'spacing-2' : '';
  return html`<div class=${`component-separator ${size} ${isTrue(component, 'divider') ? 'divider' : ''}`}></div>` as VNode;
}

/** Frame with a coloured edge, which may be a spoiler as a whole. */
export function Container({ component, draw }: ComponentProps): VNode {
  const inside = draw(listOf(component, 'components'));
  const content = html`<div class="component-container" style=${colorStyle('--bar', numberOf(component, 'accent_color'))}>${inside}</div>`;
  const cover = html`<span class="component-container cover">Spoiler</span>`;
  return (
    isTrue(component, 'spoiler')
      ? html`<${Spoiler} block inert=${false} hidden=${cover} content=${content} />`
      : content
  ) as VNode;
}
