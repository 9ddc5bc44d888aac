import { expect, it } from 'vitest';
import { defaultFixture } from '../../src/emulator/fixture/default.ts';
import { hasText, hasVoice } from '../../src/emulator/guilds/guilds.ts';
import { findChannel, findPerson } from '../../src/emulator/lookup.ts';
import { ids } from '../helpers/emulator-world.ts';

const fixture = defaultFixture();

it('finds by id or exact name', () => {
  expect(findPerson(fixture, 'otter').id).toBe(ids.otter);
  expect(findPerson(fixture, ids.otter).username).toBe('otter');
  expect(findChannel(fixture, 'Lounge', hasVoice).id).toBe(ids.lounge);
  expect(findChannel(fixture, 'harbour-masters', hasText).id).toBe(ids.hidden);
  // Named by id, a channel of the wrong kind is found: what uses it says why it does not fit.
  expect(findChannel(fixture, ids.general, hasVoice).id).toBe(ids.general);
});

it('refuses what is unknown or not clear, and names the ways out', () => {
  expect(() => findPerson(fixture, 'Otter')).toThrow('there is no user "Otter"; give its id or exact name');
  const twins = { ...fixture, users: fixture.users.map((user) => ({ ...user, username: 'same' })) };
  expect(() => findPerson(twins, 'same')).toThrow(ids.otter);
  expect(() => findChannel(fixture, 'general', hasVoice)).toThrow(/no channel/);
});
