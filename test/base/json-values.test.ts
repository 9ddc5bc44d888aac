import { expect, it } from 'vitest';
import { JsonValues } from '../../src/base/json-values.ts';

/** Counts a text that comes in parts of so many characters. */
function count(text: string, length: number): number {
  const values = new JsonValues();
  for (let at = 0; at < text.length; at += length) values.add(text.slice(at, at + length));
  return values.count;
}

it('JsonValues counts the characters that precede values, outside of strings and in chunks of any length', () => {
  for (const length of [1, 2, 3, 1000]) {
    expect(count('{"a":[1,2,{}],"b":null}', length)).toBe(8);
    expect(count('["{[,:","\\"{[,:","\\\\",1]', length)).toBe(4);
    expect(count('"{[,:', length)).toBe(0);
  }
});
