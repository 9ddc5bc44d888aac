import { expect, it } from 'vitest';
import { setGuild } from '../../../src/emulator/guilds/guilds.ts';
import { SettingError } from '../../../src/emulator/kernel/errors.ts';
import { worldOf } from '../../helpers/patched.ts';

const harbour = '400000000000000002';

it('setGuild changes the name or the icon of one guild', () => {
  const world = worldOf();
  expect(setGuild(world, harbour, 'name', 'Port').name).toBe('Port');
  expect([...world.tables.guilds].map((guild) => guild.name)).toEqual(['River Bank', 'Port']);
  expect(setGuild(world, harbour, 'icon', 'http://x/i.png').icon_url).toBe('http://x/i.png');
  expect(setGuild(world, harbour, 'icon', '').icon_url).toBeNull();
  expect(world.tables.guilds.get(harbour)).toMatchObject({ name: 'Port', icon_url: null });
});

it.each<[string, 'name' | 'icon', string | null, RegExp]>([
  [harbour, 'name', '', /1 to 100/],
  [harbour, 'name', null, /1 to 100/],
  [harbour, 'name', 'x'.repeat(101), /1 to 100/],
  ['1', 'name', 'x', /no guild/],
])('setGuild refuses %s %s %j', (id, key, value, reason) => {
  const world = worldOf();
  const before = [...world.tables.guilds];
  const attempt = () => setGuild(world, id, key, value);
  expect(attempt).toThrow(SettingError);
  expect(attempt).toThrow(reason);
  expect([...world.tables.guilds]).toEqual(before);
});
