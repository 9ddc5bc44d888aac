import { expect, it } from 'vitest';
import { unknownKey } from '../../../src/emulator/kernel/unknown-key.ts';

it.each([
  ['gilds', ['users', 'guilds', 'me'], '"guilds"'],
  ['volumne', ['device_id', 'volume'], '"volume"'],
  ['', ['me', 'voice'], '"me"'],
])('the key nearest to %j among %j is %s', (key, known, nearest) => {
  expect(unknownKey(key, known)).toContain(`nearest known key is ${nearest}`);
});

it('cuts a hostile key and escapes it', () => {
  const text = unknownKey(`\n${'x'.repeat(10_000)}`, ['me']);
  expect(text.length).toBeLessThan(120);
  expect(text).not.toContain('\n');
});
