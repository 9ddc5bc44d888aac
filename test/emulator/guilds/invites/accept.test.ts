import { describe, expect, it } from 'vitest';
import { ids } from '../../../helpers/emulator-world.ts';
import { guildPlatform, ROLES } from '../../../helpers/guild-platform.ts';
import { INVITE } from '../../serve/http/asked-invites.ts';

/** A guild that otter and river have left, with an invite to it. */
async function platform(more: object = {}) {
  const world = await guildPlatform([]);
  await world.guild({ owner: 'heron', departed: [{ user: 'otter' }, { user: 'river' }] });
  await world.emulator.apply({ channel_invites: [{ ...INVITE, ...more }] });
  const { emulator } = world;
  const accept = (user: string = ids.otter, code = 'quayside') => {
    const found = emulator.user(user);
    if (found === undefined) throw new Error(`there is no ${user}`);
    const accepted = emulator.channelInvites.accept(code, found);
    return accepted.kind === 'refused' ? accepted.why : accepted.isNew;
  };
  const member = (user: string = ids.otter) => emulator.tables.members.get(ids.riverBank, user);
  return { ...world, accept, member, invite: () => emulator.tables.channel_invites.get('quayside') };
}

describe('a user who accepts an invite', () => {
  it('becomes a member with the roles of the invite, and counts as one use', async () => {
    const { accept, member, invite, emulator } = await platform({ roles: [ROLES.crew], max_uses: 2 });
    emulator.clock.freeze();
    expect(accept()).toBe(true);
    expect(member()).toMatchObject({
      roles: [ROLES.crew],
      temporary: false,
      joined_at: new Date(emulator.clock.now()).toISOString(),
    });
    expect(invite()?.uses).toBe(1);
    expect(accept()).toBe(false);
    expect(invite()?.uses).toBe(1);
    expect(accept(ids.river)).toBe(true);
    expect(invite()).toBeUndefined();
  });

  it.each([
    ['unknown', {}, {}, 'nope'],
    ['not-for-them', { targeted: true, targets: [{ user: ids.river }] }, {}],
    ['not-for-them', { targeted: true, targets: [{ user: ids.otter, pending: true }] }, {}],
    ['banned', {}, { bans: [{ user: 'otter' }] }],
    ['paused', {}, { features: ['INVITES_DISABLED'] }],
    ['paused', {}, { invites_disabled_until: '2084-01-01T00:00:00Z' }],
  ])('is refused: %s', async (why, more, guild, code = 'quayside') => {
    const world = await platform(more);
    await world.guild(guild);
    const before = world.emulator.exportState();
    expect(world.accept(ids.otter, code)).toBe(why);
    expect(world.emulator.exportState()).toBe(before);
  });

  it('cannot be a bot or a provisional account', async () => {
    const { accept, emulator } = await platform();
    await emulator.apply({
      users: [{ id: '7', username: 'buoy', bot: true }],
      external_identities: [{ application: '7', provider: 'STEAM', external_user_id: 'x', user: 'otter' }],
    });
    expect(accept('7')).toBe('bot');
    expect(accept()).toBe('provisional');
  });

  it('stays until they disconnect when the invite is temporary, or for good with a role', async () => {
    const { accept, member, emulator, guild } = await platform({ temporary: true });
    const status = (of: string) => ({ relationships: [{ user: 'otter', type: 'friend', status: of }] });
    await emulator.apply(status('online'));
    accept();
    expect(member()?.temporary).toBe(true);
    await emulator.apply(status('offline'));
    expect(member()).toBeUndefined();
    expect(emulator.tables.departures.has(ids.riverBank, ids.otter)).toBe(true);
    await emulator.apply(status('online'));
    accept();
    await guild({ members: [{ user: 'otter', roles: [ROLES.crew] }] });
    expect(member()?.temporary).toBe(false);
    await emulator.apply(status('offline'));
    expect(member()).toMatchObject({ roles: [ROLES.crew] });
    accept(ids.river);
    expect(member(ids.river)?.temporary).toBe(true);
    emulator.client.set({ logged_in: false });
    expect(member(ids.river)).toBeUndefined();
  });
});

describe('POST /invites/{code}', () => {
  it('adds the user of a token to a guild that the bot of the application is in [K-16]', async () => {
    const { call, bearer, member, emulator } = await platform({ max_uses: 1 });
    const headers = await bearer(['guilds.join']);
    const { status, body } = await call('POST /invites/quayside', { headers, json: {} });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ code: 'quayside', new_member: true, guild_id: ids.riverBank }),
    ]);
    expect(member(ids.river)).toBeDefined();
    expect(emulator.guild(ids.riverBank)).toBeDefined();
    expect((await call('POST /invites/quayside', { headers, json: {} })).body.code).toBe(10006);
  });

  it('is refused without the scope, without the bot in the guild, and for a banned user', async () => {
    const { call, bearer, bot, emulator, guild } = await platform();
    const what = 'POST /invites/quayside';
    const state = emulator.exportState();
    expect((await call(what, { headers: await bearer(['identify']), json: {} })).body.code).toBe(50026);
    expect((await call(what, { headers: bot(), json: {} })).body.code).toBe(20001);
    expect((await call(what, { json: {} })).status).toBe(401);
    const headers = await bearer(['guilds.join']);
    expect((await call('POST /invites/nope', { headers, json: {} })).body.code).toBe(10006);
    expect((await call(what, { headers, json: { session_id: 7 } })).body.code).toBe(50035);
    const elsewhere = await bearer(['guilds.join'], ids.lighthouse);
    expect((await call(what, { headers: elsewhere, json: {} })).body.code).toBe(50001);
    expect(emulator.exportState()).toBe(state);
    await guild({ bans: [{ user: 'river' }] });
    const banned = await call(what, { headers, json: {} });
    expect([banned.status, banned.body.code]).toEqual([403, 40007]);
  });
});
