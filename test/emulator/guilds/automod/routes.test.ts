import { describe, expect, it } from 'vitest';
import type { Permission } from '../../../../src/emulator/kernel/permission-bits.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { guildPlatform, ROLES } from '../../../helpers/guild-platform.ts';

const RULES = '/auto-moderation/rules';
const KEYWORD = {
  name: 'No cats',
  event_type: 1,
  trigger_type: 1,
  trigger_metadata: { keyword_filter: ['cat*'], regex_patterns: ['(b|c)at'], allow_list: ['cattle'] },
  actions: [{ type: 1, metadata: { custom_message: 'No.' } }],
};

describe('an AutoMod rule', () => {
  it('is disabled when it is created, updated in parts, logged, and deleted', async () => {
    const { ask, audited } = await guildPlatform(['MANAGE_GUILD', 'VIEW_AUDIT_LOG']);
    const made = (await ask(`POST ${RULES}`, { json: KEYWORD })).body;
    expect(made).toMatchObject({ ...KEYWORD, enabled: false, exempt_roles: [], exempt_channels: [] });
    expect(audited()).toMatchObject({ action_type: 140, target: made.id });
    const headers = { 'x-audit-log-reason': 'spring' };
    const json = { enabled: true, exempt_roles: [ROLES.crew], trigger_metadata: { allow_list: null } };
    const changed = (await ask(`PATCH ${RULES}/${made.id}`, { json, headers })).body;
    expect(changed).toMatchObject({
      name: 'No cats',
      enabled: true,
      exempt_roles: [ROLES.crew],
      trigger_metadata: { keyword_filter: ['cat*'], allow_list: [] },
    });
    expect(audited()).toMatchObject({ action_type: 141, reason: 'spring' });
    const log = (await ask('GET /audit-logs?action_type=141')).body;
    expect(log).toMatchObject({
      audit_log_entries: [{ target_id: made.id }],
      auto_moderation_rules: [changed],
    });
    expect((await ask(`GET ${RULES}`)).body).toEqual([changed]);
    expect((await ask(`GET ${RULES}/${made.id}`)).body).toEqual(changed);
    expect((await ask(`DELETE ${RULES}/${made.id}`)).status).toBe(204);
    expect(audited()).toMatchObject({ action_type: 142, target: made.id });
    expect((await ask(`GET ${RULES}/${made.id}`)).body.code).toBe(10066);
  });

  it('is one of at most six with keywords, and one of each other type', async () => {
    const { ask, refused } = await guildPlatform(['MANAGE_GUILD']);
    const make = (json: object) => ask(`POST ${RULES}`, { json });
    for (let count = 0; count < 6; count++) expect((await make(KEYWORD)).status).toBe(200);
    const spam = { name: 'Spam', event_type: 1, trigger_type: 3, actions: [{ type: 1 }] };
    expect((await make(spam)).status).toBe(200);
    for (const json of [KEYWORD, spam]) {
      const { body } = await refused(`POST ${RULES}`, { json });
      expect(body.errors.trigger_type._errors[0].code).toBe('AUTO_MODERATION_MAX_RULES_OF_TYPE_EXCEEDED');
    }
  });

  it.each<[string, object, string[]]>([
    ['an event of another kind', { event_type: 2 }, ['event_type']],
    ['no such kind', { trigger_type: 2 }, ['trigger_type']],
    ['a name of another type', { name: 7 }, ['name']],
    ['a name too long', { name: 'x'.repeat(101) }, ['name']],
    ['no actions', { actions: [] }, ['actions']],
    ['an action of another kind', { actions: [{ type: 4 }] }, ['actions', '0', 'type']],
    [
      'an alert to nobody',
      { actions: [{ type: 2, metadata: {} }] },
      ['actions', '0', 'metadata', 'channel_id'],
    ],
    [
      'an alert to another guild',
      { actions: [{ type: 2, metadata: { channel_id: ids.arrivals } }] },
      ['actions', '0', 'metadata', 'channel_id'],
    ],
    [
      'a timeout of no length',
      { actions: [{ type: 3, metadata: {} }] },
      ['actions', '0', 'metadata', 'duration_seconds'],
    ],
    [
      'a timeout too long',
      { actions: [{ type: 3, metadata: { duration_seconds: 2_419_201 } }] },
      ['actions', '0', 'metadata', 'duration_seconds'],
    ],
    [
      'a keyword too long',
      { trigger_metadata: { keyword_filter: ['x'.repeat(61)] } },
      ['trigger_metadata', 'keyword_filter', '0'],
    ],
    [
      'too many patterns',
      { trigger_metadata: { regex_patterns: Array(11).fill('x') } },
      ['trigger_metadata', 'regex_patterns'],
    ],
    [
      'a pattern that is none',
      { trigger_metadata: { regex_patterns: ['('] } },
      ['trigger_metadata', 'regex_patterns', '0'],
    ],
    [
      'a pattern that looks back',
      { trigger_metadata: { regex_patterns: ['(a)\\1'] } },
      ['trigger_metadata', 'regex_patterns', '0'],
    ],
    [
      'a pattern that repeats too much',
      { trigger_metadata: { regex_patterns: ['(?:a?){1000}b'] } },
      ['trigger_metadata', 'regex_patterns', '0'],
    ],
    [
      'a pattern that repeats too much within itself',
      { trigger_metadata: { regex_patterns: ['((a{0,30}){0,30})c'] } },
      ['trigger_metadata', 'regex_patterns', '0'],
    ],
    [
      'a pattern that repeats too much in many places',
      { trigger_metadata: { regex_patterns: ['x{100}'.repeat(6)] } },
      ['trigger_metadata', 'regex_patterns', '0'],
    ],
    [
      'more allowed words than its kind may have',
      { trigger_metadata: { allow_list: Array(101).fill('x') } },
      ['trigger_metadata', 'allow_list'],
    ],
    ['a role of another guild', { exempt_roles: [ids.harbour] }, ['exempt_roles', '0']],
    ['too many channels', { exempt_channels: Array(51).fill(ids.general) }, ['exempt_channels']],
  ])('with %s is refused with the path of the fault', async (_, json, path) => {
    const { refused } = await guildPlatform(['MANAGE_GUILD', 'MODERATE_MEMBERS']);
    const { status, body } = await refused(`POST ${RULES}`, { json: { ...KEYWORD, ...json } });
    expect([status, body.code]).toEqual([400, 50035]);
    const found = path.reduce((at, key) => at?.[key], body.errors);
    expect(found?._errors, JSON.stringify(body.errors)).toHaveLength(1);
  });

  it.each<[string, string, unknown, number, number, readonly Permission[]]>([
    ['a list', 'GET ', undefined, 403, 50013, []],
    ['a rule', 'POST ', KEYWORD, 403, 50013, ['MODERATE_MEMBERS']],
    [
      'a timeout',
      'POST ',
      { ...KEYWORD, actions: [{ type: 3, metadata: { duration_seconds: 60 } }] },
      403,
      50013,
      ['MANAGE_GUILD'],
    ],
    ['one that is none', 'PATCH /9', {}, 404, 10066, ['MANAGE_GUILD']],
    ['to delete one that is none', 'DELETE /9', undefined, 404, 10066, ['MANAGE_GUILD']],
  ])(
    'is refused without the permission, or for an unknown rule: %s',
    async (_, what, json, status, code, may) => {
      const { refused } = await guildPlatform(may);
      const asked = what.replace(' ', ` ${RULES}`);
      const answer = await refused(asked, json === undefined ? {} : { json });
      expect([answer.status, answer.body.code]).toEqual([status, code]);
    },
  );

  it('cannot change its trigger type', async () => {
    const { ask, refused } = await guildPlatform(['MANAGE_GUILD']);
    const { id } = (await ask(`POST ${RULES}`, { json: KEYWORD })).body;
    const { body } = await refused(`PATCH ${RULES}/${id}`, { json: { trigger_type: 3 } });
    expect(body.errors.trigger_type._errors[0].code).toBe('BASE_TYPE_CHOICES');
  });
});
