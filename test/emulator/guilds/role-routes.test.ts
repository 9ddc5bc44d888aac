import { describe, expect, it } from 'vitest';
import { BEGINNERS, bitsOf, type Permission } from '../../../src/emulator/kernel/permission-bits.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { guildPlatform, ROLES } from '../../helpers/guild-platform.ts';
import { APP } from '../../helpers/platform.ts';

const reason = { 'x-audit-log-reason': 'spring%20tide' };

describe('the roles of a guild', () => {
  it('are listed from the lowest, each by its id, with member counts [P-15]', async () => {
    const { ask, guild } = await guildPlatform();
    const { body } = await ask('GET /roles');
    expect(body.map(({ id }: { id: string }) => id)).toEqual([
      ids.riverBank,
      ROLES.crew,
      ROLES.own,
      ROLES.captain,
    ]);
    expect(body[2]).toEqual({
      id: ROLES.own,
      name: 'Tug',
      permissions: String(bitsOf('MANAGE_ROLES')),
      position: 2,
      color: 0,
      colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
      hoist: false,
      managed: true,
      mentionable: false,
      icon: null,
      unicode_emoji: null,
      flags: 0,
      tags: { bot_id: APP },
    });
    expect((await ask(`GET /roles/${ROLES.crew}`)).body).toMatchObject({ name: 'crew', managed: false });
    await guild({
      members: [
        { user: 'otter', roles: [ROLES.crew] },
        { user: 'heron', roles: [ROLES.crew] },
      ],
    });
    const counts = await ask('GET /roles/member-counts');
    expect(counts.body).toEqual({ [ROLES.crew]: 2, [ROLES.own]: 1, [ROLES.captain]: 0 });
  });

  it('gain a new one above @everyone, audited with its reason [O-5]', async () => {
    const { ask, audited } = await guildPlatform();
    const made = await ask('POST /roles', {
      json: { name: 'deck', color: 255, hoist: true },
      headers: reason,
    });
    expect(made).toMatchObject({
      status: 200,
      body: { name: 'deck', color: 255, colors: { primary_color: 255 }, position: 1, hoist: true },
    });
    expect(BigInt(made.body.permissions)).toBe(BEGINNERS);
    expect((await ask('GET /roles')).body.map(({ position }: { position: number }) => position)).toEqual([
      0, 1, 2, 3, 4,
    ]);
    expect(audited()).toMatchObject({
      action_type: 30,
      user: APP,
      target: made.body.id,
      reason: 'spring tide',
      changes: expect.arrayContaining([{ key: 'name', old_value: null, new_value: '"deck"' }]),
    });
    expect((await ask('POST /roles', { json: {} })).body.name).toBe('new role');
  });

  it('have a second color only with the feature, and holographic colors with a third [O-6, N-6]', async () => {
    const { ask, guild, refused } = await guildPlatform();
    const colors = { primary_color: 1, secondary_color: 2 };
    const no = await refused('POST /roles', { json: { colors } });
    expect(no).toMatchObject({ status: 400, body: { code: 50035 } });
    expect(no.body.errors.colors.secondary_color._errors[0].code).toBe('GUILD_FEATURE_MISSING');
    await guild({ features: ['ENHANCED_ROLE_COLORS'] });
    expect((await ask('POST /roles', { json: { colors } })).body).toMatchObject({
      color: 1,
      colors: { primary_color: 1, secondary_color: 2, tertiary_color: null },
    });
    const third = await ask('POST /roles', { json: { colors: { ...colors, tertiary_color: 3 } } });
    expect(third.body.colors).toEqual({
      primary_color: 11127295,
      secondary_color: 16759788,
      tertiary_color: 16761760,
    });
  });

  it('can be changed, moved and deleted, and members lose a deleted role', async () => {
    const { ask, guild, audited, emulator } = await guildPlatform();
    await guild({ members: [{ user: 'otter', roles: [ROLES.crew] }] });
    const changed = await ask(`PATCH /roles/${ROLES.crew}`, { json: { name: 'hands', mentionable: true } });
    expect(changed).toMatchObject({ status: 200, body: { name: 'hands', mentionable: true, position: 1 } });
    expect(audited()).toMatchObject({
      action_type: 31,
      changes: [
        { key: 'name', old_value: '"crew"', new_value: '"hands"' },
        { key: 'mentionable', old_value: 'false', new_value: 'true' },
      ],
    });
    const { id } = (await ask('POST /roles', { json: { name: 'deck' } })).body;
    const moved = await ask('PATCH /roles', { json: [{ id, position: 2 }] });
    expect(moved.body.map((role: { id: string }) => role.id)).toEqual([
      ids.riverBank,
      ROLES.crew,
      id,
      ROLES.own,
      ROLES.captain,
    ]);
    expect((await ask(`DELETE /roles/${ROLES.crew}`, { headers: reason })).status).toBe(204);
    expect(emulator.tables.members.get(ids.riverBank, ids.otter)?.roles).toEqual([]);
    expect(audited()).toMatchObject({ action_type: 32, target: ROLES.crew, reason: 'spring tide' });
    const { length } = [...emulator.tables.audit_log];
    // What changes nothing is not noted.
    await ask(`PATCH /roles/${id}`, { json: { name: 'deck' } });
    expect([...emulator.tables.audit_log]).toHaveLength(length);
  });
});

it('only the permissions of @everyone change; other fields are ignored', async () => {
  const { ask } = await guildPlatform();
  const path = `/roles/${ids.riverBank}`;
  const before = (await ask(`GET ${path}`)).body;
  const json = { name: 'all', hoist: true, mentionable: true, color: 255, colors: { primary_color: 1 } };
  const ignored = await ask(`PATCH ${path}`, { json });
  expect([ignored.status, ignored.body]).toEqual([200, before]);
  const permissions = String(BigInt(before.permissions) ^ bitsOf('MANAGE_ROLES'));
  const changed = await ask(`PATCH ${path}`, { json: { ...json, permissions } });
  expect([changed.status, changed.body]).toEqual([200, { ...before, permissions }]);
});

describe('a role request is refused:', () => {
  it.each<[string, string, unknown, number, number, (readonly Permission[])?]>([
    ['without the right', 'POST /roles', {}, 403, 50013, []],
    ['a permission that the bot has not', 'POST /roles', { permissions: '8' }, 403, 50013],
    ['a role above', `PATCH /roles/${ROLES.captain}`, { name: 'x' }, 403, 50013],
    ['its own role', `PATCH /roles/${ROLES.own}`, { name: 'x' }, 403, 50013],
    ['taking one above out', `DELETE /roles/${ROLES.captain}`, undefined, 403, 50013],
    ['taking that of everybody out', `DELETE /roles/${ids.riverBank}`, undefined, 400, 50028],
    ['moving that of everybody', 'PATCH /roles', [{ id: ids.riverBank, position: 1 }], 400, 50028],
    ['lifting one above its own', 'PATCH /roles', [{ id: ROLES.crew, position: 3 }], 403, 50013],
    ['no such role', 'PATCH /roles', [{ id: '5', position: 3 }], 404, 10011],
    ['no such role', 'PATCH /roles/5', { name: 'x' }, 404, 10011],
    ['no such role', 'GET /roles/5', undefined, 404, 10011],
    ['no id', 'GET /roles/x', undefined, 400, 50035],
    ['a name too long', 'POST /roles', { name: 'x'.repeat(101) }, 400, 50035],
    ['a name of another type', 'POST /roles', { name: 7 }, 400, 50035],
    ['a color beyond all', 'POST /roles', { color: 0x1_00_00_00 }, 400, 50035],
    ['no permissions', 'POST /roles', { permissions: 'many' }, 400, 50035],
    ['a picture without the feature', 'POST /roles', { unicode_emoji: '⚓' }, 400, 50101],
    ['no picture', 'POST /roles', { icon: 'x' }, 400, 50035],
    ['no list', 'PATCH /roles', {}, 400, 50035],
  ])('%s: %s %j', async (_, what, json, status, code, permissions) => {
    const { refused } = await guildPlatform(permissions ?? ['MANAGE_ROLES', 'KICK_MEMBERS']);
    const answer = await refused(what, json === undefined ? {} : { json });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('from outside the guild, in an unknown guild, and without a bot token', async () => {
    const { call, bot, bearer } = await guildPlatform();
    const elsewhere = await call(`GET /guilds/${ids.harbour}/roles`, { headers: bot() });
    expect([elsewhere.status, elsewhere.body]).toEqual([403, { message: 'Missing Access', code: 50001 }]);
    const nowhere = await call('GET /guilds/5/roles', { headers: bot() });
    expect([nowhere.status, nowhere.body]).toEqual([404, { message: 'Unknown Guild', code: 10004 }]);
    const headers = await bearer(['identify']);
    expect((await call(`GET /guilds/${ids.riverBank}/roles`, { headers })).body.code).toBe(20002);
    expect((await call(`GET /guilds/${ids.riverBank}/roles`)).status).toBe(401);
  });

  it('when the guild has 250 roles', async () => {
    const { guild, refused } = await guildPlatform();
    await guild({
      roles: Array.from({ length: 246 }, (_, index) => ({ id: String(1000 + index), name: 'x' })),
    });
    expect((await refused('POST /roles', { json: {} })).body).toMatchObject({ code: 30005 });
  });
});
