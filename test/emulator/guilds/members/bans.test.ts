import { describe, expect, it } from 'vitest';
import { memberOf } from '../../../../src/emulator/guilds/members/membership.ts';
import type { Permission } from '../../../../src/emulator/kernel/permission-bits.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { guildPlatform, ROLES } from '../../../helpers/guild-platform.ts';

const DAY_MS = 86_400_000;

describe('a ban', () => {
  it('removes a member and their recent messages, and can be lifted', async () => {
    const { ask, emulator, audited } = await guildPlatform(['BAN_MEMBERS']);
    const isMember = () => memberOf(emulator.tables, ids.riverBank, ids.otter) !== undefined;
    const now = emulator.clock.now();
    emulator.clock.set(now - 2 * 3600 * 1000);
    const old = emulator.messages.send(ids.general, 'old', ids.otter);
    emulator.clock.set(now);
    const fresh = emulator.messages.send(ids.general, 'fresh', ids.otter);
    const elsewhere = emulator.messages.send(ids.arrivals, 'elsewhere', ids.otter);
    const json = { delete_message_seconds: 3600 };
    const headers = { 'x-audit-log-reason': 'splash' };
    expect((await ask(`PUT /bans/${ids.otter}`, { json, headers })).status).toBe(204);
    expect(isMember()).toBe(false);
    const left = [old, fresh, elsewhere].map(({ id }) => emulator.tables.messages.has(id));
    expect(left).toEqual([true, false, true]);
    expect(audited()).toMatchObject({ action_type: 22, target: ids.otter, reason: 'splash' });
    const { body } = await ask('GET /bans');
    expect(body).toMatchObject([{ reason: 'splash', user: { id: ids.otter } }]);
    expect((await ask(`GET /bans/${ids.otter}`)).body).toEqual(body[0]);
    expect((await ask(`GET /bans?after=${ids.otter}`)).body).toEqual([]);
    expect((await ask(`GET /bans?before=${ids.otter}`)).body).toEqual([]);
    expect((await ask(`DELETE /bans/${ids.otter}`)).status).toBe(204);
    expect(audited()).toMatchObject({ action_type: 23 });
    expect((await ask(`GET /bans/${ids.otter}`)).body.code).toBe(10026);
    expect(isMember()).toBe(false);
  });

  it('of many users reports the users who could not be banned', async () => {
    const { ask, refused } = await guildPlatform(['BAN_MEMBERS', 'MANAGE_GUILD']);
    const json = { user_ids: [ids.otter, ids.river, '5'] };
    expect((await ask('POST /bulk-ban', { json })).body).toEqual({
      banned_users: [ids.otter],
      failed_users: [ids.river, '5'],
    });
    expect((await refused('POST /bulk-ban', { json })).body.code).toBe(500000);
  });

  it.each<[string, string, unknown, number, number, readonly Permission[]]>([
    ['without the right', `PUT /bans/${ids.otter}`, {}, 403, 50013, []],
    ['of the owner', `PUT /bans/${ids.river}`, {}, 403, 50013, ['BAN_MEMBERS']],
    ['of nobody', 'PUT /bans/5', {}, 404, 10013, ['BAN_MEMBERS']],
    [
      'with too many seconds',
      `PUT /bans/${ids.otter}`,
      { delete_message_seconds: 604801 },
      400,
      50035,
      ['BAN_MEMBERS'],
    ],
    ['that is none', `DELETE /bans/${ids.otter}`, undefined, 404, 10026, ['BAN_MEMBERS']],
    ['of many without both rights', 'POST /bulk-ban', { user_ids: [ids.otter] }, 403, 50013, ['BAN_MEMBERS']],
    ['of none', 'POST /bulk-ban', { user_ids: [] }, 400, 50035, ['ADMINISTRATOR']],
    ['of one twice', 'POST /bulk-ban', { user_ids: [ids.otter, ids.otter] }, 400, 50035, ['ADMINISTRATOR']],
  ])('is refused %s', async (_, what, json, status, code, permissions) => {
    const { refused } = await guildPlatform(permissions);
    const answer = await refused(what, json === undefined ? {} : { json });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
});

describe('a prune', () => {
  it('removes inactive members, by days and roles [P-11]', async () => {
    const { ask, emulator, guild, audited, may, refused } = await guildPlatform(['KICK_MEMBERS']);
    const isMember = (user: string) => memberOf(emulator.tables, ids.riverBank, user) !== undefined;
    expect((await refused('GET /prune')).body.code).toBe(50013);
    await may('KICK_MEMBERS', 'MANAGE_GUILD');
    await guild({ owner: 'river', members: [{ user: 'heron', roles: [ROLES.crew] }] });
    emulator.messages.send(ids.general, 'here', ids.otter);
    expect((await ask('GET /prune?days=1')).body).toEqual({ pruned: 0 });
    emulator.clock.set(emulator.clock.now() + 2 * DAY_MS);
    expect((await ask('GET /prune?days=1')).body).toEqual({ pruned: 1 });
    expect((await ask('GET /prune')).body).toEqual({ pruned: 0 });
    // Heron talks in the other guild.
    emulator.calls.leave(ids.heron);
    expect((await ask(`GET /prune?days=1&include_roles=${ROLES.crew}`)).body).toEqual({ pruned: 2 });
    const roles = `${ROLES.crew},${ids.riverBank}`;
    expect((await ask(`GET /prune?days=1&include_roles=${roles}`)).body).toEqual({ pruned: 2 });
    const json = { days: 1, compute_prune_count: false };
    expect((await ask('POST /prune', { json })).body).toEqual({ pruned: null });
    expect([isMember(ids.otter), isMember(ids.heron), isMember(ids.river)]).toEqual([false, true, true]);
    expect(audited()).toMatchObject({
      action_type: 21,
      target: null,
      options: [
        { key: 'delete_member_days', value: '1' },
        { key: 'members_removed', value: '1' },
      ],
    });
    const named = { days: 1, include_roles: [ROLES.crew] };
    expect((await ask('POST /prune', { json: named })).body).toEqual({ pruned: 1 });
  });

  it('requires ADMINISTRATOR when the guild has PRUNE_REQUIRES_ADMIN, and is rate limited [P-11]', async () => {
    const { ask, refused, guild, may } = await guildPlatform(['KICK_MEMBERS', 'MANAGE_GUILD']);
    await guild({ features: ['PRUNE_REQUIRES_ADMIN'] });
    expect((await refused('GET /prune')).body.code).toBe(50013);
    expect((await refused('POST /prune', { json: {} })).body.code).toBe(50013);
    await may('ADMINISTRATOR');
    for (let time = 0; time < 10; time += 1)
      expect((await ask('POST /prune', { json: {} })).status).toBe(200);
    expect((await refused('POST /prune', { json: {} })).body.code).toBe(30040);
  });

  it.each<[string, unknown]>([
    ['GET /prune?days=31', undefined],
    ['GET /prune?include_roles=x', undefined],
    ['POST /prune', { days: 0 }],
    ['POST /prune', { include_roles: ['x'] }],
    ['POST /prune', { compute_prune_count: 'no' }],
  ])('is refused as %s %j', async (what, json) => {
    const { refused } = await guildPlatform(['ADMINISTRATOR']);
    const { status, body } = await refused(what, json === undefined ? {} : { json });
    expect([status, body.code]).toEqual([400, 50035]);
  });
});

describe('a ban without a body', () => {
  it.each(['application/octet-stream', 'application/json', 'application/json; charset=utf-8', ''])(
    'reads the query with the content type "%s"',
    async (type) => {
      const { ask, emulator } = await guildPlatform(['BAN_MEMBERS']);
      const left = { headers: type === '' ? {} : { 'content-type': type }, body: '' };
      const { id } = emulator.messages.send(ids.general, 'fresh', ids.otter);
      expect((await ask(`PUT /bans/${ids.otter}?delete_message_seconds=3600`, left)).status).toBe(204);
      expect(emulator.tables.messages.has(id)).toBe(false);
      expect((await ask(`DELETE /bans/${ids.otter}`, left)).status).toBe(204);
    },
  );
  it('deletes messages by the days of the query too, and is refused when the days are invalid', async () => {
    const { ask, emulator } = await guildPlatform(['BAN_MEMBERS']);
    const { id } = emulator.messages.send(ids.general, 'fresh', ids.otter);
    const wrong = await ask(`PUT /bans/${ids.otter}?delete_message_days=8`);
    expect(wrong).toMatchObject({ status: 400, body: { code: 50035, errors: { delete_message_days: {} } } });
    expect((await ask(`PUT /bans/${ids.otter}?delete_message_days=1`)).status).toBe(204);
    expect(emulator.tables.messages.has(id)).toBe(false);
  });
});
