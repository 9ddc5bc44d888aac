import { expect, it } from 'vitest';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP } from '../../../helpers/platform.ts';
import { viewedPlatform } from '../../../helpers/viewed.ts';

it('user.view has status, activities, voice channel and, in a guild, name and roles', async () => {
  const { run, emulator } = await viewedPlatform({
    user_presences: [
      { user: 'otter', status: 'dnd', activities: [{ name: 'Tides', type: 0, details: 'Low' }] },
    ],
    guilds: [
      {
        id: ids.riverBank,
        roles: [
          { id: '780', name: 'Pilots', position: 1 },
          { id: '781', name: 'Harbour masters', position: 2, colors: { primary_color: 0x11_80_6a } },
        ],
        members: [{ user: 'otter', nick: 'Whiskers', roles: ['780', '781'] }],
      },
    ],
  });
  emulator.calls.join(ids.otter, ids.lounge);
  expect(await run('user.view', { user: 'otter', guild: ids.riverBank })).toMatchObject({
    username: 'otter',
    status: 'dnd',
    activities: [{ name: 'Tides', type: 0, details: 'Low' }],
    nick: 'Whiskers',
    roles: [
      { id: '781', name: 'Harbour masters', color: 0x11_80_6a },
      { id: '780', name: 'Pilots', color: null },
    ],
    voice: { channel: ids.lounge, name: 'Lounge' },
  });
  expect(await run('user.view', {})).toMatchObject({ username: 'river', nick: null, roles: [], voice: null });
  await expect(run('user.view', { guild: '1' })).rejects.toThrow('guild: is unknown');
});

it('voice.mute and voice.deafen change what a user set, for the logged-in user in the voice settings', async () => {
  const { run, emulator } = await viewedPlatform();
  await expect(run('voice.mute', { user: 'otter', on: true })).rejects.toThrow(
    'user: is in no voice channel',
  );
  emulator.calls.join(ids.otter, ids.lounge);
  emulator.calls.speak(ids.otter, true);
  expect(await run('voice.mute', { user: 'otter', on: true })).toEqual({ user: 'otter', muted: true });
  expect(await run('voice.deafen', { user: 'otter', on: true })).toEqual({ user: 'otter', deafened: true });
  expect(emulator.calls.of(ids.otter)).toMatchObject({ self_mute: true, self_deaf: true, speaking: false });
  await run('voice.deafen', { user: 'river', on: true });
  await run('voice.mute', { user: 'river', on: true });
  expect(emulator.voiceSettings()).toMatchObject({ mute: true, deaf: true });
  await run('voice.mute', { user: 'river', on: false });
  expect(emulator.voiceSettings()).toMatchObject({ mute: false, deaf: true });
});

it('interaction.commands has what a user may use in a channel, the command of the guild before the global one', async () => {
  const command = (id: string, name: string, more: object = {}) => ({
    id,
    application: APP,
    name,
    description: 'x',
    ...more,
  });
  const { run, only } = await viewedPlatform({
    private_channels: [{ id: '890', recipients: ['river', 'heron'] }],
    commands: [
      command('901', 'tide'),
      command('902', 'tide', { guild: ids.riverBank }),
      command('903', 'masters', { default_member_permissions: '0' }),
      command('904', 'Greet', { type: 'user', description: '' }),
      command('905', 'night', { nsfw: true }),
    ],
  });
  const names = async (args: object) =>
    (await run('interaction.commands', { channel: 'general', ...args })).map(({ id, type, name }) => [
      id,
      type,
      name,
    ]);
  expect(await names({})).toEqual([
    ['902', 1, 'tide'],
    ['903', 1, 'masters'],
    ['904', 2, 'Greet'],
  ]);
  await only('VIEW_CHANNEL', 'SEND_MESSAGES', 'USE_APPLICATION_COMMANDS');
  expect(await names({ user: 'otter' })).toEqual([
    ['902', 1, 'tide'],
    ['904', 2, 'Greet'],
  ]);
  expect(await names({ channel: '890' })).toEqual([]);
  expect(await names({ channel: '890', user: 'otter' })).toEqual([]);
});

it('interaction.suggest offers what the select takes', async () => {
  const { run } = await viewedPlatform({
    guilds: [
      {
        id: ids.riverBank,
        roles: [{ id: '780', name: 'Otter friends' }],
        channels: [{ id: '892', name: 'otters', type: 'text', deny: ['heron'] }],
      },
    ],
    private_channels: [{ id: '890', recipients: ['river', 'heron'] }],
  });
  const offered = async (kind: string, text: string, more: object = {}) =>
    (await run('interaction.suggest', { channel: 'general', kind, text, ...more })).map(({ value }) => value);
  expect(await offered('user', 'OTT')).toEqual([ids.otter]);
  expect(await offered('role', 'ott')).toEqual(['780']);
  expect(await offered('mentionable', 'ott')).toEqual([ids.otter, '780']);
  expect(await offered('channel', 'ott')).toEqual(['892']);
  expect(await offered('channel', 'ott', { user: 'heron' })).toEqual([]);
  expect(await offered('user', 'ott', { channel: '890' })).toEqual([]);
  expect(await offered('user', '', { channel: '890' })).toEqual([ids.river, ids.heron]);
  expect(await offered('role', '', { channel: '890' })).toEqual([]);
  await expect(offered('user', '', { channel: '890', user: 'otter' })).rejects.toThrow('otter does not see');
});
