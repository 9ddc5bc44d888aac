import { describe, expect, it } from 'vitest';
import type { ApplicationRecord } from '../../../src/emulator/applications/records.ts';
import { defaultFixture } from '../../../src/emulator/compose/fixture/default.ts';
import { installBot, isInstalled } from '../../../src/emulator/guilds/install.ts';
import {
  join,
  joinedAt,
  leave,
  memberOf,
  rolesOf,
  updateMember,
} from '../../../src/emulator/guilds/members/membership.ts';
import type { Guild } from '../../../src/emulator/guilds/records.ts';
import { rolesInOrder } from '../../../src/emulator/guilds/roles/roles.ts';
import { timeOf } from '../../../src/emulator/kernel/snowflake.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { patch, worldOf } from '../../helpers/patched.ts';

const changed = (change: object) => worldOf(patch(defaultFixture(), change).fixture);
const bot = { id: '9', username: 'tug', bot: true };
const now = Date.parse('2030-01-01T00:00:00Z');

describe('the membership of a guild', () => {
  it('includes every user when everyone is a member, but no bot that is not listed', () => {
    const { tables } = changed({ users: [bot] });
    expect(memberOf(tables, ids.harbour, ids.otter)).toMatchObject({ nick: null, roles: [] });
    expect(memberOf(tables, ids.riverBank, ids.heron)).toMatchObject({ nick: 'Heron on the Bank' });
    expect(memberOf(tables, ids.harbour, bot.id)).toBeUndefined();
    expect(memberOf(tables, ids.harbour, '77')).toBeUndefined();
    expect(memberOf(tables, '77', ids.otter)).toBeUndefined();
  });

  it('includes a listed bot and the owner, but no departed user', () => {
    const departed = [{ user: 'otter' }, { user: 'heron' }];
    const guilds = [{ id: ids.harbour, members: [{ user: bot.id }], departed }];
    const { tables } = changed({ users: [bot], guilds });
    expect(memberOf(tables, ids.harbour, bot.id)).toBeDefined();
    expect(memberOf(tables, ids.harbour, ids.otter)).toBeUndefined();
    expect(memberOf(tables, ids.harbour, ids.heron)).toBeDefined();
  });

  it('includes only listed users and the owner, when the guild lists its members', () => {
    const guilds = [{ id: ids.harbour, membership: 'listed', members: [{ user: 'river' }] }];
    const { tables } = changed({ guilds });
    const who = [ids.river, ids.heron, ids.otter].map(
      (id) => memberOf(tables, ids.harbour, id) !== undefined,
    );
    expect(who).toEqual([true, true, false]);
  });
});

describe('a member record', () => {
  it('has the date of joining, or the time of the later id by default', () => {
    const world = changed({ guilds: [{ id: ids.harbour, membership: 'listed' }] });
    const always = memberOf(world.tables, ids.riverBank, ids.otter);
    expect(always && joinedAt(always)).toBe(timeOf(ids.riverBank));
    world.transaction((tables) => join(tables, { guild: ids.harbour, user: ids.otter, now }, { nick: 'O' }));
    const member = memberOf(world.tables, ids.harbour, ids.otter);
    expect(member).toMatchObject({ nick: 'O', joined_at: '2030-01-01T00:00:00.000Z' });
    expect(member && joinedAt(member)).toBe(now);
  });

  it('is removed when the member leaves, and the user may join again', () => {
    const world = worldOf();
    const guild = world.tables.guilds.get(ids.riverBank) as Guild;
    world.transaction((tables) => leave(tables, guild, ids.heron));
    expect(memberOf(world.tables, ids.riverBank, ids.heron)).toBeUndefined();
    expect(memberOf(world.tables, ids.harbour, ids.heron)).toBeDefined();
    world.transaction((tables) => join(tables, { guild: ids.riverBank, user: ids.heron, now }));
    expect(memberOf(world.tables, ids.riverBank, ids.heron)).toMatchObject({ nick: null });
    expect(world.tables.departures.size).toBe(0);
  });

  it('is created at the first change of a member without one', () => {
    const world = worldOf();
    const member = memberOf(world.tables, ids.riverBank, ids.otter);
    world.transaction((tables) => member && updateMember(tables, member, { nick: 'Lontra' }));
    expect(memberOf(world.tables, ids.riverBank, ids.otter)).toMatchObject({
      nick: 'Lontra',
      joined_at: null,
    });
  });
});

describe('an installed bot', () => {
  const guildId = ids.riverBank;

  it('gets a role of its own, above @everyone and below all others', () => {
    const world = changed({ guilds: [{ id: guildId, roles: [{ id: '8', name: 'crew', position: 1 }] }] });
    const application = world.tables.applications.get(ids.harbourExample) as ApplicationRecord;
    expect(isInstalled(world, guildId, application)).toBe(false);
    const role = installBot(world, { guildId, application, permissions: 8n | (1n << 47n), now });
    expect(role).toMatchObject({
      name: 'Harbour Example',
      permissions: '8',
      bot: application.id,
      position: 1,
    });
    expect(isInstalled(world, guildId, application)).toBe(true);
    const order = rolesInOrder(world.tables, guildId).map(({ id, position }) => [id, position]);
    expect(order).toEqual([
      [guildId, 0],
      [role?.id, 1],
      ['8', 2],
    ]);
    const member = memberOf(world.tables, guildId, application.id);
    expect(member && rolesOf(world.tables, member)).toEqual([role]);
  });

  it('keeps its role with new permissions when installed again, and loses the role when it leaves', () => {
    const world = worldOf();
    const application = world.tables.applications.get(ids.harbourExample) as ApplicationRecord;
    const elsewhere = installBot(world, { guildId: ids.harbour, application, permissions: 4n, now });
    const first = installBot(world, { guildId, application, permissions: 8n, now });
    const second = installBot(world, { guildId, application, permissions: 16n, now });
    expect(second).toEqual({ ...first, permissions: '16' });
    world.transaction((tables) => leave(tables, tables.guilds.get(guildId) as Guild, application.id));
    expect(world.tables.roles.has(first?.id ?? '')).toBe(false);
    expect(isInstalled(world, guildId, application)).toBe(false);
    expect(world.tables.roles.get(elsewhere?.id ?? '')).toEqual(elsewhere);
  });

  it('has no role of its own when it requests no permission', () => {
    const world = worldOf();
    const application = world.tables.applications.get(ids.harbourExample) as ApplicationRecord;
    expect(installBot(world, { guildId, application, permissions: 0n, now })).toBeUndefined();
    expect(memberOf(world.tables, guildId, application.id)).toMatchObject({ roles: [] });
  });
});
