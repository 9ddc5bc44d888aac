import { describe, expect, it } from 'vitest';
import { memberCount, membersAfter } from '../../../../src/emulator/guilds/members/list.ts';
import type { Guild } from '../../../../src/emulator/guilds/records.ts';
import type { Permission } from '../../../../src/emulator/kernel/permission-bits.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { guildPlatform, ROLES } from '../../../helpers/guild-platform.ts';
import { dataUri, png } from '../../../helpers/media-bytes.ts';
import { APP } from '../../../helpers/platform.ts';

const INTENT = { applications: [{ id: APP, intents: ['guild_members'] }] };
const names = (body: readonly { user: { id: string } }[]) => body.map(({ user }) => user.id);
const PICTURE = dataUri(png());
const BROKEN = dataUri(png().subarray(0, 20));

describe('the members of a guild', () => {
  it('are listed by id in pages, for an application with the intent [U-10]', async () => {
    const { ask, refused, emulator } = await guildPlatform();
    expect((await refused('GET /members')).body.code).toBe(50001);
    await emulator.apply(INTENT);
    expect(names((await ask('GET /members')).body)).toEqual([ids.river]);
    expect(names((await ask('GET /members?limit=1000')).body)).toEqual([
      ids.river,
      ids.heron,
      ids.otter,
      APP,
    ]);
    expect(names((await ask(`GET /members?limit=2&after=${ids.river}`)).body)).toEqual([
      ids.heron,
      ids.otter,
    ]);
    expect((await ask(`GET /members?after=${APP}`)).body).toEqual([]);
  });

  it('are each counted once, in a guild of everyone and in a guild with a member list', async () => {
    const { emulator, guild } = await guildPlatform();
    const { tables } = emulator;
    const both = (): [string[], number] => {
      const river = tables.guilds.get(ids.riverBank) as Guild;
      return [[...membersAfter(tables, river)].map(({ user }) => user), memberCount(tables, river)];
    };
    expect(both()).toEqual([[ids.river, ids.heron, ids.otter, APP], 4]);
    await guild({ departed: [{ user: 'otter' }, { user: 'river' }] });
    expect(both()).toEqual([[ids.river, ids.heron, APP], 3]);
    await emulator.apply({
      external_identities: [
        {
          application: APP,
          provider: 'DISCORD_BOT',
          external_user_id: 'x',
          user: 'heron',
          status: 'provisional',
        },
      ],
    });
    // A provisional account is a member as it is listed.
    expect(both()).toEqual([[ids.river, ids.heron, APP], 3]);
    await guild({ members: [{ user: 'heron', remove: true }] });
    expect(both()).toEqual([[ids.river, APP], 2]);
    await guild({ membership: 'listed' });
    expect(both()).toEqual([[ids.river, APP], 2]);
  });

  it('are found by a prefix of the name, and one by one', async () => {
    const { ask, refused } = await guildPlatform();
    expect(names((await ask('GET /members/search?query=HER&limit=10')).body)).toEqual([ids.heron]);
    expect((await refused('GET /members/search')).body.errors.query._errors[0].code).toBe(
      'BASE_TYPE_REQUIRED',
    );
    const { body } = await ask(`GET /members/${ids.heron}`);
    expect(body).toMatchObject({
      nick: 'Heron on the Bank',
      roles: [],
      pending: false,
      mute: false,
      user: { username: 'heron' },
    });
    expect(Date.parse(body.joined_at)).toBeGreaterThan(0);
    expect((await refused('GET /members/5')).body.code).toBe(10013);
  });

  it('read their own member object with the scope', async () => {
    const { call, bearer } = await guildPlatform();
    const path = `GET /users/@me/guilds/${ids.riverBank}/member`;
    const { body } = await call(path, { headers: await bearer(['guilds.members.read']) });
    expect(body.user.id).toBe(ids.river);
    expect((await call(path, { headers: await bearer(['identify']) })).body.code).toBe(50026);
  });
});

describe('a member', () => {
  it('is changed with the permissions, and each change is audited', async () => {
    const { ask, audited } = await guildPlatform(['MANAGE_NICKNAMES', 'MANAGE_ROLES', 'MODERATE_MEMBERS']);
    const soon = new Date(Date.now() + 60_000).toISOString();
    const json = { nick: 'Lontra', roles: [ROLES.crew], communication_disabled_until: soon };
    const headers = { 'x-audit-log-reason': 'splashing' };
    const { status, body } = await ask(`PATCH /members/${ids.otter}`, { json, headers });
    expect(status).toBe(200);
    expect(body).toMatchObject({ nick: 'Lontra', roles: [ROLES.crew] });
    expect(Date.parse(body.communication_disabled_until)).toBe(Date.parse(soon));
    expect(audited()).toMatchObject({
      action_type: 25,
      target: ids.otter,
      reason: 'splashing',
      changes: [{ key: '$add', new_value: JSON.stringify([{ id: ROLES.crew, name: 'crew' }]) }],
    });
    const after = await ask(`PATCH /members/${ids.otter}`, { json: { nick: '', roles: null } });
    expect(after.body).toMatchObject({ nick: null, roles: [] });
  });

  it('gets a role and loses the role', async () => {
    const { ask, emulator } = await guildPlatform();
    const path = `/members/${ids.otter}/roles/${ROLES.crew}`;
    const roles = () => emulator.tables.members.get(ids.riverBank, ids.otter)?.roles;
    for (const _ of [1, 2]) expect((await ask(`PUT ${path}`)).status).toBe(204);
    expect(roles()).toEqual([ROLES.crew]);
    for (const _ of [1, 2]) expect((await ask(`DELETE ${path}`)).status).toBe(204);
    expect(roles()).toEqual([]);
    expect(emulator.tables.audit_log.size).toBe(2);
  });

  it('is muted, moved and disconnected from a call', async () => {
    const { ask, refused, emulator } = await guildPlatform([
      'MUTE_MEMBERS',
      'DEAFEN_MEMBERS',
      'MOVE_MEMBERS',
    ]);
    const path = `PATCH /members/${ids.otter}`;
    const entries = () => [...emulator.tables.audit_log].filter(({ action_type: type }) => type > 25);
    expect((await refused(path, { json: { mute: true } })).body.code).toBe(40032);
    emulator.calls.join(ids.otter, ids.lounge);
    expect((await ask(path, { json: { mute: true } })).body).toMatchObject({ mute: true, deaf: false });
    await ask(path, { json: { channel_id: ids.lounge } });
    expect(entries()).toEqual([]);
    await ask(path, { json: { channel_id: ids.boat }, headers: { 'x-audit-log-reason': 'splashing' } });
    expect(emulator.calls.of(ids.otter)).toMatchObject({ channel: ids.boat, mute: true });
    expect(entries()).toMatchObject([
      {
        action_type: 26,
        user: APP,
        target: null,
        reason: 'splashing',
        changes: [],
        options: [
          { key: 'channel_id', value: ids.boat },
          { key: 'count', value: '1' },
        ],
      },
    ]);
    expect((await refused(path, { json: { channel_id: ids.quay } })).body.code).toBe(10003);
    expect((await ask(path, { json: { channel_id: null } })).status).toBe(200);
    expect(emulator.calls.of(ids.otter)).toBeUndefined();
    expect(entries()[1]).toMatchObject({
      action_type: 27,
      target: null,
      options: [{ key: 'count', value: '1' }],
    });
    expect(entries()).toHaveLength(2);
  });

  it('changes their own nickname, pictures and biography [P-13]', async () => {
    const { ask, emulator } = await guildPlatform([]);
    const json = { nick: 'Tuggy', avatar: PICTURE, banner: PICTURE, bio: 'Pulls.' };
    const { body } = await ask('PATCH /members/@me', { json });
    expect(body).toMatchObject({ nick: 'Tuggy', avatar: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(emulator.tables.members.get(ids.riverBank, APP)).toMatchObject({
      bio: 'Pulls.',
      banner: body.banner,
    });
    expect((await ask('PATCH /members/@me', { json: { avatar: null } })).body.avatar).toBeNull();
  });

  it('keeps @everyone out of its roles, which discord.js sends among them', async () => {
    const { ask, emulator } = await guildPlatform(['MANAGE_ROLES']);
    const json = { roles: [ids.riverBank, ROLES.crew] };
    const { status, body } = await ask(`PATCH /members/${ids.otter}`, { json });
    expect([status, body.roles]).toEqual([200, [ROLES.crew]]);
    expect(emulator.tables.members.get(ids.riverBank, ids.otter)?.roles).toEqual([ROLES.crew]);
  });

  it('is added with their own access token, and can be removed', async () => {
    const { ask, refused, bearer, guild, emulator, audited, may } = await guildPlatform(['MANAGE_ROLES']);
    await guild({ owner: 'heron', departed: [{ user: 'river' }] });
    const { authorization } = await bearer(['guilds.join']);
    const json = { access_token: authorization.replace('Bearer ', ''), roles: [ROLES.crew] };
    const path = `PUT /members/${ids.river}`;
    const poor = (await bearer(['identify'], '300000000000000002')).authorization.replace('Bearer ', '');
    expect((await refused(path, { json: { access_token: poor } })).body.code).toBe(50025);
    expect((await refused(`PUT /members/${ids.otter}`, { json })).body.code).toBe(50025);
    const { status, body } = await ask(path, { json });
    expect(status).toBe(201);
    expect(body).toMatchObject({ roles: [ROLES.crew], user: { id: ids.river } });
    expect((await ask(path, { json })).status).toBe(204);
    expect((await refused(`DELETE /members/${ids.river}`)).body.code).toBe(50013);
    await may('KICK_MEMBERS');
    expect((await ask(`DELETE /members/${ids.river}`)).status).toBe(204);
    expect(emulator.guild(ids.riverBank)).toBeUndefined();
    expect(audited()).toMatchObject({ action_type: 20, target: ids.river });
    await guild({ bans: [{ user: 'river' }] });
    expect((await refused(path, { json })).body.code).toBe(40007);
  });

  it('is added muted and deafened only with the permissions, and stays so in every channel', async () => {
    const { guild, bearer, ask, refused, may, emulator } = await guildPlatform([]);
    await guild({ departed: [{ user: 'river' }], owner: 'heron' });
    const access_token = (await bearer(['guilds.join'])).authorization.replace('Bearer ', '');
    const path = `PUT /members/${ids.river}`;
    const json = { access_token, mute: true, deaf: true };
    await may('MUTE_MEMBERS');
    expect((await refused(path, { json })).body.code).toBe(50013);
    await may('MUTE_MEMBERS', 'DEAFEN_MEMBERS', 'MOVE_MEMBERS');
    expect((await ask(path, { json })).body).toMatchObject({ mute: true, deaf: true });
    emulator.calls.join(ids.river, ids.lounge);
    expect(emulator.calls.of(ids.river)).toMatchObject({ mute: true, deaf: true });
    await ask(`PATCH /members/${ids.river}`, { json: { mute: false } });
    emulator.calls.leave(ids.river);
    emulator.calls.join(ids.river, ids.boat);
    expect(emulator.calls.of(ids.river)).toMatchObject({ mute: false, deaf: true });
    expect((await ask(`GET /members/${ids.river}`)).body).toMatchObject({ mute: false, deaf: true });
  });
});

describe('a member request is refused:', () => {
  const otter = `/members/${ids.otter}`;
  it.each<[string, string, unknown, number, number, readonly Permission[]]>([
    ['a nickname without the right', `PATCH ${otter}`, { nick: 'x' }, 403, 50013, []],
    ['that of the owner', `PATCH /members/${ids.river}`, { nick: 'x' }, 403, 50013, ['MANAGE_NICKNAMES']],
    ['roles without the right', `PATCH ${otter}`, { roles: [ROLES.crew] }, 403, 50013, []],
    ['a role above', `PATCH ${otter}`, { roles: [ROLES.captain] }, 403, 50013, ['MANAGE_ROLES']],
    ['the role of a bot', `PATCH ${otter}`, { roles: [ROLES.own] }, 403, 50013, ['MANAGE_ROLES']],
    ['no role', `PATCH ${otter}`, { roles: ['5'] }, 404, 10011, ['MANAGE_ROLES']],
    ['a role above', `PUT ${otter}/roles/${ROLES.captain}`, undefined, 403, 50013, ['MANAGE_ROLES']],
    ['no role', `PUT ${otter}/roles/5`, undefined, 404, 10011, ['MANAGE_ROLES']],
    ['@everyone', `PUT ${otter}/roles/${ids.riverBank}`, undefined, 404, 10011, ['MANAGE_ROLES']],
    ['@everyone', `DELETE ${otter}/roles/${ids.riverBank}`, undefined, 404, 10011, ['MANAGE_ROLES']],
    ['a role twice', `PATCH ${otter}`, { roles: [ROLES.crew, ROLES.crew] }, 400, 50035, ['MANAGE_ROLES']],
    ['a role without the right', `PUT ${otter}/roles/${ROLES.crew}`, undefined, 403, 50013, []],
    [
      'a timeout of the owner',
      `PATCH /members/${ids.river}`,
      { communication_disabled_until: '2030-01-01T00:00:00Z' },
      403,
      50013,
      ['MODERATE_MEMBERS'],
    ],
    [
      'a timeout of more than 28 days',
      `PATCH ${otter}`,
      { communication_disabled_until: '2100-01-01T00:00:00Z' },
      400,
      50035,
      ['MODERATE_MEMBERS'],
    ],
    ['no time', `PATCH ${otter}`, { communication_disabled_until: 'noon' }, 400, 50035, ['MODERATE_MEMBERS']],
    ['flags without a right', `PATCH ${otter}`, { flags: 4 }, 403, 50013, []],
    ['a nickname too long', `PATCH ${otter}`, { nick: 'x'.repeat(33) }, 400, 50035, ['MANAGE_NICKNAMES']],
    ['too many members', 'GET /members?limit=1001', undefined, 400, 50035, []],
    ['no number', 'GET /members?limit=x', undefined, 400, 50035, []],
    ['a biography too long', 'PATCH /members/@me', { bio: 'x'.repeat(191) }, 400, 50035, []],
    ['a picture that is none', 'PATCH /members/@me', { avatar: 'x' }, 400, 50035, []],
    ['a broken picture', 'PATCH /members/@me', { avatar: BROKEN }, 400, 50035, []],
    ['taking itself out', `DELETE /members/${APP}`, undefined, 403, 50013, ['KICK_MEMBERS']],
    ['taking the owner out', `DELETE /members/${ids.river}`, undefined, 403, 50013, ['KICK_MEMBERS']],
    ['coming without a token', `PUT ${otter}`, {}, 400, 50035, []],
  ])('%s: %s %j', async (_, what, json, status, code, permissions) => {
    const { refused } = await guildPlatform(permissions);
    const answer = await refused(what, json === undefined ? {} : { json });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
});
