import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { Feed } from '../data/feed.ts';
import { spanText } from '../parts/time.ts';
import { useSeconds } from './seconds.ts';

/** State of the bridge in the header. */
export function LinkState({ feed: { link, status } }: { readonly feed: Feed }): VNode {
  const text = { connecting: 'connecting…', up: `up, core ${status?.core.name ?? ''}`, down: 'away' }[
    link.kind
  ];
  return html`<span class=${`link ${link.kind}`} role="status">Bridge ${text}</span>
    ${link.kind === 'down' ? html`<${Away} since=${link.since} why=${link.why} />` : null}
    ${(status?.unstored ?? []).map((one) => html`<span key=${one} class="problem" role="alert">Not stored, ends with the bridge: ${one}</span>`)}` as VNode;
}

/** How long the bridge has been away, and why. */
function Away({ since, why }: { readonly since: number; readonly why: string }): VNode {
  const now = useSeconds();
  return html`<span class="problem away-why" id="why-not" title=${why}>${why}</span>
    <span class="note away-time">for ${spanText(now - since)}; the page goes on by itself</span>` as VNode;
}
