import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { protocolSchema, withReference } from '../../src/protocol/reference.ts';

test('the reference in the README matches the declarations (npm run gen writes it)', () => {
  const readme = readFileSync(new URL('../../src/protocol/README.md', import.meta.url), 'utf8');
  expect(readme).toBe(withReference(readme));
});

test('a README without the marks is refused instead of being overwritten', () => {
  const [begin, end] = ['<!-- reference: begin -->', '<!-- reference: end -->'];
  for (const readme of ['# nothing', begin, end, `${end}${begin}`])
    expect(() => withReference(readme)).toThrow(/marks/);
  const whole = withReference(`${begin}old${end}tail`);
  expect(whole.startsWith(`${begin}\n\n### Commands\n`)).toBe(true);
  expect(whole.endsWith(`\n${end}tail`)).toBe(true);
  expect(whole).not.toContain('old');
});

test('every command and event has a schema that names its members', () => {
  const { commands, events } = protocolSchema();
  expect(Object.keys(commands).length).toBeGreaterThan(80);
  expect(Object.keys(events).length).toBeGreaterThan(35);
  expect(commands['GET_GUILD']?.args).toMatchObject({ required: ['guild_id'], type: 'object' });
  expect(commands['SELECT_VOICE_CHANNEL']?.errors).toEqual([4005, 5001, 5003]);
  expect(commands['START_PURCHASE']?.errors).toEqual([5008]);
  expect(events['GUILD_STATUS']?.data).toMatchObject({ type: 'object', required: ['guild', 'online'] });
});
