import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Time after which a question is taken back (ms). */
const QUESTION_MS = 10_000;
/** Not in the row of the button, which would move between the two clicks of a double click. */
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
  const [isAsking, setAsking] = useState(false);
  const keep = (): void => setAsking(false);
  useEffect(() => {
    if (!isAsking) return undefined;
    const timer = setTimeout(keep, QUESTION_MS);
    return () => clearTimeout(timer);
  }, [isAsking]);
  const click = (event: MouseEvent): void => {
    if (confirm !== undefined) {
      if (event.detail <= 1) setAsking(!isAsking);
      if (!isAsking || event.detail > 1) return event.preventDefault();
    }
    use?.();
  };
  const key = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') keep();
    else if (event.repeat) event.preventDefault();
  };
  const name = isAsking && label !== undefined ? `${confirm} ${label}` : label;
  return html`<button type=${type} class=${kind} aria-label=${name} onClick=${click} onKeyDown=${key} onBlur=${keep} title=${isAsking ? CONFIRMING : undefined} ...${state}>${isAsking ? confirm : children}</button>
    ${confirm === undefined ? null : html`<span class="unseen" role="status">${isAsking ? CONFIRMING : ''}</span>`}` as VNode;
}
