import { describe, expect, it } from 'vitest';
import type { Permission } from '../../../../src/emulator/kernel/permission-bits.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { guildPlatform, ROLES } from '../../../helpers/guild-platform.ts';
import { dataUri, gif, png } from '../../../helpers/media-bytes.ts';
import { APP } from '../../../helpers/platform.ts';

const CREATE = ['CREATE_GUILD_EXPRESSIONS'] as const;
const headers = { 'x-audit-log-reason': 'spring%20tide' };
const wave = { name: 'wave', image: dataUri(png()) };

describe('the emoji of a guild', () => {
  it('are created with CREATE_GUILD_EXPRESSIONS, audited with the reason, and served unchanged [N-5]', async () => {
    const { ask, audited, url, emulator } = await guildPlatform(CREATE);
    const picture = gif({ frames: 2 });
    const json = { name: 'wave', image: dataUri(picture, 'image/png'), roles: [ROLES.crew] };
    const made = await ask('POST /emojis', { json, headers });
    expect(made).toMatchObject({
      status: 201,
      body: {
        name: 'wave',
        roles: [ROLES.crew],
        user: { id: APP },
        require_colons: true,
        managed: false,
        animated: true,
        available: true,
      },
    });
    const { id } = made.body;
    expect(audited()).toMatchObject({
      action_type: 60,
      user: APP,
      target: id,
      reason: 'spring tide',
      changes: expect.arrayContaining([{ key: 'name', old_value: null, new_value: '"wave"' }]),
    });
    expect((await ask('GET /emojis')).body).toEqual([made.body]);
    expect((await ask(`GET /emojis/${id}`)).body).toEqual(made.body);
    const { user: _, ...withoutUser } = made.body;
    expect((await ask('GET ')).body.emojis).toEqual([withoutUser]);
    const served = await fetch(new URL(`/emojis/${id}.webp`, url), { headers: { 'sec-fetch-site': 'none' } });
    expect(served.headers.get('content-type')).toBe('image/gif');
    expect(Buffer.from(await served.arrayBuffer()).equals(picture)).toBe(true);
    expect((await ask(`DELETE /emojis/${id}`, { headers })).status).toBe(204);
    expect(audited()).toMatchObject({ action_type: 62, target: id, reason: 'spring tide' });
    // Nobody names the bytes any more.
    expect((await fetch(new URL(`/emojis/${id}.gif`, url))).status).toBe(404);
    expect([...emulator.tables.emojis]).toEqual([]);
  });

  it('are changed by their creator with either permission, by others with MANAGE_GUILD_EXPRESSIONS', async () => {
    const { ask, refused, may, guild, audited } = await guildPlatform(CREATE);
    await guild({ emojis: [{ id: '970', name: 'theirs', user: 'otter' }] });
    const { id } = (await ask('POST /emojis', { json: wave })).body;
    const changed = await ask(`PATCH /emojis/${id}`, { json: { name: 'swell', roles: [ROLES.crew] } });
    expect(changed).toMatchObject({ status: 200, body: { name: 'swell', roles: [ROLES.crew] } });
    expect(audited()).toMatchObject({
      action_type: 61,
      changes: [
        { key: 'name', old_value: '"wave"', new_value: '"swell"' },
        { key: 'roles', old_value: '[]', new_value: `["${ROLES.crew}"]` },
      ],
    });
    expect((await ask(`PATCH /emojis/${id}`, { json: { roles: null } })).body).toMatchObject({ roles: [] });
    expect((await refused('PATCH /emojis/970', { json: { name: 'mine' } })).body.code).toBe(50013);
    expect((await refused('DELETE /emojis/970')).body.code).toBe(50013);
    await may('MANAGE_GUILD_EXPRESSIONS');
    expect((await ask('PATCH /emojis/970', { json: { name: 'mine' } })).status).toBe(200);
    expect((await ask(`PATCH /emojis/${id}`, { json: { name: 'mine' } })).status).toBe(200);
    await may();
    expect((await refused(`DELETE /emojis/${id}`)).body.code).toBe(50013);
    // Who made them is not for everybody.
    expect((await ask('GET /emojis')).body.map(({ user }: { user?: object }) => user)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('are limited by the guild, static and animated ones separately', async () => {
    const { ask, refused, guild } = await guildPlatform(CREATE);
    await guild({ emojis: Array.from({ length: 50 }, (_, at) => ({ id: `${5000 + at}`, name: 'full' })) });
    expect((await refused('POST /emojis', { json: wave })).body).toEqual({
      message: 'Maximum number of emojis reached (50)',
      code: 30008,
    });
    const moving = { name: 'moves', image: dataUri(gif({ frames: 2 })) };
    expect((await ask('POST /emojis', { json: moving })).status).toBe(201);
    await guild({ premium_tier: 1 });
    expect((await ask('POST /emojis', { json: wave })).status).toBe(201);
    await guild({
      premium_tier: 0,
      features: ['MORE_EMOJI'],
      emojis: Array.from({ length: 199 }, (_, at) => ({ id: `${6000 + at}`, name: 'full', animated: true })),
    });
    expect((await ask('POST /emojis', { json: wave })).status).toBe(201);
    expect((await refused('POST /emojis', { json: moving })).body.code).toBe(30018);
  });
});

describe('a guild emoji request is refused:', () => {
  it.each<[string, string, unknown, number, number, (readonly Permission[])?]>([
    ['no right', 'POST /emojis', wave, 403, 50013, ['MANAGE_GUILD_EXPRESSIONS']],
    ['no name', 'POST /emojis', { image: wave.image }, 400, 50035],
    ['a name that is too short', 'POST /emojis', { ...wave, name: 'w' }, 400, 50035],
    ['a name that is too long', 'POST /emojis', { ...wave, name: 'w'.repeat(33) }, 400, 50035],
    ['a name with a blank', 'POST /emojis', { ...wave, name: 'a wave' }, 400, 50035],
    ['a name that is a number', 'POST /emojis', { ...wave, name: 77 }, 400, 50035],
    ['no picture', 'POST /emojis', { name: 'wave' }, 400, 50035],
    [
      'a picture that is none',
      'POST /emojis',
      { ...wave, image: dataUri(Buffer.from('<svg/>')) },
      400,
      50035,
    ],
    ['a picture elsewhere', 'POST /emojis', { ...wave, image: 'https://example.test/x.png' }, 400, 50035],
    [
      'a picture above 256 KiB',
      'POST /emojis',
      { ...wave, image: dataUri(png({ filler: 256 * 1024 })) },
      400,
      50035,
    ],
    ['roles that are no list', 'POST /emojis', { ...wave, roles: ROLES.crew }, 400, 50035],
    ['a role of another guild', 'POST /emojis', { ...wave, roles: [ids.harbour] }, 400, 50035],
    ['an emoji that is none', 'GET /emojis/1', undefined, 404, 10014],
    ['a change of none', 'PATCH /emojis/1', { name: 'wave' }, 404, 10014],
    ['a change to a bad name', 'PATCH /emojis/970', { name: '~' }, 400, 50035],
    ['a removal of none', 'DELETE /emojis/1', undefined, 404, 10014],
    ['an id that is none', 'GET /emojis/wave', undefined, 400, 50035],
  ])('%s: %s', async (_, what, json, status, code, permissions = ['ADMINISTRATOR']) => {
    const { refused, guild } = await guildPlatform(permissions);
    await guild({ emojis: [{ id: '970', name: 'wave' }] });
    const answer = await refused(what, json === undefined ? {} : { json });
    expect(answer).toMatchObject({ status, body: { code } });
  });

  it('a picture that is too large or invalid, by its field', async () => {
    const { refused } = await guildPlatform(CREATE);
    const large = await refused('POST /emojis', {
      json: { ...wave, image: dataUri(png({ filler: 256 * 1024 })) },
    });
    expect(large.body.errors.image._errors).toEqual([
      { code: 'BINARY_TYPE_MAX_SIZE', message: 'File cannot be larger than 256.0 kb.' },
    ]);
    const none = await refused('POST /emojis', { json: { ...wave, image: dataUri(Buffer.from('x')) } });
    expect(none.body.errors.image._errors[0].code).toBe('IMAGE_INVALID');
  });

  it('the token of a user, and a bot that is not a member [R-7]', async () => {
    const { call, bearer, bot, guild, emulator } = await guildPlatform(CREATE);
    const path = `/guilds/${ids.riverBank}/emojis`;
    expect(await call(`GET ${path}`, { headers: await bearer() })).toMatchObject({ status: 403 });
    await guild({ members: [{ user: APP, remove: true }] });
    const before = emulator.exportState();
    expect(await call(`POST ${path}`, { headers: bot(), json: wave })).toMatchObject({
      status: 403,
      body: { code: 50001 },
    });
    expect(emulator.exportState()).toBe(before);
    expect((await call('GET /guilds/1/emojis', { headers: bot() })).body.code).toBe(10004);
  });
});

describe('the emoji of an application', () => {
  it('are created, listed, renamed and deleted only by its bot', async () => {
    const { call, bot, url, emulator } = await guildPlatform([]);
    const own = `/applications/${APP}/emojis`;
    const asked = { headers: bot() };
    const made = await call(`POST ${own}`, { ...asked, json: wave });
    expect(made).toMatchObject({ status: 201, body: { name: 'wave', roles: [], user: { id: APP } } });
    const { id } = made.body;
    expect((await call(`GET ${own}`, asked)).body).toEqual({ items: [made.body] });
    expect((await call(`PATCH ${own}/${id}`, { ...asked, json: { name: 'swell' } })).body.name).toBe('swell');
    expect((await fetch(new URL(`/emojis/${id}.png`, url))).status).toBe(200);
    const before = emulator.exportState();
    for (const [what, json, code] of [
      [`GET ${own}/1`, undefined, 10014],
      [`PATCH ${own}/1`, { name: 'swell' }, 10014],
      [`DELETE ${own}/1`, undefined, 10014],
      [`POST ${own}`, { ...wave, name: '?' }, 50035],
      [`PATCH ${own}/${id}`, { name: 5 }, 50035],
      ['GET /applications/300000000000000009/emojis', undefined, 10002],
    ] as const) {
      expect((await call(what, { ...asked, ...(json === undefined ? {} : { json }) })).body.code).toBe(code);
    }
    expect(emulator.exportState()).toBe(before);
    expect((await call(`DELETE ${own}/${id}`, asked)).status).toBe(204);
    expect((await call(`GET ${own}`, asked)).body).toEqual({ items: [] });
  });

  it('are limited to 2000', async () => {
    const { call, bot, emulator } = await guildPlatform([]);
    await emulator.apply({
      application_emojis: Array.from({ length: 2000 }, (_, at) => ({
        id: `${5000 + at}`,
        name: 'full',
        application: APP,
      })),
    });
    const answer = await call(`POST /applications/${APP}/emojis`, { headers: bot(), json: wave });
    expect(answer).toMatchObject({ status: 400, body: { code: 30008 } });
  });
});
