import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { protocolSchema, referenceTables } from '../../src/protocol/reference.ts';

test('the reference in the README matches the declarations (npm run gen writes it)', () => {
  const readme = readFileSync(new URL('../../src/protocol/README.md', import.meta.url), 'utf8');
  expect(readme).toContain(`begin -->\n\n${referenceTables()}\n<!-- reference: end`);
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
