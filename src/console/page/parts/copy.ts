import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from './icon.ts';

/** Time for which the button says that the text was copied (ms). */
const COPIED_MS = 1500;

/** Button that copies a text; `what` names the text for everyone who does not see it. */
export function CopyButton({
  text,
  what,
  children = 'Copy',
}: {
  readonly text: string | (() => string);
  readonly what: string;
  readonly children?: string;
}): VNode {
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle');
  useEffect(() => {
    if (state === 'idle') return undefined;
    const timer = setTimeout(() => setState('idle'), COPIED_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async ({ currentTarget }: Event): Promise<void> => {
    // The word "Copied" is shorter, and what is beside the button must not move.
    const button = currentTarget as HTMLButtonElement;
    button.style.minWidth = `${button.getBoundingClientRect().width}px`;
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
      setState('copied');
    } catch {
      // The browser refuses while its window has no focus, or where its user refused.
      setState('refused');
    }
  };
  const label = { idle: children, copied: 'Copied', refused: 'Not allowed by the browser' }[state];
  return html`<button type="button" class="copy" aria-label=${`${label}: ${what}`} onClick=${copy}>
    <${Icon} name=${state === 'copied' ? 'check' : 'copy'} /> ${label}</button>` as VNode;
}

/** Command line or address, with a button that copies it. */
export function Command({ text, what }: { readonly text: string; readonly what?: string }): VNode {
  return html`<span class="command"><code tabindex="0">${text}</code><${CopyButton} text=${text} what=${what ?? text} /></span>` as VNode;
}
