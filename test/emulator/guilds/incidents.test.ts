import { describe, expect, it } from 'vitest';
import { ids } from '../../helpers/emulator-world.ts';
import { guildPlatform } from '../../helpers/guild-platform.ts';
import { testPlatform } from '../../helpers/platform.ts';

describe('the incident actions of a guild', () => {
  it('are returned with the guild until they are cleared, and are audited', async () => {
    const { ask, emulator, audited } = await guildPlatform(['MANAGE_GUILD']);
    const until = new Date(emulator.clock.now() + 3_600_000).toISOString();
    const headers = { 'x-audit-log-reason': 'raid' };
    const json = { invites_disabled_until: until };
    const { body } = await ask('PUT /incident-actions', { json, headers });
    expect(Date.parse(body.invites_disabled_until)).toBe(Date.parse(until));
    expect(body.dms_disabled_until).toBeNull();
    expect((await ask('GET ')).body.incidents_data).toEqual(body);
    expect(audited()).toMatchObject({ action_type: 1, reason: 'raid' });
    await ask('PUT /incident-actions', { json: { invites_disabled_until: null } });
    expect((await ask('GET ')).body.incidents_data).toBeNull();
  });

  it.each<[string, (now: number) => object, number]>([
    ['more than a day', (now) => ({ dms_disabled_until: new Date(now + 90_000_000).toISOString() }), 50035],
    ['what is no time', () => ({ invites_disabled_until: 'soon' }), 50035],
    ['another type', () => ({ invites_disabled_until: 7 }), 50035],
  ])('are refused for %s', async (_, json, code) => {
    const { refused, emulator } = await guildPlatform(['MANAGE_GUILD']);
    const answer = await refused('PUT /incident-actions', { json: json(emulator.clock.now()) });
    expect([answer.status, answer.body.code]).toEqual([400, code]);
  });

  it('require MANAGE_GUILD', async () => {
    const { refused } = await guildPlatform([]);
    expect((await refused('PUT /incident-actions', { json: {} })).body.code).toBe(50013);
  });
});

describe('a guild preview', () => {
  it('is available for a guild that the bot is in, and for a discoverable guild', async () => {
    const { emulator, call, bot } = await testPlatform();
    const preview = () => call(`GET /guilds/${ids.riverBank}/preview`, { headers: bot() });
    expect((await preview()).body).toEqual({ message: 'Unknown Guild', code: 10004 });
    await emulator.apply({ guilds: [{ id: ids.riverBank, features: ['DISCOVERABLE'], description: 'Wet' }] });
    expect((await preview()).body).toMatchObject({
      id: ids.riverBank,
      name: 'River Bank',
      description: 'Wet',
      approximate_member_count: 3,
    });
    const { ask } = await guildPlatform([]);
    expect((await ask('GET /preview')).body).toMatchObject({ id: ids.riverBank, features: [] });
  });
});

it('voice regions are available for any guild that the bot is in', async () => {
  const { ask, call, bot } = await guildPlatform([]);
  const { body } = await ask('GET /regions');
  expect(body).toEqual((await call('GET /voice/regions', { headers: bot() })).body);
  expect(body.filter(({ optimal }: { optimal: boolean }) => optimal)).toHaveLength(1);
  const other = await call(`GET /guilds/${ids.harbour}/regions`, { headers: bot() });
  expect([other.status, other.body.code]).toEqual([403, 50001]);
});
