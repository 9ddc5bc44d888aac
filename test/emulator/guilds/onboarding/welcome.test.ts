import { describe, expect, it } from 'vitest';
import { ids } from '../../../helpers/emulator-world.ts';
import { guildPlatform } from '../../../helpers/guild-platform.ts';

const SCREEN = '/welcome-screen';

describe('a welcome screen', () => {
  it('is visible to those who manage the guild, and to all members once it is enabled', async () => {
    const { ask, may, audited, refused } = await guildPlatform(['MANAGE_GUILD']);
    expect((await refused(`GET ${SCREEN}`)).body.code).toBe(10069);
    const json = {
      description: 'Ahoy',
      welcome_channels: [
        { channel_id: ids.lounge, description: 'Talk', emoji_id: null, emoji_name: '⛵' },
        { channel_id: ids.general, description: 'Write', emoji_id: '7', emoji_name: 'boat' },
      ],
    };
    const headers = { 'x-audit-log-reason': 'spring' };
    expect((await ask(`PATCH ${SCREEN}`, { json, headers })).body).toEqual(json);
    expect(audited()).toMatchObject({ action_type: 1, reason: 'spring' });
    expect((await ask(`GET ${SCREEN}`)).body).toEqual(json);
    await may();
    expect((await refused(`GET ${SCREEN}`)).body.code).toBe(50013);
    await may('MANAGE_GUILD');
    expect((await ask(`PATCH ${SCREEN}`, { json: { enabled: true } })).body).toEqual(json);
    expect((await ask('GET ')).body.features).toContain('WELCOME_SCREEN_ENABLED');
    await may();
    expect((await ask(`GET ${SCREEN}`)).body).toEqual(json);
  });

  it('loses a channel that is deleted', async () => {
    const { ask, guild } = await guildPlatform(['MANAGE_GUILD']);
    const shown = (channel_id: string) => ({ channel_id, description: 'x' });
    const json = { welcome_channels: [shown(ids.lounge), shown(ids.general)] };
    await ask(`PATCH ${SCREEN}`, { json });
    await guild({ channels: [{ id: ids.lounge, remove: true }] });
    const { body } = await ask(`GET ${SCREEN}`);
    expect(body.welcome_channels).toMatchObject([{ channel_id: ids.general }]);
    expect(
      (await ask(`PATCH ${SCREEN}`, { json: { welcome_channels: null } })).body.welcome_channels,
    ).toEqual([]);
  });

  const shown = (more: object) => ({
    welcome_channels: [{ channel_id: ids.general, description: 'x', ...more }],
  });
  it.each<[string, object, string[]]>([
    ['a description too long', { description: 'x'.repeat(141) }, ['description']],
    [
      'a channel of another guild',
      shown({ channel_id: ids.arrivals }),
      ['welcome_channels', '0', 'channel_id'],
    ],
    ['a channel that is none', shown({ channel_id: 'x' }), ['welcome_channels', '0', 'channel_id']],
    ['no description of one', shown({ description: '' }), ['welcome_channels', '0', 'description']],
    ['too many', { welcome_channels: Array(6).fill(shown({}).welcome_channels[0]) }, ['welcome_channels']],
    [
      'one twice',
      { welcome_channels: Array(2).fill(shown({}).welcome_channels[0]) },
      ['welcome_channels', '1', 'channel_id'],
    ],
    ['another type', { enabled: 'yes' }, ['enabled']],
  ])('with %s is refused at the faulty field', async (_, json, path) => {
    const { refused } = await guildPlatform(['MANAGE_GUILD']);
    const { status, body } = await refused(`PATCH ${SCREEN}`, { json });
    expect([status, body.code]).toEqual([400, 50035]);
    expect(path.reduce((at, key) => at?.[key], body.errors)?._errors).toHaveLength(1);
  });

  it('is changed only with MANAGE_GUILD', async () => {
    const { refused } = await guildPlatform([]);
    expect((await refused(`PATCH ${SCREEN}`, { json: {} })).body.code).toBe(50013);
  });
});

it('the welcome of a new member follows the fixture and omits missing channels', async () => {
  const { ask, guild } = await guildPlatform([]);
  expect((await ask('GET /new-member-welcome')).status).toBe(204);
  const action = (channel: string) => ({ channel, title: 'Talk', description: 'Say hello' });
  await guild({ new_member_welcome: { message: 'Hello', actions: [action(ids.general), action('7')] } });
  expect((await ask('GET /new-member-welcome')).body).toEqual({
    guild_id: ids.riverBank,
    enabled: true,
    welcome_message: { author_ids: [], message: 'Hello' },
    new_member_actions: [
      { channel_id: ids.general, action_type: 0, title: 'Talk', description: 'Say hello' },
    ],
    resource_channels: [],
  });
});
