import { describe, expect, it } from 'vitest';
import { isIn } from '../../../../src/emulator/guilds/members/membership.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { guildPlatform } from '../../../helpers/guild-platform.ts';

/** Otter and Heron are outside and ask to come in; River, who owns the guild, once did. */
const ASKED = {
  departed: [{ user: 'otter' }],
  join_requests: [
    { id: '91', user: 'river', status: 'APPROVED' },
    {
      id: '92',
      user: 'otter',
      form_responses: [{ field_type: 'PARAGRAPH', label: 'Why?', response: 'Fish' }],
    },
    { id: '93', user: 'otter' },
  ],
};

describe('requests to join', () => {
  it('are listed by status and page', async () => {
    const { ask, guild } = await guildPlatform(['KICK_MEMBERS']);
    await guild(ASKED);
    const list = async (query: string) => {
      const { body } = await ask(`GET /requests${query}`);
      return [body.total, body.guild_join_requests.map(({ id }: { id: string }) => id)];
    };
    expect(await list('')).toEqual([3, ['93', '92', '91']]);
    expect(await list('?status=SUBMITTED&limit=1')).toEqual([2, ['93']]);
    expect(await list('?after=91')).toEqual([3, ['92', '93']]);
    expect(await list('?before=92')).toEqual([3, ['91']]);
    expect((await ask('GET /requests')).body.guild_join_requests[1]).toMatchObject({
      application_status: 'SUBMITTED',
      user: { id: ids.otter },
      form_responses: [{ field_type: 'PARAGRAPH', label: 'Why?', response: 'Fish' }],
      reviewed_at: null,
    });
  });

  it('are answered once, and an approved user becomes a member', async () => {
    const { ask, guild, emulator, refused } = await guildPlatform(['KICK_MEMBERS']);
    await guild(ASKED);
    const rejected = await ask('PATCH /requests/93', {
      json: { action: 'REJECTED', rejection_reason: 'wet' },
    });
    expect(rejected.body).toMatchObject({
      application_status: 'REJECTED',
      rejection_reason: 'wet',
      actioned_by_user: { bot: true },
    });
    expect(isIn(emulator.tables, ids.riverBank, ids.otter)).toBe(false);
    const approved = await ask('PATCH /requests/92', { json: { action: 'APPROVED' } });
    expect(approved.body).toMatchObject({ application_status: 'APPROVED', rejection_reason: null });
    expect(approved.body.reviewed_at).not.toBeNull();
    expect(isIn(emulator.tables, ids.riverBank, ids.otter)).toBe(true);
    expect((await refused('PATCH /requests/92', { json: { action: 'REJECTED' } })).status).toBe(400);
  });

  it.each<[string, string, unknown, number, number]>([
    ['no such status', 'GET /requests?status=LOST', undefined, 400, 50035],
    ['too many', 'GET /requests?limit=101', undefined, 400, 50035],
    ['nothing to do', 'PATCH /requests/92', {}, 400, 50035],
    ['what nobody does', 'PATCH /requests/92', { action: 'STARTED' }, 400, 50035],
    [
      'a reason too long',
      'PATCH /requests/92',
      { action: 'REJECTED', rejection_reason: 'x'.repeat(161) },
      400,
      50035,
    ],
    ['one that is none', 'PATCH /requests/7', { action: 'REJECTED' }, 404, 0],
  ])('are refused for %s', async (_, what, json, status, code) => {
    const { guild, refused } = await guildPlatform(['KICK_MEMBERS']);
    await guild(ASKED);
    const answer = await refused(what, json === undefined ? {} : { json });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('admit no banned user, and require KICK_MEMBERS', async () => {
    const { guild, refused, may } = await guildPlatform(['KICK_MEMBERS']);
    await guild({ ...ASKED, bans: [{ user: 'otter' }] });
    expect((await refused('PATCH /requests/92', { json: { action: 'APPROVED' } })).body.code).toBe(40007);
    await may();
    expect((await refused('GET /requests')).body.code).toBe(50013);
    expect((await refused('PATCH /requests/92', { json: { action: 'APPROVED' } })).body.code).toBe(50013);
  });
});
