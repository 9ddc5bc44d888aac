import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useDrawing } from './drawing.ts';

/** Part that is covered until the viewer opens it, with the pointer or with a key. */
export function Spoiler({
  inert,
  hidden,
  content,
  block = false,
}: {
  /** Whether it cannot be opened, because it lies in another control. */
  readonly inert: boolean;
  /** The part without controls, which stays in its place while it is covered. */
  readonly hidden: ComponentChildren;
  readonly content: ComponentChildren;
  readonly block?: boolean;
}): VNode {
  const { actions } = useDrawing();
  const [isOpen, setOpen] = useState(false);
  const opened = useRef<HTMLSpanElement | null>(null);
  useLayoutEffect(() => {
    if (isOpen) opened.current?.focus({ preventScroll: true });
  }, [isOpen]);
  const size = block ? 'block' : '';
  const cover = html`<span class="covered" aria-hidden="true">${hidden}</span>`;
  if (inert || actions === undefined)
    return html`<span class=${`spoiler ${size}`} role="img" aria-label="Spoiler">${cover}</span>` as VNode;
  if (isOpen)
    return html`<span class=${`spoiler open ${size}`} tabindex="-1" ref=${opened}>${content}</span>` as VNode;
  return html`<button type="button" class=${`spoiler ${size}`} aria-label="Show the spoiler" onClick=${() => setOpen(true)}>${cover}</button>` as VNode;
}
