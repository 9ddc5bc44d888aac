import { describe, expect, it } from 'vitest';
import { readTargets } from '../../../../src/emulator/guilds/invites/targets-file.ts';
import type { Permission } from '../../../../src/emulator/kernel/permission-bits.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { type GuildPlatform, guildPlatform } from '../../../helpers/guild-platform.ts';
import { APP } from '../../../helpers/platform.ts';
import { INVITE, targetsForm } from '../../serve/http/asked-invites.ts';

const TARGETS = '/invites/quayside/target-users';
const STATUS = `GET ${TARGETS}/job-status`;
const hundred = Array.from({ length: 100 }, (_, at) => `${1000 + at}`);

/** A platform with an invite that heron made. */
async function platform(permissions: readonly Permission[] = ['MANAGE_GUILD'], more: object = {}) {
  const world = await guildPlatform(permissions);
  await world.emulator.apply({ channel_invites: [{ ...INVITE, inviter: ids.heron, ...more }] });
  const asBot: GuildPlatform['call'] = (what, request = {}) =>
    world.call(what, { ...request, headers: { ...world.bot(), ...request.headers } });
  const refused: GuildPlatform['call'] = async (what, request) => {
    const before = world.emulator.exportState();
    const answer = await asBot(what, request);
    // What is different would be as long as the state.
    expect(world.emulator.exportState() === before).toBe(true);
    return answer;
  };
  const upload = (users: readonly string[]) =>
    asBot(`PUT ${TARGETS}`, { body: targetsForm(users.join('\n')) });
  return { ...world, asBot, refused, upload };
}

describe('a file of target users [O-21]', () => {
  it.each([
    ['with a header', 'user_id\n7\n8\n', ['7', '8']],
    ['without one', '7\n8', ['7', '8']],
    ['with CRLF', 'user_id\r\n7\r\n8\r\n', ['7', '8']],
    ['with a byte order mark', '\u{FEFF}user_id\n7\n', ['7']],
    ['with quotes and spaces', '"7"\n 8 \n', ['7', '8']],
    ['with one twice', '7\n7\n', ['7']],
    ['with a header alone', 'user_id\n', []],
    ['with nothing', '', []],
  ])('%s is read', (_, text, users) => {
    expect(readTargets(Buffer.from(text))).toEqual({ kind: 'read', users });
  });

  it('that is broken is reported line by line [P-4]', () => {
    const text = 'user_id\n7\nnope\n99999999999999999999\n1,2\n0\nuser_id\n';
    const format = 'invalid user ID format';
    const snowflake = 'invalid user ID - must be a valid Discord snowflake';
    expect(readTargets(Buffer.from(text))).toEqual({
      kind: 'broken',
      faults: [
        `Line 3: ${format}`,
        `Line 4: ${snowflake}`,
        `Line 5: ${format}`,
        `Line 6: ${snowflake}`,
        `Line 7: ${format}`,
      ],
    });
    expect(readTargets(Buffer.from('x\n'.repeat(5000)))).toMatchObject({ faults: { length: 100 } });
    expect(readTargets(Buffer.from([0xff, 0xfe, 0x31, 0x00]))).toMatchObject({ kind: 'broken' });
  });
});

describe('the target users of an invite', () => {
  it('are added and removed at once, and returned as a file [P-3, P-6, P-7, P-8, P-9, P-20]', async () => {
    const { asBot } = await platform();
    const list = async () => (await asBot(`GET ${TARGETS}`)).body;
    expect((await asBot(`PUT ${TARGETS}/7`)).status).toBe(204);
    const { headers } = await asBot(`GET ${TARGETS}`);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(await list()).toBe('user_id\n7\n');
    expect((await asBot(`PUT ${TARGETS}/7`)).status).toBe(204);
    const user_ids = ['8', '9'];
    expect((await asBot(`POST ${TARGETS}/bulk-add`, { json: { user_ids } })).status).toBe(204);
    expect(await list()).toBe('user_id\n7\n8\n9\n');
    expect((await asBot(`DELETE ${TARGETS}/7`)).status).toBe(204);
    expect((await asBot(`POST ${TARGETS}/bulk-delete`, { json: { user_ids: ['9', '5'] } })).status).toBe(204);
    expect(await list()).toBe('user_id\n8\n');
    expect((await asBot(`DELETE ${TARGETS}/8`)).status).toBe(204);
    // It was for certain users, and is for nobody now.
    expect(await list()).toBe('user_id\n');
  });

  it('are set when the invite is created, at once from a list or later from a file [P-1]', async () => {
    const { asBot, emulator } = await platform();
    const create = `POST /channels/${ids.general}/invites`;
    const made = async (request: object) => (await asBot(create, request)).body.code as string;
    const csv = async (code: string) => (await asBot(`GET /invites/${code}/target-users`)).body;
    const status = async (code: string) => (await asBot(`GET /invites/${code}/target-users/job-status`)).body;
    const listed = await made({ json: { target_user_ids: ['7', '8'] } });
    expect(await csv(listed)).toBe('user_id\n7\n8\n');
    expect(await status(listed)).toMatchObject({ code: 10124 });
    emulator.clock.freeze();
    const body = targetsForm('user_id\r\n7\r\n', { payload_json: JSON.stringify({ max_uses: 2 }) });
    const uploaded = await made({ body });
    expect(await status(uploaded)).toMatchObject({ status: 1, total_users: 1, processed_users: 0 });
    emulator.clock.advance(1_000);
    expect(await status(uploaded)).toMatchObject({ status: 2, processed_users: 1 });
    expect(await csv(uploaded)).toBe('user_id\n7\n');
  });

  it('are read from a file after a second of the clock, from processing to completed [T-2, P-4, P-5]', async () => {
    const { asBot, upload, emulator } = await platform();
    expect((await asBot(STATUS)).body).toMatchObject({ code: 10124 });
    expect((await asBot(`GET ${TARGETS}`)).body).toMatchObject({ code: 10129 });
    emulator.clock.freeze();
    const now = emulator.clock.now();
    expect((await upload(hundred)).status).toBe(204);
    expect((await asBot(STATUS)).body).toEqual({
      status: 1,
      total_users: 100,
      processed_users: 0,
      created_at: new Date(now).toISOString().replace('Z', '000+00:00'),
      completed_at: null,
      error_message: null,
    });
    expect((await asBot(`GET ${TARGETS}`)).body).toBe('user_id\n');
    emulator.clock.advance(999);
    expect((await asBot(STATUS)).body.status).toBe(1);
    emulator.clock.advance(1);
    const completed_at = new Date(now + 1000).toISOString().replace('Z', '000+00:00');
    expect((await asBot(STATUS)).body).toMatchObject({ status: 2, processed_users: 100, completed_at });
    expect((await asBot(`GET ${TARGETS}`)).body.split('\n')).toHaveLength(102);
    // Another one takes its place.
    await upload(['5']);
    expect((await asBot(STATUS)).body).toMatchObject({ status: 1, total_users: 1, completed_at: null });
    emulator.clock.advance(1_000);
    expect((await asBot(`GET ${TARGETS}`)).body).toBe('user_id\n5\n');
  });

  it('are read from a held file as far as the operator advances it, and the file may fail midway [T-2]', async () => {
    const { asBot, upload, emulator } = await platform();
    const { channelInvites, clock } = emulator;
    const { jobs: targetJobs } = channelInvites;
    targetJobs.hold('quayside');
    await upload(hundred);
    clock.advance(3_600_000);
    expect((await asBot(STATUS)).body).toMatchObject({ status: 1, processed_users: 0 });
    targetJobs.advance('quayside', 41);
    expect((await asBot(STATUS)).body).toMatchObject({ status: 1, processed_users: 41 });
    expect((await asBot(`GET ${TARGETS}`)).body.split('\n')).toHaveLength(43);
    await asBot(`PUT ${TARGETS}/7`);
    targetJobs.fail('quayside', 'Failed to parse CSV file');
    expect((await asBot(STATUS)).body).toMatchObject({
      status: 3,
      total_users: 100,
      processed_users: 41,
      completed_at: null,
      error_message: 'Failed to parse CSV file',
    });
    expect((await asBot(`GET ${TARGETS}`)).body.split('\n')).toHaveLength(44);
    expect(() => targetJobs.advance('quayside', 1)).toThrow('no file of the invite quayside is being read');
    expect(() => targetJobs.fail('quayside', 'x')).toThrow('no file of the invite quayside is being read');
    expect(() => targetJobs.hold('nope')).toThrow('there is no invite "nope"');
    // The next one is held, too.
    await upload(['5', '6']);
    clock.advance(3_600_000);
    targetJobs.advance('quayside', 5);
    expect((await asBot(STATUS)).body).toMatchObject({ status: 2, total_users: 2, processed_users: 2 });
  });

  it('are still read from a pending file after an import [T-2]', async () => {
    const { asBot, upload, emulator } = await platform();
    emulator.clock.freeze();
    await upload(hundred);
    const state = emulator.exportState();
    emulator.clock.advance(1_000);
    expect((await asBot(STATUS)).body.status).toBe(2);
    emulator.clock.set(emulator.clock.now() - 500);
    emulator.importState(state, 'state');
    expect((await asBot(STATUS)).body.status).toBe(1);
    emulator.clock.advance(500);
    expect((await asBot(STATUS)).body.status).toBe(2);
  });

  it('are readable with VIEW_AUDIT_LOG, and the inviter has full access [P-3, P-5, P-20]', async () => {
    const { asBot, may, refused, emulator } = await platform(['VIEW_AUDIT_LOG'], { targeted: true });
    expect((await asBot(`GET ${TARGETS}`)).status).toBe(200);
    expect((await asBot(STATUS)).body.code).toBe(10124);
    expect((await refused(`PUT ${TARGETS}/7`)).body.code).toBe(50013);
    await may();
    expect((await refused(`GET ${TARGETS}`)).body.code).toBe(50013);
    await emulator.apply({ channel_invites: [INVITE] });
    for (const what of [`GET ${TARGETS}`, `PUT ${TARGETS}/7`, `DELETE ${TARGETS}/7`]) {
      expect((await asBot(what)).status, what).toBeLessThan(300);
    }
  });

  it('are inaccessible to an inviter who is no longer a member [P-3, P-20]', async () => {
    const { refused, guild } = await platform([], { inviter: APP, targeted: true });
    await guild({ members: [{ user: APP, remove: true }] });
    const users = { json: { user_ids: ['7'] } };
    for (const what of [`GET ${TARGETS}`, STATUS, `PUT ${TARGETS}/7`, `DELETE ${TARGETS}/7`]) {
      expect((await refused(what)).body.code, what).toBe(50001);
    }
    expect((await refused(`POST ${TARGETS}/bulk-add`, users)).body.code).toBe(50001);
  });

  it('can resolve the invite, like its managers; for everyone else the invite is unknown', async () => {
    const { call, asBot, bearer, may } = await platform(['MANAGE_GUILD'], { targeted: true });
    const what = 'GET /invites/quayside';
    expect((await call(what)).body.code).toBe(10006);
    const headers = await bearer(['identify']);
    expect((await call(what, { headers })).body.code).toBe(10006);
    expect((await asBot(what)).status).toBe(200);
    await asBot(`PUT ${TARGETS}/${ids.river}`);
    expect((await call(what, { headers })).status).toBe(200);
    await may();
    expect((await asBot(what)).body.code).toBe(10006);
  });
});

describe('a target user request is refused:', () => {
  const json = { user_ids: ['7'] };
  it.each<[string, string, object, readonly [number, number?], (readonly Permission[])?]>([
    ['an unknown code', `PUT /invites/nope/target-users/7`, {}, [404, 10006]],
    ['no list to take from', `DELETE ${TARGETS}/7`, {}, [404, 10129]],
    ['no list to take from', `POST ${TARGETS}/bulk-delete`, { json }, [404, 10129]],
    ['no id', `PUT ${TARGETS}/x`, {}, [400, 50035]],
    ['no ids', `POST ${TARGETS}/bulk-add`, { json: { user_ids: ['x'] } }, [400, 50035]],
    ['nothing', `POST ${TARGETS}/bulk-add`, { json: {} }, [400, 50035]],
    ['too many', `POST ${TARGETS}/bulk-add`, { json: { user_ids: Array(1001).fill('7') } }, [400, 50035]],
    ['no file', `PUT ${TARGETS}`, { body: new FormData() }, [400, 50035]],
    ['JSON', `PUT ${TARGETS}`, { json: {} }, [400, 50035]],
    ['without the right', `PUT ${TARGETS}`, { body: targetsForm('7') }, [403, 50013], ['VIEW_AUDIT_LOG']],
    ['without the right', `POST ${TARGETS}/bulk-add`, { json }, [403, 50013], ['VIEW_AUDIT_LOG']],
    ['without the right', `POST ${TARGETS}/bulk-delete`, { json }, [403, 50013], ['VIEW_AUDIT_LOG']],
    ['without the right', STATUS, {}, [403, 50013], []],
  ])('%s: %s %j', async (_, what, request, [status, code], permissions = ['MANAGE_GUILD']) => {
    const { refused } = await platform(permissions);
    const answer = await refused(what, request);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('a broken file, with its faulty lines, at creation of the invite and on its own [P-4]', async () => {
    const { refused } = await platform();
    const body = { target_users_file: ['Line 2: invalid user ID format'] };
    const form = () => ({ body: targetsForm('7\nnope') });
    expect(await refused(`PUT ${TARGETS}`, form())).toMatchObject({ status: 400, body });
    expect(await refused(`POST /channels/${ids.general}/invites`, form())).toMatchObject({
      status: 400,
      body,
    });
  });

  it('more users than an application has room for', async () => {
    const { upload, refused, emulator } = await platform();
    emulator.clock.freeze();
    const many = (from: number, length: number) => Array.from({ length }, (_, at) => `${from + at}`);
    expect((await upload(many(1_000_000, 90_000))).status).toBe(204);
    const full = await refused(`POST /channels/${ids.general}/invites`, {
      body: targetsForm(many(2_000_000, 20_000).join('\n')),
    });
    expect([full.status, full.body.message]).toEqual([
      503,
      expect.stringContaining('this application or webhook counts for'),
    ]);
  }, 30_000);
});
