import { expect, it } from 'vitest';
import { emulatorWorld, ids } from '../../helpers/emulator-world.ts';

it('makes invites that last a day, and remembers the newest hundred', async () => {
  const { emulator, clock } = await emulatorWorld();
  const found = emulator.channel(ids.general);
  if (found.kind !== 'found') throw new Error('the fixture has lost its channel');
  const invite = emulator.channelInvites.make(found.channel);
  expect(invite).toMatchObject({
    channel_id: ids.general,
    guild_id: ids.riverBank,
    max_age: 86_400,
    created_at: new Date(clock.now()).toISOString(),
  });
  expect(invite.code).toMatch(/^[\w-]{8}$/);
  for (let i = 0; i < 120; i++) emulator.channelInvites.make(found.channel);
  expect(emulator.channelInvites.list()).toHaveLength(100);
});

it('is part of the state: written down, shown, taken along by its channel, gone with a reset', async () => {
  const written = { code: 'quayside', channel: ids.lounge, created_at: '2030-01-01T00:00:00Z', max_uses: 5 };
  const { emulator } = await emulatorWorld({ channel_invites: [written] });
  const made = { ...written, max_age: 86_400, temporary: false, uses: 0 };
  expect(emulator.show().channel_invites).toEqual([made]);
  expect(emulator.exportState()).toContain('"quayside"');
  await expect(
    emulator.apply({ channel_invites: [{ ...written, code: 'other', channel: '5' }] }),
  ).rejects.toThrow('patch: channel_invites[other].channel: names no channel of this fixture');
  const lounge = emulator.channel(ids.lounge);
  if (lounge.kind !== 'found') throw new Error('the fixture has lost its channel');
  emulator.channelInvites.make(lounge.channel);
  expect(emulator.channelInvites.list()).toHaveLength(2);
  emulator.reset();
  expect(emulator.channelInvites.list().map(({ code }) => code)).toEqual(['quayside']);
  await emulator.apply({ guilds: [{ id: ids.riverBank, channels: [{ id: ids.lounge, remove: true }] }] });
  expect(emulator.channelInvites.list()).toEqual([]);
});
