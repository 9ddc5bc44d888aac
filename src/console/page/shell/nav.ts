import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { Icon } from '../parts/icon.ts';
import { type PageId, type PageInfo, pageAddress } from './pages.ts';

/** Navigation with a number beside each view where something waits. */
export function Nav({
  pages,
  current,
  badges,
}: {
  readonly pages: readonly (PageInfo & { readonly id: PageId })[];
  readonly current: PageId;
  readonly badges: Readonly<Partial<Record<PageId, number>>>;
}): VNode {
  return html`<nav aria-label="Pages">${pages.map(({ id, title, icon }) => {
    const count = badges[id] ?? 0;
    return html`<a key=${id} href=${pageAddress(id)} aria-current=${id === current ? 'page' : undefined}>
      <${Icon} name=${icon} /><span>${title}</span>${count > 0 ? html`${' '}<span class="badge">${count}</span>` : null}</a>`;
  })}</nav>` as VNode;
}
