import { describe, expect, it } from 'vitest';
import { ids } from '../../../helpers/emulator-world.ts';
import { guildPlatform } from '../../../helpers/guild-platform.ts';
import { APP, type PlatformAnswer, type PlatformRequest } from '../../../helpers/platform.ts';

const ALL = `/applications/${APP}/commands`;
const GUILD = `/applications/${APP}/guilds/${ids.riverBank}/commands`;
const FERRY = { name: 'ferry', description: 'When it leaves.' };

/** A bot that registers commands, in all guilds unless the path says otherwise. */
async function registering() {
  const platform = await guildPlatform([]);
  const ask = (
    what: string,
    json?: unknown,
    more: PlatformRequest['headers'] = {},
  ): Promise<PlatformAnswer> => {
    const [method, path = ''] = what.split(' ');
    const headers = { ...platform.bot(), ...more };
    const at = path.startsWith('/applications') ? path : `${ALL}${path}`;
    return platform.call(`${method} ${at}`, { headers, ...(json === undefined ? {} : { json }) });
  };
  const { emulator } = platform;
  const rows = () => [...emulator.tables.commands];
  /** Asks for what is refused: fails when the state is not what it was. */
  const refused = async (what: string, json: unknown): Promise<PlatformAnswer> => {
    const before = emulator.exportState();
    const answer = await ask(what, json);
    expect(answer.status, JSON.stringify(answer.body)).toBeGreaterThanOrEqual(400);
    expect(emulator.exportState() === before).toBe(true);
    return answer;
  };
  return { ...platform, ask, rows, refused };
}

const many = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, index) => ({ ...FERRY, name: `ferry-${index}`, ...more }));
const menus = (count: number, type: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `Menu ${index}`, type }));

describe('a command', () => {
  it('is created once, and replaced by name with the same id and another version [W-3]', async () => {
    const { ask } = await registering();
    const made = await ask('POST ', { ...FERRY, default_member_permissions: '32', nsfw: true });
    expect(made).toMatchObject({
      status: 201,
      body: {
        ...FERRY,
        application_id: APP,
        type: 1,
        default_member_permissions: '32',
        dm_permission: true,
        contexts: null,
        integration_types: [0],
        nsfw: true,
      },
    });
    const again = await ask('POST ', { ...FERRY, default_member_permissions: 32, nsfw: true });
    expect(again).toMatchObject({ status: 200, body: made.body });
    const other = await ask('POST ', { ...FERRY, description: 'When it comes back.' });
    expect(other).toMatchObject({
      status: 200,
      body: { id: made.body.id, default_member_permissions: null },
    });
    expect(other.body.version).not.toBe(made.body.version);
    expect((await ask(`GET /${made.body.id}`)).body).toEqual(other.body);
    // Of another kind, and in a guild alone, it is another.
    expect((await ask('POST ', { name: 'ferry', type: 2 })).status).toBe(201);
    expect(await ask(`POST ${GUILD}`, { ...FERRY, contexts: [1] })).toMatchObject({
      status: 201,
      body: { guild_id: ids.riverBank, contexts: null, integration_types: [0] },
    });
  });

  it('is changed in parts, renamed to an unused name, and loses its permissions with the old name', async () => {
    const { ask, emulator } = await registering();
    const { body: ferry } = await ask('POST ', { ...FERRY, contexts: [0, 1], integration_types: [0, 1] });
    await ask('POST ', { name: 'tide', description: 'x' });
    const changed = await ask(`PATCH /${ferry.id}`, { dm_permission: false });
    expect(changed.body).toMatchObject({
      ...FERRY,
      contexts: [0],
      dm_permission: false,
      integration_types: [0, 1],
    });
    expect((await ask(`PATCH /${ferry.id}`, { name: 'tide' })).body).toMatchObject({ code: 40041 });
    const permissions = [{ id: ids.otter, type: 'user', permission: true }];
    const row = { application: APP, guild: ids.riverBank, command: ferry.id, permissions };
    await emulator.apply({ command_permissions: [row] });
    await ask(`PATCH /${ferry.id}`, { description: 'y' });
    expect(emulator.tables.command_permissions.has(ids.riverBank, ferry.id)).toBe(true);
    await ask(`PATCH /${ferry.id}`, { name: 'boat' });
    expect(emulator.tables.command_permissions.has(ids.riverBank, ferry.id)).toBe(false);
    expect((await ask(`DELETE /${ferry.id}`)).status).toBe(204);
    expect((await ask(`GET /${ferry.id}`)).body).toMatchObject({ code: 10063 });
  });

  it('is returned in the language of the requester, or in all languages', async () => {
    const { ask } = await registering();
    const pier = { type: 3, name: 'pier', description: 'x', name_localizations: { de: 'steg' } };
    const { body } = await ask('POST ', {
      ...FERRY,
      name_localizations: { de: 'fähre', 'en-GB': 'packet', fr: null },
      options: [{ ...pier, choices: [{ name: 'Old', name_localizations: { de: 'Alt' }, value: 'o' }] }],
    });
    expect(body.name_localizations).toEqual({ de: 'fähre', 'en-GB': 'packet' });
    const [all] = (await ask('GET ?with_localizations=1')).body;
    expect(all).toMatchObject({
      name_localizations: { de: 'fähre' },
      options: [{ name_localizations: { de: 'steg' } }],
    });
    const [german] = (await ask('GET ', undefined, { 'accept-language': 'xx,de;q=0.5' })).body;
    expect(german).toMatchObject({
      name_localized: 'fähre',
      options: [{ name_localized: 'steg', choices: [{ name_localized: 'Alt' }] }],
    });
    expect(german).not.toHaveProperty('name_localizations');
    // One of the United Kingdom is closer to English than none.
    expect((await ask('GET ')).body[0]).toMatchObject({ name_localized: 'packet' });
    const [french] = (await ask('GET ', undefined, { 'x-discord-locale': 'fr' })).body;
    expect(french).not.toHaveProperty('name_localized');
  });

  it('stores only the option fields that the type allows, and file types in lower case', async () => {
    const { ask } = await registering();
    const sent = [
      {
        type: 11,
        name: 'chart',
        description: 'x',
        required: true,
        file_types: ['.PDF', 'Image'],
        choices: [],
      },
      { type: 6, name: 'who', description: 'x', min_value: 3, choices: null, required: false },
    ];
    expect((await ask('POST ', { ...FERRY, options: sent })).body.options).toEqual([
      { type: 11, name: 'chart', description: 'x', required: true, file_types: ['.pdf', 'image'] },
      { type: 6, name: 'who', description: 'x' },
    ]);
  });

  it('is also registered by a token of its application, and by no other token', async () => {
    const { call, bearer, emulator } = await registering();
    const headers = await bearer(['applications.commands.update']);
    expect((await call(`POST ${ALL}`, { headers, json: FERRY })).status).toBe(201);
    expect((await call(`GET ${ALL}`, { headers })).body).toHaveLength(1);
    expect((await call(`GET /applications/${ids.lighthouse}/commands`, { headers })).body.code).toBe(10002);
    const unlisted = await bearer(['applications.commands.update'], '77');
    const before = emulator.exportState();
    expect((await call('POST /applications/77/commands', { headers: unlisted, json: FERRY })).status).toBe(
      403,
    );
    expect(emulator.exportState() === before).toBe(true);
  });
});

describe('a bulk overwrite of commands', () => {
  it('preserves the ids of existing commands and the versions of unchanged ones, and deletes the rest', async () => {
    const { ask, rows } = await registering();
    const first = (await ask('PUT ', [FERRY, { name: 'tide', description: 'x' }, { name: 'Greet', type: 2 }]))
      .body;
    expect(first.map(({ name }: { name: string }) => name)).toEqual(['ferry', 'tide', 'Greet']);
    const second = (
      await ask('PUT ', [{ name: 'tide', description: 'y' }, FERRY, { name: 'Greet', type: 3 }])
    ).body;
    expect(second[1]).toEqual(first[0]);
    expect(second[0].id).toBe(first[1].id);
    expect(second[0].version).not.toBe(first[1].version);
    expect(second[2].id).not.toBe(first[2].id);
    expect(rows()).toHaveLength(3);
    // By their ids two change names with each other.
    const [tide, ferry] = second;
    const swapped = [
      { ...FERRY, name: 'tide', id: ferry.id },
      { ...FERRY, name: 'ferry', id: tide.id },
    ];
    const third = (await ask('PUT ', swapped)).body;
    expect(third.map(({ id, name }: { id: string; name: string }) => [id, name])).toEqual([
      [ferry.id, 'tide'],
      [tide.id, 'ferry'],
    ]);
    expect((await ask('PUT ', [{ ...FERRY, id: '1' }])).body.code).toBe(10063);
    expect((await ask('PUT ', null)).body).toEqual([]);
    expect(rows()).toEqual([]);
  });

  it('registers all commands or none, when one is invalid or has a duplicate name', async () => {
    const { ask, refused } = await registering();
    await ask('PUT ', [FERRY]);
    const wrong = await refused('PUT ', [
      { name: 'tide', description: 'x' },
      { name: 'No', description: 'x' },
    ]);
    expect(wrong.body.errors).toEqual({
      1: {
        name: { _errors: [{ code: 'APPLICATION_COMMAND_INVALID_NAME', message: 'Command name is invalid' }] },
      },
    });
    const twice = await refused('PUT ', [FERRY, { name: 'tide', description: 'x' }, FERRY]);
    expect(twice.body.errors).toEqual({
      2: {
        _errors: [
          {
            code: 'APPLICATION_COMMANDS_DUPLICATE_NAME',
            message: 'Application command names must be unique',
          },
        ],
      },
    });
  });

  it('cannot drop the entry point, which has a handler, is global and is unique', async () => {
    const { ask, refused } = await registering();
    const launch = { name: 'Launch', type: 4, description: 'Play.', handler: 2 };
    const { body } = await ask('POST ', launch);
    expect(body).toMatchObject(launch);
    expect((await refused('PUT ', [FERRY])).body).toMatchObject({ code: 50240 });
    const [kept] = (await ask('PUT ', [{ ...launch, name: 'Start', handler: 1 }, FERRY])).body;
    expect(kept).toMatchObject({ id: body.id, name: 'Start', handler: 1 });
    expect((await refused('POST ', { ...launch, name: 'Another' })).body).toMatchObject({ code: 30032 });
    expect((await refused(`POST ${GUILD}`, launch)).body.errors.type._errors[0].code).toBe(
      'BASE_TYPE_CHOICES',
    );
    expect((await ask(`DELETE /${body.id}`)).status).toBe(204);
  });
});

describe('the number of commands', () => {
  it('is limited to 100, 15 for users and 15 for messages, globally and in each guild [L-2]', async () => {
    const { ask, refused, rows, emulator } = await registering();
    const full = [...many(100), ...menus(15, 2), ...menus(15, 3)];
    for (const path of ['', GUILD]) {
      expect((await ask(`PUT ${path}`, full)).status).toBe(200);
      for (const one of [FERRY, { name: 'Greet', type: 2 }, { name: 'Greet', type: 3 }]) {
        expect((await refused(`POST ${path}`, one)).body).toMatchObject({
          code: 30032,
          message: `Maximum number of application commands reached (${'type' in one ? 15 : 100}).`,
        });
      }
      expect((await ask(`POST ${path}`, { ...FERRY, name: 'ferry-7' })).status).toBe(200);
      expect((await refused(`PUT ${path}`, many(101))).body).toMatchObject({ code: 30032 });
      expect((await refused(`PUT ${path}`, menus(16, 2))).body).toMatchObject({ code: 30032 });
      expect((await refused(`PUT ${path}`, [...full, FERRY])).body).toMatchObject({ code: 50035 });
    }
    expect(rows()).toHaveLength(260);
    emulator.importState(emulator.exportState(), 'x');
    expect(rows()).toHaveLength(260);
  });

  it('is limited to 200 new ones a day by the clock, globally and in a guild, whatever is deleted [L-2]', async () => {
    const { ask, refused, emulator } = await registering();
    emulator.clock.freeze();
    expect((await ask('PUT ', many(100))).status).toBe(200);
    expect((await ask('PUT ', [])).status).toBe(200);
    expect((await ask('PUT ', many(100))).status).toBe(200);
    // What is there is not new.
    expect((await ask('PUT ', many(99))).status).toBe(200);
    const answer = await refused('POST ', FERRY);
    expect(answer).toMatchObject({ status: 429, body: { code: 30034, retry_after: 86_400, global: false } });
    expect(answer.headers.get('retry-after')).toBe('86400');
    expect((await refused('PUT ', [...many(99), FERRY])).body).toMatchObject({ code: 30034 });
    expect((await ask(`POST ${GUILD}`, FERRY)).status).toBe(201);
    emulator.clock.advance(86_400_000);
    await ask('PUT ', []);
    expect((await ask('POST ', FERRY)).status).toBe(201);
  });
});
