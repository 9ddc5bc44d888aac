import { describe, expect, it } from 'vitest';
import { defaultFixture } from '../../../../src/emulator/compose/fixture/default.ts';
import type { Fixture } from '../../../../src/emulator/compose/fixture/fixture.ts';
import { mayView, permissionsIn } from '../../../../src/emulator/guilds/channels/access.ts';
import type { ChannelRecord } from '../../../../src/emulator/guilds/channels/records.ts';
import { guildPermissions } from '../../../../src/emulator/guilds/roles/rights.ts';
import {
  ALL_PERMISSIONS,
  BEGINNERS,
  bitsOf,
  namesOf,
} from '../../../../src/emulator/kernel/permission-bits.ts';
import { emulatorWorld, ids } from '../../../helpers/emulator-world.ts';
import { patch, worldOf } from '../../../helpers/patched.ts';
import { rpcWorld } from '../../../helpers/rpc-feed.ts';

const CREW = '8';
const NOW = Date.parse('2030-01-01T00:00:00Z');
const inHarbour = (more: object) => ({ guilds: [{ id: ids.harbour, ...more }] });
/** Arrivals of Harbour is for the crew alone, of which otter is one. */
const crewOnly = inHarbour({
  roles: [{ id: CREW, name: 'crew', permissions: ['PIN_MESSAGES'] }],
  members: [{ user: 'otter', roles: [CREW] }],
  channels: [
    {
      id: ids.arrivals,
      role_overwrites: [
        { role: ids.harbour, deny: ['VIEW_CHANNEL'] },
        { role: CREW, allow: ['VIEW_CHANNEL'] },
      ],
    },
    { id: '90', name: 'aside', type: 'public_thread', parent: ids.arrivals },
    { id: '91', name: 'whisper', type: 'private_thread', parent: ids.arrivals, owner: 'otter' },
  ],
});

const worldWith = (...changes: readonly object[]) =>
  worldOf(changes.reduce<Fixture>((fixture, change) => patch(fixture, change).fixture, defaultFixture()));
const who = { river: ids.river, heron: ids.heron, otter: ids.otter };

function viewers(world: ReturnType<typeof worldOf>, id: string): string[] {
  const channel = world.tables.channels.get(id) as ChannelRecord;
  return Object.entries(who)
    .filter(([, user]) => mayView(world.tables, channel, user))
    .map(([name]) => name);
}

describe('a channel', () => {
  it('is visible to the owner of the guild, and to members with a role that allows it', () => {
    const world = worldWith(crewOnly);
    expect(viewers(world, ids.arrivals)).toEqual(['heron', 'otter']);
    expect(viewers(world, ids.quay)).toEqual(['river', 'heron', 'otter']);
    const arrivals = world.tables.channels.get(ids.arrivals) as ChannelRecord;
    const may = (user: string) => permissionsIn(world.tables, arrivals, user, NOW);
    expect(may(ids.heron)).toBe(ALL_PERMISSIONS);
    expect(may(ids.otter)).toBe(BEGINNERS | bitsOf('PIN_MESSAGES'));
    expect(may(ids.river)).toBe(0n);
  });

  it('makes its threads visible to the same members, and a private thread to its creator', () => {
    const world = worldWith(crewOnly, inHarbour({ members: [{ user: 'river', roles: [CREW] }] }));
    expect(viewers(world, '90')).toEqual(['river', 'heron', 'otter']);
    expect(viewers(world, '91')).toEqual(['heron', 'otter']);
  });

  it('is hidden from the users in `deny`, owner or not', () => {
    const world = worldWith(inHarbour({ channels: [{ id: ids.arrivals, deny: ['heron'] }] }));
    expect(viewers(world, ids.arrivals)).toEqual(['river', 'otter']);
  });

  it('is read-only for a member until the timeout ends', () => {
    const until = new Date(NOW + 1000).toISOString();
    const world = worldWith(inHarbour({ members: [{ user: 'otter', communication_disabled_until: until }] }));
    const quay = world.tables.channels.get(ids.quay) as ChannelRecord;
    const may = (now: number) => namesOf(permissionsIn(world.tables, quay, ids.otter, now));
    expect(may(NOW)).toEqual(['VIEW_CHANNEL', 'READ_MESSAGE_HISTORY']);
    expect(may(NOW + 1000)).toContain('SEND_MESSAGES');
  });

  it('does not affect the permissions of a user in the guild', () => {
    const world = worldWith(crewOnly);
    const may = (user: string) => guildPermissions(world.tables, ids.harbour, user, NOW);
    expect(may(ids.heron)).toBe(ALL_PERMISSIONS);
    expect(may(ids.otter)).toBe(BEGINNERS | bitsOf('PIN_MESSAGES'));
    expect(may(ids.river)).toBe(BEGINNERS);
    expect(may('77')).toBe(0n);
  });

  it('can be joined by users who may connect and are not timed out', async () => {
    const until = new Date(1_800_000_060_000).toISOString();
    const change = inHarbour({
      members: [{ user: 'otter', communication_disabled_until: until }],
      channels: [{ id: ids.quay, user_overwrites: [{ user: 'river', deny: ['CONNECT'] }] }],
    });
    const { emulator, clock } = await emulatorWorld(change);
    expect(emulator.calls.check(ids.river, ids.quay)).toEqual({ kind: 'no-right' });
    expect(() => emulator.selectVoiceChannel(ids.quay)).toThrow('may not connect');
    expect(emulator.calls.check(ids.otter, ids.quay)).toEqual({ kind: 'no-right' });
    expect(emulator.calls.check(ids.heron, ids.quay)).toMatchObject({ kind: 'found' });
    clock.advance(120_000);
    expect(emulator.calls.check(ids.otter, ids.quay)).toMatchObject({ kind: 'found' });
  });

  it('is visible to members only', () => {
    const world = worldWith(inHarbour({ membership: 'listed', members: [{ user: 'otter' }] }));
    expect(viewers(world, ids.quay)).toEqual(['heron', 'otter']);
  });
});

describe('a change of access', () => {
  it.each<[string, object, readonly string[]]>([
    [
      'a role is given',
      inHarbour({ members: [{ user: 'river', roles: [CREW] }] }),
      ['CHANNEL_CREATE', 'CHANNEL_CREATE', 'CURRENT_GUILD_MEMBER_UPDATE'],
    ],
    [
      'an overwrite lets them in',
      inHarbour({
        channels: [{ id: ids.arrivals, user_overwrites: [{ user: 'river', allow: ['VIEW_CHANNEL'] }] }],
      }),
      ['CHANNEL_CREATE', 'CHANNEL_CREATE'],
    ],
    [
      'everybody becomes an administrator',
      inHarbour({ roles: [{ id: ids.harbour, permissions: ['ADMINISTRATOR'] }] }),
      ['CHANNEL_CREATE', 'CHANNEL_CREATE', 'CHANNEL_CREATE'],
    ],
    [
      'another takes the guild over',
      inHarbour({ owner: 'river' }),
      ['GUILD_STATUS', 'CHANNEL_CREATE', 'CHANNEL_CREATE', 'CHANNEL_CREATE'],
    ],
    ['they leave', inHarbour({ departed: [{ user: 'river' }] }), []],
    ['another is given a role', inHarbour({ members: [{ user: 'otter', roles: [] }] }), []],
  ])('emits the expected events: %s', async (_, change, expected) => {
    const { emulator, types } = await rpcWorld(crewOnly);
    await emulator.apply(change);
    expect(types()).toEqual(expected);
  });

  it('emits the guild first when the logged-in user returns', async () => {
    const { emulator, types } = await rpcWorld(inHarbour({ departed: [{ user: 'river' }] }));
    expect(emulator.guild(ids.harbour)).toBeUndefined();
    expect(emulator.channels().map(({ guild_id }) => guild_id)).not.toContain(ids.harbour);
    await emulator.apply(inHarbour({ departed: [{ user: 'river', remove: true }] }));
    expect(types()).toEqual(['GUILD_CREATE', 'CHANNEL_CREATE', 'CHANNEL_CREATE']);
    expect(emulator.guild(ids.harbour)).toMatchObject({ name: 'Harbour' });
  });

  it('removes users from voice channels that they can no longer join', async () => {
    const { emulator } = await emulatorWorld(inHarbour({ members: [{ user: 'otter' }] }));
    emulator.calls.join(ids.otter, ids.quay);
    await emulator.apply(inHarbour({ roles: [{ id: ids.harbour, permissions: [] }] }));
    // The owner stays.
    expect(emulator.calls.in(ids.quay).map(({ user }) => user)).toEqual([ids.heron]);
    await emulator.apply(
      inHarbour({ roles: [{ id: ids.harbour, permissions: ['VIEW_CHANNEL', 'CONNECT'] }] }),
    );
    emulator.calls.join(ids.otter, ids.quay);
    await emulator.apply({
      guilds: [
        { id: ids.harbour, members: [{ user: 'otter', remove: true }], departed: [{ user: 'otter' }] },
      ],
    });
    expect(emulator.calls.of(ids.otter)).toBeUndefined();
  });
});
