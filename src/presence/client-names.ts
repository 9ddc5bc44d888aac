import { textPattern } from './pattern.ts';
import { Text } from './text.ts';

/** Whether a pattern of a rule names a chat client that has these names. */
export function isNamed(patterns: readonly string[], names: readonly string[]): boolean {
  const texts = names.map((name) => new Text(name));
  return patterns.map(textPattern).some((pattern) => texts.some((text) => pattern.matches(text)));
}
