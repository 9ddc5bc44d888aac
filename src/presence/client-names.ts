import { textPattern } from './pattern.ts';

/** Whether a pattern of a rule names a chat client that has these names. */
export function isNamed(patterns: readonly string[], names: readonly string[]): boolean {
  return patterns.map(textPattern).some((pattern) => names.some((name) => pattern.matches(name)));
}
