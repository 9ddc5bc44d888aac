import type { ComponentChildren } from 'preact';

/** A component, with the function that draws those inside of it. */
export interface ComponentProps {
  readonly component: object;
  readonly draw: (inside: readonly object[]) => ComponentChildren;
}
