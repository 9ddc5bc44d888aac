import { expect, it } from 'vitest';
import { unknownKey } from '../../../src/emulator/kernel/unknown-key.ts';

it.each([
  ['gilds', ['users', 'guilds', 'me'], '"guilds"'],
  ['volumne', ['device_id', 'volume'], '"volume"'],
])('unknownKey finds the key nearest to %j among %j, which is %s', (key, known, nearest) => {
  expect(unknownKey(key, known)).toContain(`nearest known key is ${nearest}`);
});

it.each([
  ['', ['me', 'voice'], 'unknown key ""; known are me, voice'],
  ['foo', [], 'unknown key "foo"'],
  ['foo', Array.from({ length: 40 }, (_, index) => `key${index}`), 'unknown key "foo"'],
])('unknownKey lists the known keys where none resembles %j and they are few: %j', (key, known, text) => {
  expect(unknownKey(key, known)).toBe(text);
});

it('unknownKey truncates and escapes a hostile key', () => {
  const text = unknownKey(`\n${'x'.repeat(10_000)}`, ['me']);
  expect(text.length).toBeLessThan(120);
  expect(text).not.toContain('\n');
});
