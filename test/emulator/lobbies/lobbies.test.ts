import { describe, expect, it } from 'vitest';
import { ids } from '../../helpers/emulator-world.ts';
import { LOBBY, lobbyPlatform } from '../../helpers/lobby-platform.ts';
import { ManualClock } from '../../helpers/manual-clock.ts';
import { APP } from '../../helpers/platform.ts';

const DAY_MS = 86_400_000;
const secret = 'under the pier';

describe('a lobby created by a server', () => {
  it('has the requested values, and is changed and deleted on request', async () => {
    const { ask, emulator } = await lobbyPlatform();
    const made = await ask('POST /lobbies', {
      json: {
        metadata: { map: 'delta' },
        members: [{ id: ids.heron, metadata: { side: 'left' }, flags: 1 }, { id: ids.otter }],
        idle_timeout_seconds: 60,
        flags: 1,
      },
    });
    expect(made).toMatchObject({
      status: 201,
      body: {
        application_id: APP,
        metadata: { map: 'delta' },
        flags: 1,
        members: [
          { id: ids.heron, metadata: { side: 'left' }, flags: 1 },
          { id: ids.otter, metadata: null, flags: 0 },
        ],
      },
    });
    expect(made.body).not.toHaveProperty('linked_channel');
    const row = emulator.tables.lobbies.get(made.body.id);
    expect(row).toMatchObject({ made_by: 'server', secret: null, idle_timeout_seconds: 60 });
    expect((await ask('GET ')).body.members.map(({ id }: { id: string }) => id)).toEqual([
      ids.river,
      ids.heron,
    ]);
    const kept = await ask('PATCH ', { json: { metadata: { map: 'reef' } } });
    expect(kept.body).toMatchObject({ metadata: { map: 'reef' }, members: [{}, {}] });
    // A list takes the place of the one before; who stays keeps what nothing is said of.
    const replaced = await ask('PATCH ', { json: { members: [{ id: ids.river }, { id: ids.otter }] } });
    expect(replaced.body.members).toEqual([
      { id: ids.river, metadata: null, flags: 1 },
      { id: ids.otter, metadata: null, flags: 0 },
    ]);
    expect((await ask('PATCH ', { json: { metadata: null, flags: null } })).body).toMatchObject({
      metadata: null,
      flags: 0,
    });
    expect((await ask('DELETE ')).status).toBe(204);
    expect((await ask('GET ')).body).toEqual({ message: 'Unknown Lobby', code: 10031 });
    expect([...emulator.tables.lobby_members.by('lobby', LOBBY)]).toEqual([]);
    // Deleting it once more is no error.
    expect((await ask('DELETE ')).status).toBe(204);
  });

  it('is removed with its application, and with no other', async () => {
    const { emulator } = await lobbyPlatform();
    const { lobbies } = emulator.tables;
    await emulator.apply({ lobbies: [{ id: '9', application: ids.lighthouse }] });
    await emulator.apply({ applications: [{ id: ids.lighthouse, remove: true }] });
    expect([...lobbies].map(({ id }) => id)).toEqual([LOBBY]);
    await emulator.apply({ applications: [{ id: APP, remove: true }] });
    expect(lobbies.size).toBe(0);
  });

  it('cannot be left by a member', async () => {
    const { refused } = await lobbyPlatform();
    const answer = await refused('DELETE /members/@me', { by: 'heron' });
    expect([answer.status, answer.body.code]).toEqual([403, 50013]);
  });
});

describe('a lobby with a secret', () => {
  it('is created by the first user with the secret, and joined by the next [E-3, K-18]', async () => {
    const { ask, as, call } = await lobbyPlatform();
    const first = await ask('PUT /lobbies', {
      by: 'river',
      json: { secret, lobby_metadata: { map: 'delta' }, member_metadata: { side: 'left' }, flags: 1 },
    });
    expect(first).toMatchObject({
      status: 200,
      body: {
        application_id: APP,
        metadata: { map: 'delta' },
        flags: 1,
        members: [{ id: ids.river, metadata: { side: 'left' }, flags: 0 }],
      },
    });
    const second = await ask('PUT /lobbies', { by: 'heron', json: { secret } });
    expect(second.body).toMatchObject({ id: first.body.id, metadata: { map: 'delta' } });
    expect(second.body.members.map(({ id }: { id: string }) => id)).toEqual([ids.river, ids.heron]);
    // Who is in it changes what is said of them; of the lobby, too.
    const again = await ask('PUT /lobbies', {
      by: 'heron',
      json: { secret, lobby_metadata: { map: 'reef' }, member_metadata: { side: 'right' } },
    });
    expect(again.body).toMatchObject({
      metadata: { map: 'reef' },
      members: [{ metadata: { side: 'left' } }, { metadata: { side: 'right' } }],
    });
    // Every application has secrets of its own.
    const elsewhere = await call('PUT /lobbies', {
      headers: await as('river', ids.lighthouse),
      json: { secret },
    });
    expect(elsewhere.body.id).not.toBe(first.body.id);
    const gone = await call(`DELETE /lobbies/${first.body.id}/members/@me`, { headers: await as('heron') });
    expect(gone.status).toBe(204);
    const back = await ask('PUT /lobbies', { by: 'heron', json: { secret } });
    expect(back.body).toMatchObject({ id: first.body.id, members: [{ id: ids.river }, { id: ids.heron }] });
  });

  it('admits no further users after 30 days, but continues to exist', async () => {
    const clock = new ManualClock();
    const { ask, call, bot } = await lobbyPlatform({ clock });
    const first = await ask('PUT /lobbies', { by: 'river', json: { secret } });
    clock.advance(30 * DAY_MS - 1);
    expect((await ask('PUT /lobbies', { by: 'heron', json: { secret } })).body.id).toBe(first.body.id);
    clock.advance(1);
    const next = await ask('PUT /lobbies', { by: 'otter', json: { secret } });
    expect(next.body.id).not.toBe(first.body.id);
    const old = await call(`GET /lobbies/${first.body.id}`, { headers: bot() });
    expect(old.body.members.map(({ id }: { id: string }) => id)).toEqual([ids.river, ids.heron]);
  });

  it('does not reveal its secret', async () => {
    const { ask, emulator } = await lobbyPlatform();
    const made = await ask('PUT /lobbies', { by: 'river', json: { secret } });
    expect(JSON.stringify(made.body)).not.toContain(secret);
    expect(JSON.stringify(emulator.toFixture())).not.toContain(secret);
    // What was written down as a whole has it.
    emulator.importState(emulator.exportState(), 'x');
    expect((await ask('PUT /lobbies', { by: 'heron', json: { secret } })).body.id).toBe(made.body.id);
  });
});

describe('an empty lobby', () => {
  it('is removed after its idle timeout, unless a member joins before', async () => {
    const clock = new ManualClock();
    const { ask, emulator } = await lobbyPlatform({ clock });
    const { lobbies } = emulator.tables;
    await ask('PATCH ', { json: { members: [], idle_timeout_seconds: 60 } });
    expect(lobbies.get(LOBBY)?.idle_since).toBe(new Date(clock.now()).toISOString());
    clock.advance(59_999);
    await ask(`PUT /members/${ids.otter}`, { json: {} });
    expect(lobbies.get(LOBBY)?.idle_since).toBeNull();
    clock.advance(DAY_MS);
    await ask(`DELETE /members/${ids.otter}`);
    clock.advance(59_999);
    expect(lobbies.has(LOBBY)).toBe(true);
    clock.advance(1);
    expect(lobbies.has(LOBBY)).toBe(false);
  });

  it('is removed five minutes after its creation by default', async () => {
    const clock = new ManualClock();
    const { ask, emulator } = await lobbyPlatform({ clock });
    const { body } = await ask('POST /lobbies', { json: {} });
    clock.advance(299_999);
    expect(emulator.tables.lobbies.has(body.id)).toBe(true);
    // Its time counts from when it began, whatever is changed about how long that is.
    clock.advance(1);
    expect(emulator.tables.lobbies.has(body.id)).toBe(false);
  });

  it('from a fixture is removed when its idle time is over', async () => {
    const clock = new ManualClock();
    const { emulator } = await lobbyPlatform({ clock });
    const idle_since = new Date(clock.now() - 30_000).toISOString();
    await emulator.apply({
      lobbies: [{ id: '9', application: APP, idle_timeout_seconds: 60, idle_since }],
    });
    clock.advance(29_999);
    expect(emulator.tables.lobbies.has('9')).toBe(true);
    clock.advance(1);
    expect(emulator.tables.lobbies.has('9')).toBe(false);
  });

  it('stays until its idle timeout, also when the timeout is changed meanwhile', async () => {
    const clock = new ManualClock();
    const { ask, emulator } = await lobbyPlatform({ clock });
    await ask('PATCH ', { json: { members: [] } });
    clock.advance(200_000);
    await ask('PATCH ', { json: { idle_timeout_seconds: 604_800 } });
    clock.advance(604_800_000 - 200_001);
    expect(emulator.tables.lobbies.has(LOBBY)).toBe(true);
    clock.advance(1);
    expect(emulator.tables.lobbies.has(LOBBY)).toBe(false);
  });
});

describe('a member of a lobby', () => {
  it('has the additional name from the server until the server changes the name [O-19]', async () => {
    const { ask } = await lobbyPlatform();
    const member = `/members/${ids.heron}`;
    const named = await ask(`PUT ${member}`, { json: { additional_name: 'Pilot', flags: 1 } });
    expect(named).toMatchObject({
      status: 200,
      body: { id: ids.heron, metadata: null, flags: 1, additional_name: 'Pilot' },
    });
    expect((await ask(`PUT ${member}`, { json: { metadata: { a: 'b' } } })).body).toMatchObject({
      additional_name: 'Pilot',
      flags: 1,
    });
    // Neither a list of members nor the user's own game says it.
    const listed = await ask('PATCH ', {
      json: { members: [{ id: ids.heron, additional_name: 'Captain' }] },
    });
    expect(listed.body.members).toMatchObject([{ additional_name: 'Pilot' }]);
    const bulk = await ask('POST /members/bulk', { json: [{ id: ids.heron, additional_name: 'Captain' }] });
    expect(bulk.body).toMatchObject([{ additional_name: 'Captain' }]);
    const cleared = await ask(`PUT ${member}`, { json: { additional_name: null } });
    expect(cleared.body).toEqual({ id: ids.heron, metadata: { a: 'b' }, flags: 1 });
  });

  it('is added, changed and removed together with up to 24 others [E-6, L-5]', async () => {
    const { ask, refused, emulator } = await lobbyPlatform();
    const users = Array.from({ length: 25 }, (_, at) => ({ id: `${900 + at}`, username: `gull ${at}` }));
    await emulator.apply({ users });
    const come = users.map(({ id }) => ({ id }));
    const answer = await ask('POST /members/bulk', { json: come });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(come.map(({ id }) => ({ id, metadata: null, flags: 0 })));
    const mixed = await ask('POST /members/bulk', {
      json: [
        { id: ids.heron, remove_member: true },
        { id: ids.river, metadata: { side: 'left' }, remove_member: false },
        { id: ids.otter },
        { id: '900', remove_member: true },
      ],
    });
    expect(mixed.body).toEqual([
      { id: ids.river, metadata: { side: 'left' }, flags: 1 },
      { id: ids.otter, metadata: null, flags: 0 },
    ]);
    expect(emulator.tables.lobby_members.by('lobby', LOBBY).size).toBe(26);
    for (const json of [[...come, { id: ids.otter }], []]) {
      const no = await refused('POST /members/bulk', { json });
      expect([no.status, no.body.code]).toEqual([400, 50035]);
    }
    const unknown = await refused('POST /members/bulk', { json: [{ id: ids.otter, flags: 1 }, { id: '5' }] });
    expect([unknown.status, unknown.body]).toEqual([404, { message: 'Unknown User', code: 10013 }]);
  });

  it('is omitted from a bulk request without access to the application, or with a hundred lobbies [E-6]', async () => {
    const { ask, refused, emulator } = await lobbyPlatform();
    await emulator.apply({
      users: [
        { id: '901', username: 'stranger' },
        { id: '902', username: 'player' },
      ],
      external_identities: [
        { application: ids.lighthouse, provider: 'STEAM', external_user_id: '1', user: '901' },
        { application: APP, provider: 'STEAM', external_user_id: '2', user: '902' },
      ],
      lobbies: [
        ...Array.from({ length: 100 }, (_, at) => ({
          id: `${1000 + at}`,
          application: APP,
          members: [{ user: 'otter' }],
        })),
        { id: '2000', application: ids.lighthouse, members: [{ user: 'heron' }] },
      ],
    });
    const json = ['901', '902', ids.otter, ids.heron].map((id) => ({ id }));
    const { body } = await ask('POST /members/bulk', { json });
    expect(body.map(({ id }: { id: string }) => id)).toEqual(['902', ids.heron]);
    // One by one they are refused.
    expect(await refused('PUT /members/901', { json: {} })).toMatchObject({
      status: 403,
      body: { code: 50001 },
    });
    const full = await refused(`PUT /members/${ids.otter}`, { json: {} });
    expect([full.status, full.body.message]).toEqual([
      400,
      'Maximum number of lobbies of a user and an application reached (100)',
    ]);
    const joined = await refused('PUT /lobbies', { by: 'otter', json: { secret } });
    expect(joined.status).toBe(400);
    expect(await ask('PUT /lobbies', { by: 'heron', json: { secret } })).toMatchObject({ status: 200 });
  });

  it('is refused when the lobby has a thousand members', async () => {
    const { ask, refused, emulator } = await lobbyPlatform();
    const users = Array.from({ length: 998 }, (_, at) => ({ id: `${9000 + at}`, username: `gull ${at}` }));
    await emulator.apply({ users });
    await emulator.apply({ lobbies: [{ id: LOBBY, members: users.map(({ id }) => ({ user: id })) }] });
    const full = await refused(`PUT /members/${ids.otter}`, { json: {} });
    expect([full.status, full.body.message]).toEqual([
      400,
      'Maximum number of members of a lobby reached (1000)',
    ]);
    await ask('DELETE /members/9000');
    expect(await ask(`PUT /members/${ids.otter}`, { json: {} })).toMatchObject({ status: 200 });
  });

  it('moves with a provisional account into the account that it is merged into', async () => {
    const clock = new ManualClock();
    const { ask, call, emulator } = await lobbyPlatform({ clock });
    const external = { provider: 'STEAM', externalUserId: '7', name: null };
    const player = emulator.external.provisional(APP, external);
    await ask(`PUT /members/${player.id}`, { json: { additional_name: 'Pilot' } });
    emulator.lobbies.send(LOBBY, player.id, 'high water');
    emulator.external.link(APP, external, ids.otter);
    clock.advance(1000);
    expect(emulator.user(player.id)).toBeUndefined();
    const { body } = await ask('GET ');
    expect(body.members).toMatchObject([{ id: ids.river }, { id: ids.heron }, { id: ids.otter }]);
    const { body: messages } = await ask('GET /messages', { by: 'otter' });
    expect(messages).toMatchObject([{ content: 'high water', author: { id: ids.otter } }]);
    // Unlinked, the new account of the game is in the lobbies of that game, and the person as well.
    await ask('POST /lobbies', { json: { members: [{ id: ids.otter }] } });
    await call('PUT /lobbies', { headers: await lighthouse(), json: { secret } });
    emulator.external.sever(APP, ids.otter);
    const again = emulator.external.find(APP, external)?.user ?? '';
    const places = [...emulator.tables.lobby_members.by('user', again)];
    expect(places).toMatchObject([{ lobby: LOBBY, additional_name: 'Pilot' }, {}]);
    async function lighthouse() {
      await emulator.apply({ me: 'otter' });
      const { code } = await emulator.oauth2.authorize({
        clientId: ids.lighthouse,
        scopes: ['lobbies.write'],
        peer: { transport: 'ipc' },
        signal: new AbortController().signal,
      });
      const token = await emulator.oauth2.exchangeCode(
        { clientId: ids.lighthouse, clientSecret: 'any' },
        { code, issuer: 'x' },
      );
      return { authorization: `Bearer ${token.access_token}` };
    }
  });
});
