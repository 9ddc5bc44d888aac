import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { isJumbo } from '../../../message-text/jumbo.ts';
import { parseText } from '../../../message-text/markdown.ts';
import type { TextNode } from '../../../message-text/nodes.ts';
import { referenceText } from '../../../message-text/plain.ts';
import { own } from '../../../message-text/shape.ts';
import { timeText } from '../../../message-text/time.ts';
import { colorStyle, type Drawing, useDrawing } from './drawing.ts';
import { CustomEmoji } from './emoji.ts';
import { Spoiler } from './spoiler.ts';

/** Text with the platform's markup. It is made of nodes, never of HTML. */
export function Text({
  text,
  large = false,
  inert = false,
}: {
  readonly text: string;
  /** Whether a text of emoji alone is drawn large. */
  readonly large?: boolean;
  /** Whether nothing in it is a control. */
  readonly inert?: boolean;
}): VNode {
  const drawing = useDrawing();
  const nodes = useMemo(() => parseText(text), [text]);
  const isLarge = large && isJumbo(nodes);
  return html`<div class=${`markup ${isLarge ? 'jumbo' : ''}`}>${nodes.map((node) => drawNode(node, drawing, inert))}</div>` as VNode;
}

/** Nodes in a line of other text. */
export function Inline({ nodes }: { readonly nodes: readonly TextNode[] }): VNode {
  const drawing = useDrawing();
  return html`<span class="inline">${nodes.map((node) => drawNode(node, drawing, true))}</span>` as VNode;
}

function drawNode(node: TextNode, drawing: Drawing, inert: boolean): ComponentChildren {
  const inside = (nodes: readonly TextNode[], isInert = inert): ComponentChildren =>
    nodes.map((one) => drawNode(one, drawing, isInert));
  switch (node.type) {
    case 'text':
      return node.text;
    case 'strong':
      return html`<strong>${inside(node.content)}</strong>`;
    case 'em':
      return html`<em>${inside(node.content)}</em>`;
    case 'underline':
      return html`<u>${inside(node.content)}</u>`;
    case 'strike':
      return html`<s>${inside(node.content)}</s>`;
    case 'spoiler':
      return html`<${Spoiler} inert=${inert} hidden=${inside(node.content, true)} content=${inside(node.content)} />`;
    case 'quote':
      return html`<blockquote>${inside(node.content)}</blockquote>`;
    case 'subtext':
      return html`<div class="subtext">${inside(node.content)}</div>`;
    case 'heading':
      // It is no heading of the page, whose outline a message must not change.
      return html`<div class=${`heading size-${node.level}`}>${inside(node.content)}</div>`;
    case 'list':
      return node.start === undefined
        ? html`<ul>${node.items.map((item) => html`<li>${inside(item)}</li>`)}</ul>`
        : html`<ol start=${node.start}>${node.items.map((item) => html`<li>${inside(item)}</li>`)}</ol>`;
    case 'code':
      return html`<code dir="auto">${node.text}</code>`;
    case 'code-block':
      return html`<pre dir="auto"><code>${node.text}</code></pre>`;
    case 'link':
      return inert
        ? html`<span class="text-link">${inside(node.content)}</span>`
        : html`<${Link} url=${node.url}>${inside(node.content)}<//>`;
    case 'time':
      return drawTime(node, drawing);
    case 'emoji':
      return html`<${CustomEmoji} id=${node.id} name=${node.name} />`;
    default:
      return html`<span class="mention" style=${colorStyle('--tint', colorOf(node, drawing))}><bdi>${referenceText(node, drawing.names)}</bdi></span>`;
  }
}

/** Link to the Web; the page that it opens learns nothing of this one. */
export function Link({
  url,
  children,
}: {
  readonly url: string;
  readonly children?: ComponentChildren;
}): VNode {
  return html`<a href=${url} target="_blank" rel="noreferrer noopener" title=${url}>${children}</a>` as VNode;
}

function drawTime(
  { at, style }: Extract<TextNode, { type: 'time' }>,
  { now, locale }: Drawing,
): ComponentChildren {
  return html`<time class="moment" dateTime=${new Date(at * 1000).toISOString()} title=${timeText(at, 'F', now, locale)}>${timeText(at, style, now, locale)}</time>`;
}

function colorOf(
  node: { readonly type: string; readonly id?: string },
  { names }: Drawing,
): number | null | undefined {
  return node.type === 'role' ? own(names.roles, node.id ?? '')?.color : undefined;
}
