import { expect, it } from 'vitest';
import { unknownKey } from '../../../src/emulator/kernel/unknown-key.ts';

it.each([
  ['gilds', ['users', 'guilds', 'me'], '"guilds"'],
  ['volumne', ['device_id', 'volume'], '"volume"'],
  ['', ['me', 'voice'], '"me"'],
])('unknownKey finds the key nearest to %j among %j, which is %s', (key, known, nearest) => {
  expect(unknownKey(key, known)).toContain(`nearest known key is ${nearest}`);
});

it('unknownKey truncates and escapes a hostile key', () => {
  const text = unknownKey(`\n${'x'.repeat(10_000)}`, ['me']);
  expect(text.length).toBeLessThan(120);
  expect(text).not.toContain('\n');
});
