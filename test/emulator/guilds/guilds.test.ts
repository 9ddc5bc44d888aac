import { expect, it } from 'vitest';
import { SettingError } from '../../../src/emulator/errors.ts';
import { defaultFixture } from '../../../src/emulator/fixture/default.ts';
import { hasVoice, lookUpChannel, visibleChannels, withGuild } from '../../../src/emulator/guilds/guilds.ts';

const fixture = defaultFixture();
const harbour = '400000000000000002';
const denied = '500000000000000012';

it('leaves out channels that the logged-in user may not view', () => {
  const ids = visibleChannels(fixture, harbour).map((channel) => channel.id);
  expect(ids).toEqual(['500000000000000011', '500000000000000013']);
  expect(visibleChannels({ ...fixture, me: '200000000000000002' }, harbour)).toHaveLength(3);
  expect(visibleChannels(fixture)).toHaveLength(8);
  expect(visibleChannels(fixture, '1')).toEqual([]);
});

it('tells found, denied and unknown apart', () => {
  const found = lookUpChannel(fixture, '500000000000000013');
  expect(found).toMatchObject({ kind: 'found', channel: { guild_id: harbour, name: 'Quay' } });
  expect(found.kind === 'found' && 'deny' in found.channel).toBe(false);
  expect(lookUpChannel(fixture, denied)).toEqual({ kind: 'denied', id: denied });
  expect(lookUpChannel(fixture, 'x')).toEqual({ kind: 'unknown', id: 'x' });
});

it.each([
  [0, false],
  [2, true],
  [4, false],
  [5, false],
  [13, true],
  [15, false],
])('a channel of type %i has voice: %s', (type, expected) => {
  const channel = { ...visibleChannels(fixture)[0], type } as Parameters<typeof hasVoice>[0];
  expect(hasVoice(channel)).toBe(expected);
});

it('changes the name or the icon of one guild', () => {
  expect(withGuild(fixture, harbour, 'name', 'Port').guilds.map((guild) => guild.name)).toEqual([
    'River Bank',
    'Port',
  ]);
  expect(withGuild(fixture, harbour, 'icon', 'http://x/i.png').guilds[1]?.icon_url).toBe('http://x/i.png');
  const iconless = withGuild(withGuild(fixture, harbour, 'icon', 'http://x'), harbour, 'icon', '');
  expect(iconless.guilds[1]?.icon_url).toBeNull();
  expect(fixture.guilds[1]?.name).toBe('Harbour');
});

it.each([
  [harbour, 'name', '', /1 to 100/],
  [harbour, 'name', null, /1 to 100/],
  [harbour, 'name', 'x'.repeat(101), /1 to 100/],
  [harbour, 'icon', 'x'.repeat(2049), /2048/],
  [harbour, 'nam', 'x', /nearest known key is "name"/],
  ['1', 'name', 'x', /no guild/],
])('refuses %s %s %j', (id, key, value, reason) => {
  const attempt = () => withGuild(fixture, id, key, value);
  expect(attempt).toThrow(SettingError);
  expect(attempt).toThrow(reason);
});
