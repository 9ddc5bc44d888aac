import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Which of the two numbers `rounds` takes; each configuration says it. */
    readonly rounds: 'few' | 'many';
  }
}

/**
 * How often something is repeated so that a race shows: `few` times by `npm test`, which asks whether it works, `many` by
 * `npm run test:system`, which has the time for what happens seldom.
 */
export function rounds({ few, many }: { readonly few: number; readonly many: number }): number {
  return inject('rounds') === 'many' ? many : few;
}
