import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from '../parts/icon.ts';
import { useDrawing } from './drawing.ts';
import { Spoiler } from './spoiler.ts';

/** Picture of a message. One that the console does not store is a box with its description. */
export function Picture({
  url,
  description,
  isSpoiler = false,
}: {
  readonly url: string;
  readonly description: string;
  readonly isSpoiler?: boolean;
}): VNode {
  const picture = html`<${Plain} url=${url} description=${description} />` as VNode;
  return isSpoiler
    ? (html`<${Spoiler} block inert=${false} hidden=${picture} content=${picture} />` as VNode)
    : picture;
}

function Plain({ url, description }: { readonly url: string; readonly description: string }): VNode {
  const { media } = useDrawing();
  const [broken, setBroken] = useState('');
  const address = media(url);
  const label = description || nameOf(url);
  if (address === undefined || broken === address) {
    return html`<span class="no-picture" title=${url.slice(0, 300)}><${Icon} name="picture" /> <bdi>${label}</bdi></span>` as VNode;
  }
  return html`<img class="shown-picture" src=${address} alt=${label} title=${description} onError=${() => setBroken(address)} />` as VNode;
}

/** File name at the end of an address. */
function nameOf(url: string): string {
  const path = url.replace(/[?#].*$/s, '');
  return path.slice(path.lastIndexOf('/') + 1).slice(0, 100) || 'picture';
}
