import { describe, expect, it } from 'vitest';
import { ids } from '../../../helpers/emulator-world.ts';
import { guildPlatform } from '../../../helpers/guild-platform.ts';
import { APP, type PlatformRequest } from '../../../helpers/platform.ts';

const OTHER = ids.lighthouse;
const ALL = `/applications/${APP}/commands`;
const of = (guild: string, application = APP) => `/applications/${application}/guilds/${guild}/commands`;
const GUILD = of(ids.riverBank);
const FERRY = { name: 'ferry', description: 'When it leaves.' };
const x = (length: number) => 'x'.repeat(length);

async function registering() {
  const platform = await guildPlatform([]);
  platform.emulator.clock.freeze();
  const ask = (what: string, json?: unknown, headers: PlatformRequest['headers'] = {}) =>
    platform.call(what, {
      headers: { ...platform.bot(), ...headers },
      ...(json === undefined ? {} : { json }),
    });
  return { ...platform, ask };
}

describe('the definition of a command', () => {
  const command = (more: object) => ({
    application_id: APP,
    type: 1,
    ...FERRY,
    name_localizations: null,
    description_localizations: null,
    default_member_permissions: null,
    dm_permission: true,
    contexts: null,
    integration_types: [0],
    nsfw: false,
    ...more,
  });
  const pier = { type: 3, name: 'pier', description: 'Which' };

  it('has its defaults, and what was sent', async () => {
    const { ask } = await registering();
    const rows: readonly (readonly [sent: object, made: object])[] = [
      [{}, {}],
      [
        {
          type: null,
          name_localizations: null,
          description_localizations: null,
          options: null,
          default_member_permissions: null,
          dm_permission: null,
          default_permission: null,
          contexts: null,
          integration_types: null,
          handler: null,
          nsfw: null,
        },
        {},
      ],
      [{ default_member_permissions: 0 }, { default_member_permissions: '0' }],
      [
        { default_member_permissions: '18014398509481983' },
        { default_member_permissions: '18014398509481983' },
      ],
      [{ default_permission: false }, { default_member_permissions: '0' }],
      [{ default_permission: true }, {}],
      [{ default_permission: false, default_member_permissions: '8' }, { default_member_permissions: '8' }],
      [{ dm_permission: false }, { contexts: [0], dm_permission: false }],
      [{ dm_permission: true }, {}],
      [{ dm_permission: false, contexts: [0, 1, 2] }, { contexts: [0, 1, 2] }],
      [{ contexts: [2] }, { contexts: [2], dm_permission: false }],
      [{ integration_types: [1, 0] }, { integration_types: [1, 0] }],
      [{ nsfw: true, handler: 2 }, { nsfw: true }],
      [
        { name: x(32), description: x(100) },
        { name: x(32), description: x(100) },
      ],
      [
        { name_localizations: { de: x(32) }, description_localizations: { de: x(100), fr: null } },
        { name_localizations: { de: x(32) }, description_localizations: { de: x(100) } },
      ],
      [{ options: [pier] }, { options: [pier] }],
      [
        {
          options: [
            { ...pier, min_length: 6000, max_length: 6000 },
            { ...pier, name: x(32), description: x(100), min_length: 0, max_length: 1 },
          ],
        },
        {
          options: [
            { ...pier, min_length: 6000, max_length: 6000 },
            { ...pier, name: x(32), description: x(100), min_length: 0, max_length: 1 },
          ],
        },
      ],
      [
        {
          options: [
            {
              ...pier,
              autocomplete: false,
              choices: [{ name: x(100), name_localizations: { de: x(100) }, value: x(100) }],
            },
          ],
        },
        {
          options: [
            { ...pier, choices: [{ name: x(100), name_localizations: { de: x(100) }, value: x(100) }] },
          ],
        },
      ],
      [
        {
          options: [{ ...pier, type: 10, min_value: -1.5, max_value: 0, min_length: 3, channel_types: [0] }],
        },
        { options: [{ ...pier, type: 10, min_value: -1.5, max_value: 0 }] },
      ],
      [
        { options: [{ ...pier, type: 7, channel_types: [0, 5], min_value: 3, autocomplete: true }] },
        { options: [{ ...pier, type: 7, channel_types: [0, 5] }] },
      ],
      [
        { options: [{ ...pier, type: 5, choices: [{ name: 'a', value: 'b' }], file_types: ['image'] }] },
        { options: [{ ...pier, type: 5 }] },
      ],
      [
        { options: [{ ...pier, type: 1, required: true, options: [{ ...pier, type: 4, required: true }] }] },
        { options: [{ ...pier, type: 1, options: [{ ...pier, type: 4, required: true }] }] },
      ],
      [{ options: [{ ...pier, options: [pier] }] }, { options: [pier] }],
    ];
    for (const [sent, made] of rows) {
      const { status, body } = await ask(`POST ${ALL}`, { ...FERRY, ...sent });
      const { id, version, ...rest } = body;
      expect(status, JSON.stringify([sent, body])).toBe(201);
      expect(rest, JSON.stringify(sent)).toEqual(command(made));
      expect([id, version]).toEqual([expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+$/)]);
      expect((await ask(`DELETE ${ALL}/${id}`)).status).toBe(204);
    }
  });

  it('keeps in a change what is absent, and loses what is null', async () => {
    const { ask } = await registering();
    const full = {
      ...FERRY,
      name_localizations: { de: 'boot' },
      description_localizations: { de: 'Boot' },
      options: [pier],
      default_member_permissions: '8',
      contexts: [0],
      integration_types: [0, 1],
      nsfw: true,
    };
    const { body: made } = await ask(`POST ${ALL}`, full);
    const rows: readonly (readonly [sent: object, after: object])[] = [
      [{}, {}],
      [{ default_permission: null, dm_permission: null }, {}],
      [{ name: 'boat' }, { name: 'boat' }],
      [{ description: 'New' }, { description: 'New' }],
      [{ name_localizations: null }, { name_localizations: null }],
      [{ name_localizations: { de: null } }, { name_localizations: null }],
      [{ description_localizations: { fr: 'x' } }, { description_localizations: { fr: 'x' } }],
      [{ options: null }, { options: undefined }],
      [{ options: [] }, { options: undefined }],
      [{ default_member_permissions: null }, { default_member_permissions: null }],
      [{ default_permission: true }, { default_member_permissions: null }],
      [{ default_permission: false }, { default_member_permissions: '0' }],
      [{ contexts: null }, { contexts: null, dm_permission: true }],
      [{ dm_permission: true }, { contexts: null, dm_permission: true }],
      [{ integration_types: null }, { integration_types: [0] }],
      [{ nsfw: null }, { nsfw: false }],
      [{ handler: 2 }, {}],
    ];
    for (const [sent, after] of rows) {
      await ask(`PATCH ${ALL}/${made.id}`, full);
      const { body: before } = await ask(`GET ${ALL}/${made.id}`);
      const { body } = await ask(`PATCH ${ALL}/${made.id}`, sent);
      const { options, ...rest } = { ...before, ...after, version: body.version };
      expect(body, JSON.stringify(sent)).toEqual(options === undefined ? rest : { ...rest, options });
      const isSame = Object.keys(after).length === 0;
      expect(body.version === before.version, JSON.stringify(sent)).toBe(isSame);
    }
  });

  it('is of a guild alone there, without contexts and installations of its own', async () => {
    const { ask } = await registering();
    const sent = { ...FERRY, contexts: [1], integration_types: [1] };
    const { body } = await ask(`POST ${GUILD}`, sent);
    const { id, version, ...rest } = body;
    const { dm_permission: _, ...expected } = command({ guild_id: ids.riverBank }) as Record<string, unknown>;
    expect(rest).toEqual(expected);
    expect((await ask(`PATCH ${GUILD}/${id}`, { contexts: [2], integration_types: [0, 1] })).body).toEqual(
      body,
    );
    expect(version).toEqual((await ask(`GET ${GUILD}/${id}`)).body.version);
  });

  it('of an entry point has a handler', async () => {
    const { ask } = await registering();
    const launch = { name: 'Launch', type: 4, description: '' };
    const { body } = await ask(`POST ${ALL}`, launch);
    expect(body).toMatchObject({ ...launch, handler: 1 });
    const change = async (json: object) => (await ask(`PATCH ${ALL}/${body.id}`, json)).body.handler;
    expect(await change({ handler: 2 })).toBe(2);
    expect(await change({ name: 'Start' })).toBe(2);
    expect(await change({ handler: null })).toBe(1);
  });

  it('is refused with at most 32 faults', async () => {
    const { ask } = await registering();
    const wrong = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `n${at}`, type: 1 }));
    const { body } = await ask(`PUT ${ALL}`, wrong(40));
    const required = { _errors: [{ code: 'BASE_TYPE_REQUIRED', message: 'This field is required' }] };
    expect(body.errors).toEqual(
      Object.fromEntries(Array.from({ length: 32 }, (_, at) => [at, { description: required }])),
    );
  });
});

describe('the commands of an application', () => {
  const methods = ['GET', 'POST', 'PUT'] as const;
  const json = (method: string) => (method === 'GET' ? undefined : method === 'PUT' ? [FERRY] : FERRY);

  it.each([
    ['another application', `/applications/${OTHER}/commands`, 404, 10002],
    ['another application in a guild', of(ids.riverBank, OTHER), 404, 10002],
    ['no guild', of('1'), 404, 10004],
    ['a guild without the application', of(ids.harbour), 403, 50001],
  ])('are refused for %s', async (_, path, status, code) => {
    const { ask, emulator } = await registering();
    await ask(`GET ${ALL}`);
    const before = emulator.exportState();
    for (const method of methods) {
      const answer = await ask(`${method} ${path}`, json(method));
      expect([answer.status, answer.body.code], method).toEqual([status, code]);
    }
    expect(emulator.exportState() === before).toBe(true);
  });

  it('are found in their scope alone', async () => {
    const { ask, emulator } = await registering();
    const row = (id: string, application: string, guild?: string) => ({
      id,
      application,
      ...FERRY,
      ...(guild === undefined ? {} : { guild }),
    });
    await emulator.apply({
      command_installs: [{ application: APP, owner: ids.harbour }],
      commands: [
        row('981', OTHER),
        row('982', OTHER, ids.riverBank),
        row('983', APP, ids.harbour),
        row('984', APP, ids.riverBank),
        row('985', APP),
      ],
    });
    const places = { [ALL]: '985', [GUILD]: '984', [of(ids.harbour)]: '983' };
    for (const [path, own] of Object.entries(places)) {
      const listed = (await ask(`GET ${path}`)).body.map(({ id }: { id: string }) => id);
      expect(listed, path).toEqual([own]);
      for (const id of ['981', '982', '983', '984', '985', '1']) {
        const found = await ask(`GET ${path}/${id}`);
        if (id === own) expect(found.body.id).toBe(own);
        else
          for (const method of ['GET', 'PATCH', 'DELETE']) {
            const answer = await ask(`${method} ${path}/${id}`, method === 'PATCH' ? {} : undefined);
            expect([answer.status, answer.body.code], `${method} ${path}/${id}`).toEqual([404, 10063]);
          }
      }
    }
    expect((await ask(`DELETE ${GUILD}/984`)).status).toBe(204);
    expect([...emulator.tables.commands].map(({ id }) => id)).toEqual(['981', '982', '983', '985']);
    // The name is free again there, and taken elsewhere.
    expect((await ask(`POST ${GUILD}`, FERRY)).status).toBe(201);
    expect((await ask(`POST ${ALL}`, { ...FERRY, description: 'y' })).body.id).toBe('985');
  });

  it('are listed in the language of the user whose token asks, or all', async () => {
    const { ask, call, bearer, emulator } = await registering();
    await ask(`POST ${ALL}`, {
      ...FERRY,
      name_localizations: { de: 'boot', da: 'båd' },
      description_localizations: { da: 'Både' },
      options: [{ type: 3, name: 'pier', description: 'x', description_localizations: { da: 'Bro' } }],
    });
    await emulator.apply({ users: [{ id: ids.river, locale: 'da' }] });
    const headers = await bearer(['applications.commands.update']);
    const [danish] = (await call(`GET ${ALL}`, { headers })).body;
    expect(danish).toMatchObject({
      name_localized: 'båd',
      description_localized: 'Både',
      options: [{ name: 'pier', description_localized: 'Bro' }],
    });
    for (const left of ['name_localizations', 'description_localizations']) {
      expect(danish).not.toHaveProperty(left);
      expect(danish.options[0]).not.toHaveProperty(left);
    }
    expect(danish.options[0]).not.toHaveProperty('name_localized');
    const [german] = (await call(`GET ${ALL}`, { headers: { ...headers, 'x-discord-locale': 'de' } })).body;
    expect(german.name_localized).toBe('boot');
    expect(german).not.toHaveProperty('description_localized');
    for (const [query, isAll] of [
      ['?with_localizations=true', true],
      ['?with_localizations=false', false],
    ] as const) {
      const [one] = (await call(`GET ${ALL}${query}`, { headers })).body;
      expect(Object.hasOwn(one, 'name_localizations'), query).toBe(isAll);
      expect(Object.hasOwn(one, 'name_localized'), query).toBe(!isAll);
    }
  });
});

describe('a bulk overwrite', () => {
  it('takes for its own what an id or a name means, of the same type', async () => {
    const { ask } = await registering();
    const tide = { name: 'tide', description: 'x' };
    const [ferry, other, greet] = (await ask(`PUT ${ALL}`, [FERRY, tide, { name: 'Greet', type: 2 }])).body;
    const duplicate = {
      _errors: [
        { code: 'APPLICATION_COMMANDS_DUPLICATE_NAME', message: 'Application command names must be unique' },
      ],
    };
    // An id of another type, and an id twice.
    expect((await ask(`PUT ${ALL}`, [{ ...FERRY, id: greet.id }])).body.code).toBe(10063);
    const twice = await ask(`PUT ${ALL}`, [
      { ...FERRY, id: ferry.id },
      { ...tide, id: ferry.id },
      { name: 'ferry', type: 2 },
    ]);
    expect(twice.body.errors).toEqual({ 1: duplicate });
    const same = await ask(`PUT ${ALL}`, [FERRY, tide, FERRY, tide]);
    expect(same.body.errors).toEqual({ 2: duplicate, 3: duplicate });
    // What an id claims is not found by its name as well.
    const renamed = (await ask(`PUT ${ALL}`, [{ ...tide, name: 'ebb', id: ferry.id }, FERRY, tide])).body;
    expect(renamed.map(({ id }: { id: string }) => id)).toEqual([ferry.id, expect.any(String), other.id]);
    expect(new Set([ferry.id, other.id, greet.id]).has(renamed[1].id)).toBe(false);
    expect(renamed[2]).toEqual(other);
  });
});

describe('the number of new commands in a day', () => {
  const many = (count: number, from = 0) =>
    Array.from({ length: count }, (_, at) => ({ ...FERRY, name: `ferry-${from + at}` }));
  const DAY_MS = 86_400_000;

  it('is counted from the first, for each guild and for all, until a day has passed', async () => {
    const { ask, emulator } = await registering();
    const make = async (path: string, name: string) => {
      const answer = await ask(`POST ${path}`, { ...FERRY, name });
      if (answer.status < 300) await ask(`DELETE ${path}/${answer.body.id}`);
      return answer;
    };
    expect((await make(ALL, 'first')).status).toBe(201);
    emulator.clock.advance(1000);
    await ask(`PUT ${ALL}`, many(100));
    await ask(`PUT ${ALL}`, many(99, 100));
    const refused = await make(ALL, 'last');
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 30034, retry_after: 86_399, global: false },
    });
    expect(refused.headers.get('retry-after')).toBe('86399');
    expect(refused.headers.get('x-ratelimit-scope')).toBe('shared');
    expect((await make(GUILD, 'last')).status).toBe(201);
    emulator.clock.advance(DAY_MS - 1001);
    const late = await make(ALL, 'last');
    expect([late.status, late.body.retry_after, late.headers.get('retry-after')]).toEqual([429, 0.001, '1']);
    emulator.clock.advance(1);
    expect((await make(ALL, 'last')).status).toBe(201);
    const counts = () => [...emulator.tables.command_creates].map(({ scope, made }) => [scope, made]);
    expect(counts()).toEqual([
      ['', 1],
      [ids.riverBank, 1],
    ]);
    // What is over is forgotten with the next new command.
    emulator.clock.advance(1000);
    await make(ALL, 'last');
    expect(counts()).toEqual([['', 2]]);
    // A clock that was set back has counted nothing.
    emulator.clock.set(emulator.clock.now() - 3 * DAY_MS);
    await make(ALL, 'last');
    expect(counts()).toEqual([['', 1]]);
  });
});
