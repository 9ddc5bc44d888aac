import { describe, expect, it } from 'vitest';
import { ids } from '../../../helpers/emulator-world.ts';
import { guildPlatform, ROLES } from '../../../helpers/guild-platform.ts';

describe('a template', () => {
  it('is a copy of the guild, dirty when the guild changes, and clean after a sync', async () => {
    const { ask, call, guild, emulator } = await guildPlatform(['MANAGE_GUILD']);
    await guild({
      system_channel: ids.general,
      channels: [
        { id: ids.general, parent: ids.category, role_overwrites: [{ role: ROLES.crew, deny: ['SPEAK'] }] },
        { id: '88', name: 'news', type: 'announcement' },
      ],
    });
    const json = { name: 'Boats', description: 'All of them' };
    const made = (await ask('POST /templates', { json })).body;
    expect(made).toMatchObject({
      ...json,
      usage_count: 0,
      source_guild_id: ids.riverBank,
      is_dirty: null,
      creator: { bot: true },
      serialized_source_guild: { name: 'River Bank' },
    });
    const { roles, channels, system_channel_id } = made.serialized_source_guild;
    // The role of the bot is its own.
    expect(roles.map(({ id, name }: { id: number; name: string }) => [id, name])).toEqual([
      [0, '@everyone'],
      [1, 'crew'],
      [2, 'captain'],
    ]);
    const named = (name: string) => channels.find((one: { name: string }) => one.name === name);
    const general = emulator.tables.channels.get(ids.general)?.name ?? '';
    expect(system_channel_id).toBe(String(named(general).id));
    expect(named(general)).toMatchObject({
      type: 0,
      parent_id: String(channels.find(({ type }: { type: number }) => type === 4).id),
      permission_overwrites: [{ id: '1', type: 0, allow: '0', deny: String(1 << 21) }],
    });
    expect(named('news').type).toBe(0);
    expect((await call(`GET /guilds/templates/${made.code}`)).body).toEqual(made);

    await guild({ roles: [{ id: ROLES.crew, name: 'hands' }] });
    expect((await ask('GET /templates')).body).toEqual([{ ...made, is_dirty: true }]);
    emulator.clock.advance(60_000);
    const synced = (await ask(`PUT /templates/${made.code}`)).body;
    expect(synced).toMatchObject({ is_dirty: null, created_at: made.created_at });
    expect(synced.updated_at > made.updated_at).toBe(true);
    expect(synced.serialized_source_guild.roles[1].name).toBe('hands');

    const renamed = await ask(`PATCH /templates/${made.code}`, {
      json: { name: 'Ships', description: null },
    });
    expect(renamed.body).toMatchObject({ name: 'Ships', description: null });
    expect((await ask(`DELETE /templates/${made.code}`)).body).toEqual(renamed.body);
    expect((await call(`GET /guilds/templates/${made.code}`)).body.code).toBe(10057);
  });

  it('has a time of archiving for each channel with threads: the usual one by default', async () => {
    const { ask, guild } = await guildPlatform(['MANAGE_GUILD']);
    await guild({
      channels: [
        { id: '88', name: 'news', type: 'announcement' },
        { id: '89', name: 'logs', type: 'forum', default_auto_archive_duration: 60 },
      ],
    });
    const { channels } = (await ask('POST /templates', { json: { name: 'Boats' } })).body
      .serialized_source_guild;
    const times = new Map<string, unknown>();
    for (const one of channels) times.set(one.name, [one.type, one.default_auto_archive_duration]);
    expect(times.get('news')).toEqual([0, 1440]);
    expect(times.get('logs')).toEqual([15, 60]);
    for (const [type, minutes] of times.values() as Iterable<[number, unknown]>) {
      if (type === 2 || type === 4) expect(minutes).toBeNull();
    }
  });

  it('survives an export and an import', async () => {
    const { ask, emulator } = await guildPlatform(['MANAGE_GUILD']);
    const { body } = await ask('POST /templates', { json: { name: 'Boats' } });
    const text = emulator.exportState();
    await ask(`DELETE /templates/${body.code}`);
    emulator.importState(text, 'state');
    expect((await ask('GET /templates')).body).toEqual([body]);
  });

  it('is limited to one per guild', async () => {
    const { ask, refused } = await guildPlatform(['MANAGE_GUILD']);
    await ask('POST /templates', { json: { name: 'Boats' } });
    const again = await refused('POST /templates', { json: { name: 'Ships' } });
    expect([again.status, again.body.code]).toEqual([400, 30031]);
  });

  it.each<[string, string, unknown, number, number]>([
    ['no name', 'POST /templates', {}, 400, 50035],
    ['a name too long', 'POST /templates', { name: 'x'.repeat(101) }, 400, 50035],
    ['a description too long', 'POST /templates', { name: 'x', description: 'x'.repeat(121) }, 400, 50035],
    ['a name of another type', 'PATCH /templates/boats', { name: 7 }, 400, 50035],
    ['a code that is none', 'PUT /templates/ships', undefined, 404, 10057],
    ['to change one that is none', 'PATCH /templates/ships', {}, 404, 10057],
    ['to delete one that is none', 'DELETE /templates/ships', undefined, 404, 10057],
    ['one of another guild', 'DELETE /templates/quays', undefined, 404, 10057],
  ])('is refused for %s', async (_, what, json, status, code) => {
    const { refused, guild, emulator } = await guildPlatform(['MANAGE_GUILD']);
    const at = '2026-01-01T00:00:00Z';
    const template = { name: 'x', created_at: at, updated_at: at };
    if (what.includes('boats')) await guild({ templates: [{ ...template, code: 'boats' }] });
    await emulator.apply({ guilds: [{ id: ids.harbour, templates: [{ ...template, code: 'quays' }] }] });
    const answer = await refused(what, json === undefined ? {} : { json });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it.each([
    'GET /templates',
    'POST /templates',
    'PUT /templates/x',
    'PATCH /templates/x',
    'DELETE /templates/x',
  ])('requires MANAGE_GUILD for %s', async (what) => {
    const { refused } = await guildPlatform([]);
    const json = /POST|PATCH/.test(what) ? { json: { name: 'x' } } : {};
    expect((await refused(what, json)).body.code).toBe(50013);
  });
});
