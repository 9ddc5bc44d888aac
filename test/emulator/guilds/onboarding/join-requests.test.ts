import { describe, expect, it } from 'vitest';
import { isIn } from '../../../../src/emulator/guilds/members/membership.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { guildPlatform } from '../../../helpers/guild-platform.ts';

/** Otter is outside and asks twice to come in; River, who owns the guild, once did, and Heron later. */
const ASKED = {
  features: ['MEMBER_VERIFICATION_GATE_ENABLED', 'MEMBER_VERIFICATION_MANUAL_APPROVAL'],
  departed: [{ user: 'otter' }],
  join_requests: [
    { id: '90', user: 'river', status: 'APPROVED', reviewed_at: '2026-03-01T00:00:00Z' },
    { id: '91', user: 'heron', status: 'APPROVED', reviewed_at: '2026-02-01T00:00:00Z' },
    {
      id: '92',
      user: 'otter',
      form_responses: [{ field_type: 'PARAGRAPH', label: 'Why?', response: 'Fish' }],
    },
    { id: '93', user: 'otter' },
    { id: '94', user: 'otter' },
    { id: '95', user: 'otter', status: 'REJECTED' },
    { id: '96', user: 'otter', status: 'STARTED' },
  ],
};

describe('requests to join', () => {
  /** A snowflake of that day. */
  const on = (day: string) => String(BigInt(Date.parse(day) - 1_420_070_400_000) << 22n);

  it.each<[query: string, answer: [total: number | undefined, ids: readonly string[]]]>([
    ['', [3, ['94', '93', '92']]],
    ['?status=SUBMITTED&limit=1', [3, ['94']]],
    ['?after=92', [3, ['94', '93']]],
    ['?after=91&limit=2', [3, ['93', '92']]],
    ['?before=93', [3, ['92']]],
    ['?after=92&before=93', [3, ['94', '93']]],
    ['?status=APPROVED', [undefined, ['90', '91']]],
    [`?status=APPROVED&before=${on('2026-02-15')}`, [undefined, ['91']]],
    [`?status=APPROVED&after=${on('2026-02-15')}`, [undefined, ['90']]],
    ['?status=REJECTED', [undefined, ['95']]],
    [`?status=REJECTED&before=${on('2016-01-01')}`, [undefined, ['95']]],
    ['?status=STARTED', [undefined, []]],
  ])('are listed by status and page: %s', async (query, answer) => {
    const { ask, guild } = await guildPlatform(['KICK_MEMBERS']);
    await guild(ASKED);
    const { body } = await ask(`GET /requests${query}`);
    expect([body.total, body.guild_join_requests.map(({ id }: { id: string }) => id)]).toEqual(answer);
  });

  it('are listed with their answers', async () => {
    const { ask, guild } = await guildPlatform(['KICK_MEMBERS']);
    await guild(ASKED);
    expect((await ask('GET /requests')).body.guild_join_requests[2]).toMatchObject({
      application_status: 'SUBMITTED',
      user: { id: ids.otter },
      form_responses: [{ field_type: 'PARAGRAPH', label: 'Why?', response: 'Fish' }],
      reviewed_at: null,
    });
  });

  it('are answered once, and an approved user becomes a member', async () => {
    const { ask, guild, emulator } = await guildPlatform(['KICK_MEMBERS']);
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
    const again = await ask('PATCH /requests/92', { json: { action: 'REJECTED', rejection_reason: 'wet' } });
    expect(again).toMatchObject({ status: 200, body: approved.body });
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
    ['one that is not submitted', 'PATCH /requests/96', { action: 'REJECTED' }, 404, 0],
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

  it.each([['MEMBER_VERIFICATION_GATE_ENABLED'], ['MEMBER_VERIFICATION_MANUAL_APPROVAL'], []])(
    'are none in a guild with the feature %s alone',
    async (...features) => {
      const { guild, refused } = await guildPlatform(['KICK_MEMBERS']);
      await guild({ ...ASKED, features });
      for (const [what, json] of [
        ['GET /requests'],
        ['PATCH /requests/92', { action: 'APPROVED' }],
      ] as const) {
        const { status, body } = await refused(what, json === undefined ? {} : { json });
        expect([status, body]).toEqual([
          403,
          {
            code: 0,
            message:
              'The guild has no join requests: its features need MEMBER_VERIFICATION_GATE_ENABLED and MEMBER_VERIFICATION_MANUAL_APPROVAL',
          },
        ]);
      }
    },
  );
});
