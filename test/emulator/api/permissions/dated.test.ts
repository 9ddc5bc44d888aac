import { expect, it } from 'vitest';
import { grants } from '../../../../src/emulator/api/permissions/dated.ts';
import { bitsOf, type Permission } from '../../../../src/emulator/kernel/permission-bits.ts';

const BEFORE = Date.parse('2026-02-22T23:59:59.999Z');
const AFTER = Date.parse('2026-02-23T00:00:00Z');

it.each<[Permission, Permission, 'bot' | 'person', boolean, boolean]>([
  ['PIN_MESSAGES', 'PIN_MESSAGES', 'bot', true, true],
  ['MANAGE_MESSAGES', 'PIN_MESSAGES', 'bot', true, false],
  ['MANAGE_MESSAGES', 'PIN_MESSAGES', 'person', true, false],
  ['MANAGE_CHANNELS', 'PIN_MESSAGES', 'person', false, false],
  ['BYPASS_SLOWMODE', 'BYPASS_SLOWMODE', 'person', true, true],
  ['MANAGE_MESSAGES', 'BYPASS_SLOWMODE', 'person', true, false],
  ['MANAGE_CHANNELS', 'BYPASS_SLOWMODE', 'person', true, false],
  ['VIEW_CHANNEL', 'BYPASS_SLOWMODE', 'person', false, false],
  ['VIEW_CHANNEL', 'BYPASS_SLOWMODE', 'bot', true, true],
  ['MANAGE_GUILD_EXPRESSIONS', 'CREATE_GUILD_EXPRESSIONS', 'bot', true, false],
  ['MANAGE_GUILD_EXPRESSIONS', 'CREATE_GUILD_EXPRESSIONS', 'person', false, false],
  ['CREATE_GUILD_EXPRESSIONS', 'CREATE_GUILD_EXPRESSIONS', 'bot', true, true],
  ['MANAGE_EVENTS', 'CREATE_EVENTS', 'bot', true, false],
  ['MANAGE_EVENTS', 'CREATE_EVENTS', 'person', false, false],
  ['MANAGE_MESSAGES', 'MANAGE_ROLES', 'bot', false, false],
])(
  '%s grants %s to a %s until February 23 of 2026: %s, and from then on: %s',
  (held, right, who, before, after) => {
    const isBot = who === 'bot';
    expect(grants(bitsOf(held), right, { now: BEFORE, isBot })).toBe(before);
    expect(grants(bitsOf(held), right, { now: AFTER, isBot })).toBe(after);
  },
);
