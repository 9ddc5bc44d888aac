import { describe, expect, it } from 'vitest';
import type { Permission } from '../../../../src/emulator/kernel/permission-bits.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { type GuildPlatform, guildPlatform, ROLES } from '../../../helpers/guild-platform.ts';
import { APP } from '../../../helpers/platform.ts';
import { INVITE, targetsForm } from '../../serve/http/asked-invites.ts';

const CREATE = `POST /channels/${ids.general}/invites`;

/** Asks as the bot, anywhere; `refused` fails when the state is not what it was. */
async function platform(permissions: readonly Permission[] = ['MANAGE_GUILD', 'MANAGE_ROLES']) {
  const world = await guildPlatform(permissions);
  const asBot: GuildPlatform['call'] = (what, request = {}) =>
    world.call(what, { ...request, headers: { ...world.bot(), ...request.headers } });
  const refused: GuildPlatform['call'] = async (what, request) => {
    const before = world.emulator.exportState();
    const answer = await asBot(what, request);
    // What is different would be as long as the state.
    expect(world.emulator.exportState() === before).toBe(true);
    return answer;
  };
  const invited = (more: object = {}) => world.emulator.apply({ channel_invites: [{ ...INVITE, ...more }] });
  return { ...world, asBot, refused, invited };
}

describe('an invite', () => {
  it('is created as requested, audited with its reason, and returned with its metadata [P-1]', async () => {
    const { asBot, emulator, audited } = await platform();
    const { status, body } = await asBot(CREATE, {
      json: { max_age: 60, max_uses: 3, temporary: true, role_ids: [ROLES.crew] },
      headers: { 'x-audit-log-reason': 'spring tide' },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      type: 0,
      inviter: { id: APP },
      max_age: 60,
      max_uses: 3,
      temporary: true,
      uses: 0,
      guild: { id: ids.riverBank, name: 'River Bank' },
      channel: { id: ids.general, type: 0, name: 'general' },
    });
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(60_000);
    expect(audited()).toMatchObject({ action_type: 40, target: null, user: APP, reason: 'spring tide' });
    expect(emulator.tables.channel_invites.get(body.code)).toMatchObject({ roles: [ROLES.crew] });
  });

  it('lasts a day by default, and an equal one is returned again unless unique is set [P-1]', async () => {
    const { asBot } = await platform();
    const make = async (json: object) => (await asBot(CREATE, { json })).body;
    const first = await make({});
    expect(first).toMatchObject({ max_age: 86_400, max_uses: 0, temporary: false });
    expect((await make({ unique: false })).code).toBe(first.code);
    expect((await make({ unique: true })).code).not.toBe(first.code);
    expect((await make({ max_uses: 1 })).code).not.toBe(first.code);
    const roles = await make({ role_ids: [ROLES.crew] });
    expect((await make({ role_ids: [ROLES.crew] })).code).not.toBe(roles.code);
  });

  it('includes seven fields of a role and no other [O-22]', async () => {
    const { asBot, call } = await platform();
    const { body } = await asBot(CREATE, { json: { role_ids: [ROLES.crew] } });
    const keys = ['color', 'colors', 'icon', 'id', 'name', 'position', 'unicode_emoji'];
    expect(Object.keys(body.roles[0]).sort()).toEqual(keys);
    const resolved = (await call(`GET /invites/${body.code}`)).body;
    expect(Object.keys(resolved.roles[0]).sort()).toEqual(keys);
    expect(resolved).not.toHaveProperty('uses');
    expect((await asBot(`GET /guilds/${ids.riverBank}/invites`)).body).toEqual([body]);
  });

  it('is listed by channel with MANAGE_CHANNELS, and by guild without metadata with VIEW_AUDIT_LOG [P-2]', async () => {
    const { asBot, may, invited } = await platform(['MANAGE_CHANNELS']);
    await invited();
    const inChannel = `GET /channels/${ids.lounge}/invites`;
    expect((await asBot(inChannel)).body).toMatchObject([{ code: 'quayside', uses: 0 }]);
    expect((await asBot(`GET /channels/${ids.general}/invites`)).body).toEqual([]);
    await may('VIEW_AUDIT_LOG');
    expect((await asBot(inChannel)).body.code).toBe(50013);
    const [brief] = (await asBot(`GET /guilds/${ids.riverBank}/invites`)).body;
    expect(brief.code).toBe('quayside');
    expect(brief).not.toHaveProperty('uses');
  });

  it('is deleted with MANAGE_CHANNELS or MANAGE_GUILD, and the deletion is audited', async () => {
    const { asBot, may, invited, emulator, audited } = await platform(['MANAGE_CHANNELS']);
    for (const right of ['MANAGE_CHANNELS', 'MANAGE_GUILD'] as const) {
      await may(right);
      await invited();
      const { status, body } = await asBot('DELETE /invites/quayside');
      expect([status, body.code]).toEqual([200, 'quayside']);
      expect(emulator.tables.channel_invites.has('quayside')).toBe(false);
      expect(audited()).toMatchObject({ action_type: 42 });
    }
  });

  it('expires by the clock, and is unknown from then on', async () => {
    const { asBot, call, emulator } = await platform(['MANAGE_GUILD', 'MANAGE_CHANNELS']);
    const { code } = (await asBot(CREATE, { json: { max_age: 60 } })).body;
    emulator.clock.advance(59_000);
    expect((await call(`GET /invites/${code}`)).status).toBe(200);
    emulator.clock.advance(1_000);
    expect((await call(`GET /invites/${code}`)).body).toEqual({ message: 'Unknown Invite', code: 10006 });
    expect((await asBot(`DELETE /invites/${code}`)).status).toBe(404);
    expect((await asBot(`GET /channels/${ids.general}/invites`)).body).toEqual([]);
    expect((await asBot(CREATE, { json: { max_age: 60 } })).body.code).not.toBe(code);
  });

  it('lasts at most a week unless the state sets invite_max_age', async () => {
    const { asBot, emulator } = await platform();
    const json = { max_age: 5_184_000 };
    expect((await asBot(CREATE, { json })).body.errors.max_age._errors[0].code).toBe('NUMBER_TYPE_MAX');
    await emulator.apply({ invite_max_age: 5_184_000 });
    expect((await asBot(CREATE, { json })).body.max_age).toBe(5_184_000);
  });

  it('targets the stream of a user in the voice channel, or an application', async () => {
    const { asBot, emulator } = await platform();
    emulator.calls.join(ids.heron, ids.lounge);
    const make = (json: object) => asBot(`POST /channels/${ids.lounge}/invites`, { json });
    expect((await make({ target_type: 1, target_user_id: ids.heron })).body).toMatchObject({
      target_type: 1,
      target_user: { id: ids.heron },
    });
    expect((await make({ target_type: 2, target_application_id: APP })).body).toMatchObject({
      target_type: 2,
      target_application: { id: APP, verify_key: expect.any(String) },
    });
    const wrong = async (json: object) => Object.keys((await make(json)).body.errors);
    expect(await wrong({ target_type: 1 })).toEqual(['target_user_id']);
    expect(await wrong({ target_type: 1, target_user_id: ids.otter })).toEqual(['target_user_id']);
    expect(await wrong({ target_type: 2 })).toEqual(['target_application_id']);
    expect(await wrong({ target_type: 3 })).toEqual(['target_type']);
    expect(
      (await asBot(CREATE, { json: { target_type: 2, target_application_id: APP } })).body.errors,
    ).toEqual({
      target_type: expect.anything(),
    });
  });

  it('is also created from a form, with role ids separated by commas', async () => {
    const { asBot } = await platform();
    const { body } = await asBot(CREATE, { form: { max_age: '0', temporary: 'true', role_ids: ROLES.crew } });
    expect(body).toMatchObject({
      max_age: 0,
      expires_at: null,
      temporary: true,
      roles: [{ id: ROLES.crew }],
    });
  });

  it('is resolved from the vanity URL of a guild, whose uses are counted', async () => {
    const { asBot, call, guild, emulator } = await platform();
    expect((await asBot(`GET /guilds/${ids.riverBank}/vanity-url`)).body).toEqual({ code: null, uses: 0 });
    await guild({ vanity_url_code: 'riverbank', departed: [{ user: 'otter' }] });
    const resolved = (await call('GET /invites/riverbank')).body;
    expect(resolved).toMatchObject({ code: 'riverbank', expires_at: null, guild_id: ids.riverBank });
    const otter = emulator.user(ids.otter);
    if (otter === undefined) throw new Error('the fixture has lost the otter');
    expect(emulator.channelInvites.accept('riverbank', otter)).toMatchObject({
      kind: 'accepted',
      isNew: true,
    });
    expect((await asBot(`GET /guilds/${ids.riverBank}/vanity-url`)).body).toEqual({
      code: 'riverbank',
      uses: 1,
    });
  });
});

describe('an invite request is refused:', () => {
  const MISSING = [403, 50013] as const;
  it.each<[string, string, unknown, readonly [number, number], (readonly Permission[])?]>([
    ['no such channel', 'POST /channels/5/invites', {}, [404, 10003]],
    ['a category', `POST /channels/${ids.category}/invites`, {}, [400, 50024]],
    ['roles without the right', CREATE, { role_ids: [ROLES.crew] }, MISSING, ['MANAGE_GUILD']],
    ['a role above', CREATE, { role_ids: [ROLES.captain] }, MISSING],
    ['the role of a bot', CREATE, { role_ids: [ROLES.own] }, MISSING],
    ['no such role', CREATE, { role_ids: ['5'] }, [404, 10011]],
    ['one role twice', CREATE, { role_ids: [ROLES.crew, ROLES.crew] }, [400, 50035]],
    ['an age below all', CREATE, { max_age: -1 }, [400, 50035]],
    ['an age above all', CREATE, { max_age: 5_184_001 }, [400, 50035]],
    ['too many uses', CREATE, { max_uses: 101 }, [400, 50035]],
    ['uses of another type', CREATE, { max_uses: 'many' }, [400, 50035]],
    ['no truth', CREATE, { temporary: 7 }, [400, 50035]],
    ['no ids', CREATE, { target_user_ids: ['7', 'x'] }, [400, 50035]],
    [
      'too many ids',
      CREATE,
      { target_user_ids: Array.from({ length: 1001 }, (_, at) => `${at + 1}`) },
      [400, 50035],
    ],
    ['no object', CREATE, [], [400, 50035]],
    ['an unknown code', 'GET /invites/nope', undefined, [404, 10006]],
    ['an unknown code', 'DELETE /invites/nope', undefined, [404, 10006]],
    ['taking away without the right', 'DELETE /invites/quayside', undefined, MISSING, ['MANAGE_ROLES']],
    ['the list of a channel without the right', `GET /channels/${ids.lounge}/invites`, undefined, MISSING],
    ['the list of a guild without the right', `GET /guilds/${ids.riverBank}/invites`, undefined, MISSING, []],
    ['the address without the right', `GET /guilds/${ids.riverBank}/vanity-url`, undefined, MISSING, []],
    ['the list of a guild that is elsewhere', `GET /guilds/${ids.harbour}/invites`, undefined, [403, 50001]],
  ])('%s: %s %j', async (_, what, json, [status, code], permissions = ['MANAGE_GUILD', 'MANAGE_ROLES']) => {
    const { refused, invited } = await platform(permissions);
    await invited();
    const answer = await refused(what, json === undefined ? {} : { json });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('without the permission, and in a hidden channel', async () => {
    const { refused, guild } = await platform([]);
    await guild({ roles: [{ id: ids.riverBank, permissions: ['VIEW_CHANNEL'] }] });
    expect((await refused(CREATE, { json: {} })).body.code).toBe(50013);
    await guild({ roles: [{ id: ids.riverBank, permissions: [] }] });
    expect((await refused(CREATE, { json: {} })).body.code).toBe(50001);
  });

  it('without a token, and with a token that is not a bot token', async () => {
    const { call, bearer } = await platform();
    expect((await call(CREATE, { json: {} })).status).toBe(401);
    const headers = await bearer(['identify']);
    expect((await call(CREATE, { json: {}, headers })).body.code).toBe(20002);
    expect((await call('GET /invites/quayside', { headers: { authorization: 'Bot a.b.c' } })).status).toBe(
      401,
    );
  });

  it('when the guild has 1,000 invites', async () => {
    const { refused, emulator } = await platform();
    const channel_invites = Array.from({ length: 1000 }, (_, at) => ({ ...INVITE, code: `code-${at}` }));
    await emulator.apply({ channel_invites });
    expect((await refused(CREATE, { json: {} })).body.code).toBe(30016);
  });

  it('a file beside a list, a file of another name, and a file that is too large', async () => {
    const { refused } = await platform();
    const both = await refused(CREATE, { body: targetsForm('7\n', { target_user_ids: '8' }) });
    expect(Object.keys(both.body.errors)).toEqual(['target_user_ids']);
    const form = new FormData();
    form.set('other', new Blob(['7']), 'x.csv');
    expect(Object.keys((await refused(CREATE, { body: form })).body.errors)).toEqual(['other']);
    const large = await refused(CREATE, { body: targetsForm('7\n'.repeat(1_100_000)) });
    expect([large.status, large.body.code]).toEqual([400, 50045]);
  });

  it('an unsupported field, by its name', async () => {
    const { refused } = await platform();
    const { status, body } = await refused('GET /invites/x?guild_scheduled_event_id=5');
    expect([status, body.message]).toEqual([501, expect.stringContaining('guild_scheduled_event_id')]);
  });
});
