import { expect, it } from 'vitest';
import type { World } from '../../../../src/emulator/api/world.ts';
import { defaultFixture } from '../../../../src/emulator/compose/fixture/default.ts';
import { rowsOf } from '../../../../src/emulator/compose/fixture/fixture.ts';
import { platformWorld } from '../../../../src/emulator/compose/platform-world.ts';
import { findInvite, makeLobbyInvite } from '../../../../src/emulator/guilds/invites/invites.ts';
import { silentLog } from '../../../../src/emulator/kernel/log.ts';
import { emulatorWorld, ids } from '../../../helpers/emulator-world.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');

function invitingWorld(): World {
  return platformWorld(rowsOf(defaultFixture()), silentLog);
}

it('an invite lasts a day by default, and only the newest 100 are stored', async () => {
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

it('an invite is read from a fixture, exported, and removed with its channel or by a reset', async () => {
  const written = { code: 'quayside', channel: ids.lounge, created_at: '2030-01-01T00:00:00Z', max_uses: 5 };
  const { emulator } = await emulatorWorld({ channel_invites: [written] });
  expect(emulator.toFixture().channel_invites).toEqual([
    {
      ...written,
      inviter: null,
      max_age: 86_400,
      temporary: false,
      uses: 0,
      target_type: null,
      target_user: null,
      target_application: null,
      roles: [],
      targeted: false,
      targets: [],
      job: null,
      holds_jobs: false,
    },
  ]);
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

it('an invite from a lobby is valid once, for one user and for one hour of the clock [L-8]', () => {
  const world = invitingWorld();
  const { code } = world.transaction((tables) =>
    makeLobbyInvite(tables, { channel: ids.general, user: ids.otter, now: NOW }),
  );
  const find = (now: number) => findInvite(world.tables, code, now);
  expect(find(NOW + 3_599_999)).toMatchObject({ max_uses: 1, targeted: true, inviter: null });
  expect(find(NOW + 3_600_000)).toBeUndefined();
  expect([...world.tables.invite_targets]).toEqual([{ invite: code, user: ids.otter, pending: false }]);
});

it('an expired invite is removed with its target users when the next one is created', () => {
  const world = invitingWorld();
  const make = (now: number) =>
    world.transaction((tables) => makeLobbyInvite(tables, { channel: ids.general, user: ids.otter, now }));
  make(NOW);
  const { code } = make(NOW + 3_600_000);
  expect([...world.tables.channel_invites]).toMatchObject([{ code }]);
  expect([...world.tables.invite_targets]).toMatchObject([{ invite: code }]);
});
