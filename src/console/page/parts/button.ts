import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Time after which a question is taken back (ms). */
const QUESTION_MS = 10_000;
const CONFIRMING = 'Use it again to confirm, or press Escape.';

/**
 * Button that runs `use`, or submits its form. With `confirm` it asks that question first and runs at its second use,
 * at the same place. A double click and a held key are one use; Escape and leaving the button take the question back.
 */
export function Button({
  type,
  kind = 'plain',
  label,
  confirm,
  use,
  state,
  children,
}: {
  readonly type: 'button' | 'submit';
  readonly kind?: 'plain' | 'good' | 'bad';
  /** Label for screen readers. */
  readonly label?: string;
  readonly confirm?: string;
  readonly use?: () => void;
  /** Further attributes, such as `disabled`. */
  readonly state: Readonly<Record<string, unknown>>;
  readonly children?: ComponentChildren;
}): VNode {
  // Place of the hint while the button asks.
  const [place, setPlace] = useState<Readonly<Record<string, string>> | undefined>(undefined);
  const isAsking = place !== undefined;
  const keep = (): void => setPlace(undefined);
  useEffect(() => {
    if (!isAsking) return undefined;
    const timer = setTimeout(keep, QUESTION_MS);
    return () => clearTimeout(timer);
  }, [isAsking]);
  const click = (event: MouseEvent): void => {
    if (confirm !== undefined) {
      if (event.detail <= 1) setPlace(isAsking ? undefined : placeBeside(event.currentTarget as Element));
      if (!isAsking || event.detail > 1) return event.preventDefault();
    }
    use?.();
  };
  const key = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') keep();
    else if (event.repeat) event.preventDefault();
  };
  const name = isAsking && label !== undefined ? `${confirm} ${label}` : label;
  return html`<button type=${type} class=${kind} aria-label=${name} onClick=${click} onKeyDown=${key} onBlur=${keep} ...${state}>${isAsking ? confirm : children}</button>
    ${confirm === undefined ? null : html`<span class=${isAsking ? 'asking' : 'unseen'} style=${place ?? {}} role="status">${isAsking ? CONFIRMING : ''}</span>`}` as VNode;
}

/** Place below an element, or above one at the end of the window: in the row of a button, a hint would move it. */
function placeBeside(element: Element): Readonly<Record<string, string>> {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return {
    ...(left < innerWidth / 2 ? { left: `${left}px` } : { right: `${innerWidth - right}px` }),
    ...(bottom > innerHeight - 60 ? { bottom: `${innerHeight - top + 4}px` } : { top: `${bottom + 4}px` }),
  };
}
