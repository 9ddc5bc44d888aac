import { expect, it } from 'vitest';
import { defaultFixture } from '../../../../src/emulator/compose/fixture/default.ts';
import { findChannel, visibleChannels } from '../../../../src/emulator/guilds/channels/channels.ts';
import { hasVoice } from '../../../../src/emulator/guilds/channels/records.ts';
import { worldOf } from '../../../helpers/patched.ts';

const { tables } = worldOf();
const harbour = '400000000000000002';
const denied = '500000000000000012';

it('visibleChannels leaves out channels that the logged-in user may not view', () => {
  const ids = visibleChannels(tables, harbour).map((channel) => channel.id);
  expect(ids).toEqual(['500000000000000011', '500000000000000013']);
  const other = worldOf({ ...defaultFixture(), me: '200000000000000002' });
  expect(visibleChannels(other.tables, harbour)).toHaveLength(3);
  expect(visibleChannels(tables)).toHaveLength(8);
  expect(visibleChannels(tables, '1')).toEqual([]);
});

it('findChannel distinguishes found, denied and unknown channels', () => {
  const found = findChannel(tables, '500000000000000013');
  expect(found).toMatchObject({ kind: 'found', channel: { guild_id: harbour, name: 'Quay' } });
  expect(found.kind === 'found' && 'deny' in found.channel).toBe(false);
  expect(findChannel(tables, denied)).toEqual({ kind: 'denied', id: denied });
  expect(findChannel(tables, 'x')).toEqual({ kind: 'unknown', id: 'x' });
});

it.each([
  [0, false],
  [2, true],
  [4, false],
  [5, false],
  [13, true],
  [15, false],
])('a channel of type %i has voice: %s', (type, expected) => {
  expect(hasVoice({ type })).toBe(expected);
});
