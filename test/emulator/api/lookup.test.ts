import { expect, it } from 'vitest';
import { findChannel, findUser } from '../../../src/emulator/api/lookup.ts';
import { defaultFixture } from '../../../src/emulator/compose/fixture/default.ts';
import { hasText, hasVoice } from '../../../src/emulator/guilds/channels/records.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { worldOf } from '../../helpers/patched.ts';

const fixture = defaultFixture();
const { tables } = worldOf(fixture);

it('a lookup finds a record by id or exact name', () => {
  expect(findUser(tables, 'otter').id).toBe(ids.otter);
  expect(findUser(tables, ids.otter).username).toBe('otter');
  expect(findChannel(tables, 'Lounge', hasVoice).id).toBe(ids.lounge);
  expect(findChannel(tables, 'harbour-masters', hasText).id).toBe(ids.hidden);
  // Named by id, a channel of the wrong kind is found: what uses it says why it does not fit.
  expect(findChannel(tables, ids.general, hasVoice).id).toBe(ids.general);
});

it('a lookup refuses an unknown or ambiguous name, and names the alternatives', () => {
  expect(() => findUser(tables, 'Otter')).toThrow('there is no user "Otter"; give its id or exact name');
  const twins = { ...fixture, users: fixture.users.map((user) => ({ ...user, username: 'same' })) };
  expect(() => findUser(worldOf(twins).tables, 'same')).toThrow(ids.otter);
  expect(() => findChannel(tables, 'general', hasVoice)).toThrow(/no channel/);
  expect(() => findUser(tables, 'nobody')).toThrow(/exact name\. There are: river, heron, otter\.$/);
  const many = Array.from({ length: 9 }, (_, at) => ({
    ...fixture.users[0],
    id: `${9_000 + at}`,
    username: `u${at}`,
  }));
  const crowd = worldOf({ ...fixture, users: [...fixture.users, ...many] as typeof fixture.users }).tables;
  expect(() => findUser(crowd, 'nobody')).toThrow(/exact name\.$/);
});
