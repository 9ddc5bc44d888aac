import { describe, expect, it } from 'vitest';
import { ids } from '../../../helpers/emulator-world.ts';
import { guildPlatform, ROLES } from '../../../helpers/guild-platform.ts';
import { APP } from '../../../helpers/platform.ts';

const OTHER = ids.lighthouse;
const SECRET = '880';
const command = (id: string, application: string, guild?: string) => ({
  id,
  application,
  name: `ferry-${id}`,
  description: 'x',
  ...(guild === undefined ? {} : { guild }),
});
const entry = (type: number, id: string, permission = true) => ({ id, type, permission });
const named = (type: string, id: string) => ({ type, id, permission: true });
const path = (id = '', guild: string = ids.riverBank, application = APP) =>
  `/applications/${application}/guilds/${guild}/commands${id === '' ? '' : `/${id}`}/permissions`;

/** Two applications with commands in two guilds; river owns neither guild and may everything by a role. */
async function permitting() {
  const platform = await guildPlatform(['MANAGE_GUILD']);
  const { emulator, bearer, call, bot } = platform;
  await emulator.apply({
    users: Array.from({ length: 100 }, (_, at) => ({ id: String(7000 + at), username: `seal${at}` })),
    commands: [
      command('990', OTHER),
      command('991', APP, ids.harbour),
      command('992', APP, ids.riverBank),
      command('993', APP),
    ],
    guilds: [
      {
        id: ids.riverBank,
        owner: 'heron',
        roles: [{ id: '905', name: 'keeper', position: 2, permissions: ['MANAGE_GUILD', 'MANAGE_ROLES'] }],
        members: [{ user: 'river', roles: ['905'], joined_at: '2026-01-01T00:00:00Z' }],
        channels: [{ id: SECRET, name: 'secret', type: 'text', deny: ['river'] }],
      },
    ],
    command_permissions: [
      { application: OTHER, guild: ids.riverBank, command: '990', permissions: [named('user', ids.otter)] },
      { application: APP, guild: ids.riverBank, command: '992', permissions: [named('user', ids.heron)] },
      { application: APP, guild: ids.riverBank, command: APP, permissions: [named('role', ROLES.crew)] },
    ],
    command_installs: [{ application: OTHER, owner: ids.riverBank }],
  });
  const headers = await bearer(['applications.commands.permissions.update']);
  const put = (at: string, permissions: unknown = [entry(2, ids.otter)]) =>
    call(`PUT ${at}`, { headers, json: { permissions } });
  const get = (at: string, by: { authorization: string } = bot()) => call(`GET ${at}`, { headers: by });
  return { ...platform, headers, put, get };
}

describe('the permissions of commands', () => {
  it('are listed for the application and the guild alone, to its bot and to a member', async () => {
    const { get, headers } = await permitting();
    const row = (id: string, permission: object) => ({
      id,
      application_id: APP,
      guild_id: ids.riverBank,
      permissions: [permission],
    });
    const expected = [row(APP, entry(1, ROLES.crew)), row('992', entry(2, ids.heron))];
    for (const by of [undefined, headers]) {
      const { body } = await get(path(), by);
      expect(body).toHaveLength(2);
      expect(body).toEqual(expect.arrayContaining(expected));
      for (const one of expected) expect((await get(path(one.id), by)).body).toEqual(one);
    }
  });

  it.each([
    ['a command of another application', 'GET', path('990'), 404, 10063],
    ['a command of another guild', 'GET', path('991'), 404, 10063],
    ['no command', 'GET', path('1'), 404, 10063],
    ['a command without any', 'GET', path('993'), 404, 10066],
    ['another application', 'GET', path('990', ids.riverBank, OTHER), 404, 10002],
    ['no guild', 'GET', path('', '1'), 404, 10004],
    ['a guild without the application', 'GET', path('', ids.harbour), 403, 50001],
    ['a command of another application', 'PUT', path('990'), 404, 10063],
    ['a command of another guild', 'PUT', path('991'), 404, 10063],
    ['another application', 'PUT', path('990', ids.riverBank, OTHER), 404, 10002],
    ['no guild', 'PUT', path('993', '1'), 404, 10004],
  ])('are refused for %s with %s %s', async (_, method, at, status, code) => {
    const { get, put, emulator } = await permitting();
    const before = emulator.exportState();
    const { status: found, body } = await (method === 'GET' ? get(at) : put(at));
    expect([found, body.code]).toEqual([status, code]);
    expect(emulator.exportState() === before).toBe(true);
  });

  it('are set for a global command, one of the guild, and all of them', async () => {
    const { put, get } = await permitting();
    const everyChannel = String(BigInt(ids.riverBank) - 1n);
    const permissions = [
      entry(1, ids.riverBank),
      entry(1, ROLES.crew, false),
      entry(3, everyChannel, false),
      entry(3, ids.general),
    ];
    for (const id of ['993', '992', APP]) {
      const row = { id, application_id: APP, guild_id: ids.riverBank, permissions };
      expect(await put(path(id), permissions)).toMatchObject({ status: 200, body: row });
      expect((await get(path(id))).body).toEqual(row);
      expect((await put(path(id), null)).body).toEqual({ ...row, permissions: [] });
      expect((await get(path(id))).body.code).toBe(10066);
    }
    const most = Array.from({ length: 100 }, (_, at) => entry(2, String(7000 + at)));
    expect((await put(path('993'), most)).body.permissions).toHaveLength(100);
  });

  it('are refused with the place of each fault', async () => {
    const { put } = await permitting();
    const here = { code: 'BASE_TYPE_INVALID', message: 'The guild has no such one.' };
    const again = {
      code: 'SET_TYPE_ALREADY_CONTAINS_VALUE',
      message: 'The set already contains this value',
    };
    const { body } = await put(path('993'), [
      entry(2, ids.otter),
      entry(1, ids.harbour),
      entry(3, ids.arrivals),
      entry(2, '1'),
      entry(2, ids.otter, false),
      entry(1, ids.otter),
      entry(3, '1'),
    ]);
    const at = (fault: object) => ({ id: { _errors: [fault] } });
    expect(body.errors).toEqual({
      permissions: { 1: at(here), 2: at(here), 3: at(here), 4: at(again), 5: at(here), 6: at(here) },
    });
  });

  it('are for members who manage the guild and its roles, and for what these members manage', async () => {
    const { put, emulator, call, headers } = await permitting();
    const refused = { status: 403, body: { code: 50013 } };
    expect(await put(path('993'), [entry(1, ROLES.captain)])).toMatchObject(refused);
    expect(await put(path('993'), [entry(3, SECRET)])).toMatchObject(refused);
    // Neither is a role or a channel.
    expect((await put(path('993'), [entry(1, ids.riverBank)])).status).toBe(200);
    const role = (permissions: readonly string[]) =>
      emulator.apply({ guilds: [{ id: ids.riverBank, roles: [{ id: '905', permissions }] }] });
    for (const one of ['MANAGE_GUILD', 'MANAGE_ROLES']) {
      await role([one]);
      expect(await put(path('993')), one).toMatchObject(refused);
    }
    await role(['MANAGE_GUILD', 'MANAGE_ROLES']);
    await emulator.apply({
      commands: [{ id: '993', default_member_permissions: ['BAN_MEMBERS'] }],
      command_permissions: [
        { application: APP, guild: ids.riverBank, command: APP, permissions: [] },
        { application: APP, guild: ids.riverBank, command: '993', permissions: [] },
      ],
    });
    expect(await put(path('993'))).toMatchObject(refused);
    expect((await put(path(APP))).status).toBe(200);
    await role(['MANAGE_GUILD', 'MANAGE_ROLES', 'BAN_MEMBERS']);
    expect((await put(path('993'))).status).toBe(200);
    await emulator.apply({
      users: [{ id: '41', username: 'newt' }],
      guilds: [
        { id: ids.riverBank, departed: [{ user: 'river' }], members: [{ user: 'river', remove: true }] },
      ],
    });
    for (const what of [`GET ${path()}`, `PUT ${path('993')}`]) {
      const json = what.startsWith('PUT') ? { json: { permissions: [] } } : {};
      expect(await call(what, { headers, ...json }), what).toMatchObject({
        status: 403,
        body: { code: 50001 },
      });
    }
  });
});

describe('whether a member may use a command', () => {
  // Of what is said of the command, of all commands and of its default; `crew` is a role of the member, `cook` is not.
  const user = (permission: boolean) => ({ type: 'user', id: ids.otter, permission });
  const heron = (permission: boolean) => ({ type: 'user', id: ids.heron, permission });
  const crew = (permission: boolean) => ({ type: 'role', id: '811', permission });
  const mate = (permission: boolean) => ({ type: 'role', id: '812', permission });
  const cook = (permission: boolean) => ({ type: 'role', id: '813', permission });
  const everyone = (permission: boolean) => ({ type: 'role', id: ids.riverBank, permission });
  const here = (permission: boolean) => ({ type: 'channel', id: ids.general, permission });
  const there = (permission: boolean) => ({ type: 'channel', id: ids.lounge, permission });
  const everywhere = (permission: boolean) => ({
    type: 'channel',
    id: String(BigInt(ids.riverBank) - 1n),
    permission,
  });
  const ROWS: readonly (readonly [
    own: object[],
    ofAll: object[],
    isAllowed: boolean,
    needs?: string[] | '0',
  ])[] = [
    [[], [], true],
    [[], [], false, '0'],
    [[], [], false, ['KICK_MEMBERS']],
    [[], [], false, ['KICK_MEMBERS', 'VIEW_CHANNEL']],
    [[], [], true, ['VIEW_CHANNEL', 'SEND_MESSAGES']],
    [[heron(false)], [heron(false)], true],
    [[user(false)], [], false],
    [[heron(true), user(false)], [user(true)], false],
    [[user(true)], [user(false)], true],
    [[user(true)], [], true, '0'],
    [[], [user(false)], false],
    [[], [user(true)], false, '0'],
    [[crew(false), user(true)], [], true],
    [[crew(false), mate(true)], [], true],
    [[crew(false), mate(false), cook(true)], [], false],
    [[cook(false)], [], true],
    [[everyone(false), crew(true)], [], true],
    [[everyone(false), cook(true)], [], false],
    [[everyone(true)], [crew(false)], true],
    [[], [everyone(false), crew(true)], true],
    [[here(false), user(true)], [], false],
    [[there(false)], [], true],
    [[everywhere(false)], [], false],
    [[everywhere(false), here(true)], [], true],
    [[everywhere(true)], [here(false)], true],
    [[], [here(false)], false],
    [[], [everywhere(false), here(true)], true],
    [[here(true)], [], false, '0'],
  ];
  it('follows from the most exact of the permissions', async () => {
    const { emulator } = await permitting();
    const roles = ['811', '812', '813'].map((id, at) => ({ id, name: `role${at}`, position: 1 }));
    await emulator.apply({
      guilds: [
        {
          id: ids.riverBank,
          roles,
          members: [{ user: 'otter', roles: ['811', '812'], joined_at: '2026-01-01T00:00:00Z' }],
        },
      ],
    });
    for (const [own, ofAll, isAllowed, needs] of ROWS) {
      // A patch adds to the permissions that are there.
      const rows = [...emulator.tables.command_permissions];
      await emulator.apply({
        command_permissions: rows.map(({ guild, command: id }) => ({ guild, command: id, remove: true })),
      });
      await emulator.apply({
        commands: [{ id: '993', default_member_permissions: needs ?? null }],
        command_permissions: [
          { application: APP, guild: ids.riverBank, command: '993', permissions: own },
          { application: APP, guild: ids.riverBank, command: APP, permissions: ofAll },
        ],
      });
      const using = emulator.userActions.use(APP, {
        user: 'otter',
        command: '/ferry-993',
        channel: ids.general,
        values: {},
        files: {},
      });
      const outcome = await using.then(
        () => true,
        (error: Error) => error.message,
      );
      const refusal =
        '"/ferry-993" cannot be used here: the permissions of the command do not let the user, or not in this channel';
      expect(outcome, JSON.stringify([own, ofAll, needs])).toBe(isAllowed ? true : refusal);
    }
  });
});
