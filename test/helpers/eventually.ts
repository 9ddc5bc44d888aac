import { vi } from 'vitest';
import { PATIENCE_MS } from './patience.ts';

/**
 * Waits until `check` no longer throws, and gives what it returns; rejects with its last error where that takes longer than a
 * loaded machine needs. For what is awaited without a clock of its own: the second that `vi.waitFor` waits by itself is not
 * enough beside two other test files.
 */
export function eventually<T>(
  check: () => T | Promise<T>,
  options: { readonly timeout?: number; readonly interval?: number } = {},
): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, ...options });
}
