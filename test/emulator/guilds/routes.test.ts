import { describe, expect, it } from 'vitest';
import { EmulatorClock } from '../../../src/emulator/kernel/clock.ts';
import { bitsOf, type Permission } from '../../../src/emulator/kernel/permission-bits.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { guildPlatform } from '../../helpers/guild-platform.ts';
import { dataUri, png } from '../../helpers/media-bytes.ts';
import { APP, testPlatform } from '../../helpers/platform.ts';
import { rpcFeed } from '../../helpers/rpc-feed.ts';

const names = (body: readonly { id: string }[]) => body.map(({ id }) => id);

describe('a guild', () => {
  it('is returned whole, with counts on request', async () => {
    const { ask } = await guildPlatform();
    const { body } = await ask('GET ');
    expect(body).toMatchObject({ id: ids.riverBank, name: 'River Bank', owner_id: ids.river, nsfw: false });
    expect(names(body.roles)).toContain(ids.riverBank);
    expect(body).not.toHaveProperty('approximate_member_count');
    const counted = await ask('GET ?with_counts=true');
    // River is logged in, and sees that Heron is online.
    expect(counted.body).toMatchObject({ approximate_member_count: 4, approximate_presence_count: 2 });
  });

  it('is changed with MANAGE_GUILD, audited, and reported to apps over RPC', async () => {
    const { ask, audited, emulator } = await guildPlatform(['MANAGE_GUILD']);
    const told = rpcFeed(emulator).types;
    const json = { name: 'Bank', afk_channel_id: ids.lounge, verification_level: 2, description: 'Wet' };
    const headers = { 'x-audit-log-reason': 'tide' };
    expect((await ask('PATCH ', { json, headers })).body).toMatchObject(json);
    expect(told()).toEqual(['GUILD_STATUS']);
    expect(emulator.guild(ids.riverBank)?.name).toBe('Bank');
    expect(audited()).toMatchObject({
      action_type: 1,
      reason: 'tide',
      changes: expect.arrayContaining([{ key: 'name', old_value: '"River Bank"', new_value: '"Bank"' }]),
    });
    const back = await ask('PATCH ', { json: { afk_channel_id: null, description: null } });
    expect(back.body).toMatchObject({ afk_channel_id: null, description: null, name: 'Bank' });
  });

  it('changes only the features that members may set, and preserves all others', async () => {
    const { ask, guild, refused, may } = await guildPlatform(['MANAGE_GUILD']);
    await guild({ features: ['BANNER'] });
    const json = { features: ['INVITES_DISABLED', 'VERIFIED'] };
    expect((await ask('PATCH ', { json })).body.features).toEqual(['BANNER', 'INVITES_DISABLED']);
    expect((await refused('PATCH ', { json: { features: ['COMMUNITY'] } })).body.code).toBe(50013);
    await may('ADMINISTRATOR');
    expect((await ask('PATCH ', { json: { features: ['COMMUNITY'] } })).body.features).toEqual([
      'BANNER',
      'COMMUNITY',
    ]);
  });

  it.each<[string, unknown, number, number, readonly Permission[]]>([
    ['without the right', { name: 'xx' }, 403, 50013, []],
    ['a name too short', { name: 'x' }, 400, 50035, ['MANAGE_GUILD']],
    ['a name of another type', { name: null }, 400, 50035, ['MANAGE_GUILD']],
    ['a channel of another type', { afk_channel_id: ids.general }, 400, 50035, ['MANAGE_GUILD']],
    ['a channel of another guild', { system_channel_id: ids.arrivals }, 400, 50035, ['MANAGE_GUILD']],
    ['a level that is none', { verification_level: 5 }, 400, 50035, ['MANAGE_GUILD']],
    ['a banner without the feature', { banner: dataUri(png()) }, 400, 50035, ['MANAGE_GUILD']],
    ['a picture that is none', { home_header: 'x' }, 400, 50035, ['MANAGE_GUILD']],
  ])('refuses %s', async (_, json, status, code, permissions) => {
    const { refused } = await guildPlatform(permissions);
    const answer = await refused('PATCH ', { json });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('cannot be created by an app [P-21]', async () => {
    const { call, bot } = await testPlatform();
    const { status, body } = await call('POST /guilds', { headers: bot(), json: { name: 'Mine' } });
    expect([status, body]).toEqual([404, { message: '404: Not Found', code: 0 }]);
  });
});

describe('the guilds of the requester', () => {
  const many = {
    guilds: ['61', '62', '63'].map((id) => ({ id, name: `G${id}`, members: [{ user: APP }] })),
  };

  it('are those of the bot or of the user, by id and page [P-10]', async () => {
    const { call, bot, bearer, emulator } = await guildPlatform();
    await emulator.apply(many);
    const list = async (query: string, headers: Readonly<Record<string, string>>) =>
      names((await call(`GET /users/@me/guilds${query}`, { headers })).body);
    expect(await list('', bot())).toEqual(['61', '62', '63', ids.riverBank]);
    const person = await bearer(['guilds']);
    expect(await list('', person)).toEqual(['61', '62', '63', ids.riverBank, ids.harbour]);
    expect(await list('?limit=2&after=61', person)).toEqual(['62', '63']);
    expect(await list(`?limit=2&before=${ids.riverBank}`, person)).toEqual(['62', '63']);
    const { body } = await call('GET /users/@me/guilds?with_counts=1', { headers: bot() });
    expect(body[3]).toMatchObject({
      owner: false,
      approximate_member_count: 4,
      approximate_presence_count: 2,
    });
    expect(BigInt(body[3].permissions) & bitsOf('MANAGE_ROLES')).toBe(bitsOf('MANAGE_ROLES'));
    const mine = await call('GET /users/@me/guilds', { headers: person });
    expect(mine.body.find(({ id }: { id: string }) => id === ids.riverBank).owner).toBe(true);
    const poor = await call('GET /users/@me/guilds', { headers: await bearer(['identify']) });
    expect(poor.body.code).toBe(50026);
  });

  it('are those of a shard, for an application with large sharding [P-10, R-1]', async () => {
    const { call, bot, emulator } = await guildPlatform();
    const [even, odd] = [String(2n << 22n), String(3n << 22n)];
    await emulator.apply({
      applications: [{ id: APP, max_concurrency: 2 }],
      guilds: [even, odd].map((id) => ({ id, name: id, members: [{ user: APP }] })),
    });
    const ask = (query: string) => call(`GET /users/@me/guilds${query}`, { headers: bot() });
    const missing = await ask('');
    expect([missing.status, missing.body.code]).toEqual([400, 50035]);
    expect(missing.body.errors.shard._errors[0].code).toBe('BASE_TYPE_REQUIRED');
    const found = (await Promise.all(['?shard=0', '?shard=1'].map(ask))).map(({ body }) => names(body));
    expect(found[0]).toContain(even);
    expect(found[0]).not.toContain(odd);
    expect(found[1]).toContain(odd);
    expect(found.flat().sort()).toEqual([even, odd, ids.riverBank].sort());
    expect((await ask('?shard=2')).status).toBe(400);
    const gateway = await call('GET /gateway/bot', { headers: bot() });
    expect(gateway.body).toMatchObject({ shards: 2, session_start_limit: { max_concurrency: 2 } });
  });

  it('can be left by the bot, whose role is then deleted', async () => {
    const { call, bot, emulator, guild } = await guildPlatform();
    const leave = () => call(`DELETE /users/@me/guilds/${ids.riverBank}`, { headers: bot() });
    await guild({ owner: APP });
    expect((await leave()).body.code).toBe(50055);
    await guild({ owner: 'river' });
    expect((await leave()).status).toBe(204);
    expect([...emulator.tables.roles.by('bot', APP)]).toEqual([]);
    expect((await leave()).body.code).toBe(50001);
  });
});

describe('the channels of a guild', () => {
  it('are all until 2026-11-16, and only the visible ones from then on [E-2, K-17]', async () => {
    const { ask, guild, emulator, call, bearer } = await guildPlatform([]);
    expect(emulator.clock).toBeInstanceOf(EmulatorClock);
    const hidden = [{ role: ids.riverBank, deny: ['VIEW_CHANNEL'] }];
    await guild({
      channels: [
        { id: ids.general, role_overwrites: hidden },
        { id: ids.category, role_overwrites: hidden },
        { id: ids.lounge, parent: ids.category },
        { id: '90', name: 'aside', type: 'public_thread', parent: ids.general },
      ],
    });
    emulator.clock.set(Date.parse('2026-11-15T23:59:00Z'));
    const before = (await ask('GET /channels')).body;
    expect(names(before)).toEqual(expect.arrayContaining([ids.general, ids.category, ids.lounge]));
    expect(names(before)).not.toContain('90');
    expect(before.find(({ id }: { id: string }) => id === ids.general)).toMatchObject({
      type: 0,
      permission_overwrites: [{ id: ids.riverBank, type: 0, allow: '0', deny: '1024' }],
    });
    emulator.clock.set(Date.parse('2026-11-16T00:00:00Z'));
    const after = names((await ask('GET /channels')).body);
    expect(after).not.toContain(ids.general);
    // The category of a channel in view.
    expect(after).toEqual(expect.arrayContaining([ids.category, ids.lounge]));
    const owner = await bearer(['guilds.channels.read']);
    const whole = await call(`GET /guilds/${ids.riverBank}/channels`, { headers: owner });
    expect(names(whole.body)).toContain(ids.general);
  });
});

describe('the audit log', () => {
  it('requires VIEW_AUDIT_LOG, and lists 45 days newest first, by user, action type and page', async () => {
    const { ask, refused, may, emulator } = await guildPlatform(['MANAGE_ROLES', 'MANAGE_GUILD']);
    expect((await refused('GET /audit-logs')).body.code).toBe(50013);
    await may('MANAGE_ROLES', 'MANAGE_GUILD', 'VIEW_AUDIT_LOG');
    const headers = { 'x-audit-log-reason': 'why%20not' };
    await ask('PATCH ', { json: { name: 'First' }, headers });
    await ask('POST /roles', { json: { name: 'second' } });
    await ask('PATCH ', { json: { name: 'Third' } });
    const list = async (query = '') =>
      (await ask(`GET /audit-logs${query}`)).body.audit_log_entries as {
        id: string;
        action_type: number;
        reason?: string;
      }[];
    const all = await list();
    expect(all.map(({ action_type }) => action_type)).toEqual([1, 30, 1]);
    expect(all[2]).toMatchObject({
      user_id: APP,
      target_id: ids.riverBank,
      reason: 'why not',
      changes: [{ key: 'name', old_value: 'River Bank', new_value: 'First' }],
    });
    expect(await list('?action_type=30')).toEqual([all[1]]);
    expect(await list('?limit=1')).toEqual([all[0]]);
    expect(await list(`?before=${all[1]?.id}`)).toEqual([all[2]]);
    expect(await list(`?after=${all[2]?.id}`)).toEqual([all[1], all[0]]);
    expect(await list('?after=0&limit=1')).toEqual([all[2]]);
    expect(await list(`?user_id=${ids.otter}`)).toEqual([]);
    expect(await list(`?target_id=${ids.riverBank}`)).toEqual([all[0], all[2]]);
    const { body } = await ask('GET /audit-logs');
    expect(names(body.users)).toEqual([APP]);
    expect((await refused('GET /audit-logs?limit=101')).body.code).toBe(50035);
    emulator.clock.set(emulator.clock.now() + 46 * 86_400_000);
    expect(await list()).toEqual([]);
  });
});
