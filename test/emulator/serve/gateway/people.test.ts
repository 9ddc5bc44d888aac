import { expect, it } from 'vitest';
import { ids } from '../../../helpers/emulator-world.ts';
import { GatewayClient } from '../../../helpers/gateway-client.ts';
import { names, told } from '../../../helpers/gateway-told.ts';
import { patch } from '../../../helpers/patched.ts';
import { APP, testPlatform } from '../../../helpers/platform.ts';

const ALL = ['identify', 'gateway.connect', 'sdk.social_layer'];
const SCOPES = ['identify', 'gateway.connect'];

/** A platform without friends, on which people listen through games. */
async function listening() {
  const platform = await testPlatform(
    (fixture) =>
      patch({ ...fixture, relationships: [] }, { users: [{ id: APP, username: 'tug', bot: true }] }).fixture,
  );
  const { emulator, bearer, call, url } = platform;
  const person = async (user: string, scopes: readonly string[] = ALL, clientId = APP, capabilities = 0) => {
    const { id: before } = emulator.me();
    emulator.accounts.logIn(user);
    const headers = await bearer(scopes, clientId);
    emulator.accounts.logIn(before);
    const client = new GatewayClient(url);
    const ready = await client.identify(headers.authorization, { capabilities });
    const first = await told(client);
    const ask = async (what: string, json?: unknown) => {
      const { status, body } = await call(what, { headers, ...(json === undefined ? {} : { json }) });
      if (status >= 400) throw new Error(`${what}: ${status} ${JSON.stringify(body)}`);
      return body;
    };
    return { id: user, client, ready, first, ask };
  };
  return { ...platform, person };
}

it('relationships and presences of friends are sent to the users of the list alone [K-3, V-15, K-15]', async () => {
  const { emulator, person } = await listening();
  const [heron, otter] = [await person(ids.heron), await person(ids.otter)];
  const blind = await person(ids.otter, SCOPES);
  await heron.ask(`PUT /users/@me/relationships/${ids.otter}`, {});
  expect(await told(heron.client)).toMatchObject([
    { t: 'RELATIONSHIP_ADD', d: { id: ids.otter, type: 4, user: { id: ids.otter }, user_ignored: false } },
  ]);
  expect(await told(otter.client)).toMatchObject([{ t: 'RELATIONSHIP_ADD', d: { id: ids.heron, type: 3 } }]);
  await otter.ask(`PUT /users/@me/relationships/${ids.heron}`, { type: 1 });
  expect((await told(heron.client)).map(({ t, d }) => [t, d.type])).toEqual([['RELATIONSHIP_ADD', 1]]);
  await told(otter.client);
  const custom = { name: 'Custom Status', type: 'custom', state: 'afloat' };
  await emulator.apply({
    user_presences: [
      { user: 'heron', status: 'idle', custom_status_privacy: 'friends', activities: [custom] },
    ],
  });
  const [presence] = await told(otter.client);
  expect(presence).toMatchObject({
    t: 'PRESENCE_UPDATE',
    d: { user: { id: ids.heron }, status: 'idle', activities: [{ type: 4, state: 'afloat' }] },
  });
  expect(presence?.d).not.toHaveProperty('guild_id');
  // Nobody is told of themselves.
  expect(await names(heron.client)).toEqual([]);
  await otter.ask(`DELETE /users/@me/relationships/${ids.heron}`);
  const [gone] = await told(heron.client);
  expect(gone).toMatchObject({ t: 'RELATIONSHIP_REMOVE', d: { id: ids.otter, type: 1, nickname: null } });
  expect(gone?.d).not.toHaveProperty('user');
  expect(await names(blind.client)).toEqual([]);
});

it('game relationships are sent only through their game [V-15]', async () => {
  const { person } = await listening();
  const [heron, otter] = [await person(ids.heron), await person(ids.otter)];
  const elsewhere = await person(ids.heron, ALL, ids.lighthouse);
  await heron.ask(`PUT /users/@me/game-relationships/${ids.otter}`, {});
  await otter.ask(`PUT /users/@me/game-relationships/${ids.heron}`, {});
  expect((await told(heron.client)).map(({ t, d }) => [t, d.type, d.application_id])).toEqual([
    ['GAME_RELATIONSHIP_ADD', 4, APP],
    ['GAME_RELATIONSHIP_ADD', 1, APP],
  ]);
  await otter.ask(`DELETE /users/@me/game-relationships/${ids.heron}`);
  expect(await told(heron.client)).toMatchObject([
    { t: 'GAME_RELATIONSHIP_REMOVE', d: { id: ids.otter, user_id: ids.heron, dm_access_type: 0 } },
  ]);
  expect(await names(elsewhere.client)).toEqual([]);
});

it('private messages between players are sent with their channel', async () => {
  const { person } = await listening();
  const [heron, otter] = [await person(ids.heron), await person(ids.otter)];
  const reads = await person(ids.otter, [...SCOPES, 'dm_channels.messages.read']);
  const { id } = await heron.ask(`POST /users/${ids.otter}/messages`, { content: 'ahoy' });
  const events = await told(otter.client);
  expect(events.map(({ t }) => t)).toEqual(['CHANNEL_CREATE', 'MESSAGE_CREATE']);
  expect(events[0]?.d).toMatchObject({ type: 1, recipients: [{ id: ids.heron }] });
  expect(events[1]?.d).toMatchObject({ id, content: 'ahoy', author: { id: ids.heron } });
  await heron.ask(`PATCH /users/${ids.otter}/messages/${id}`, { content: 'ahoy!' });
  await heron.ask(`DELETE /users/${ids.otter}/messages/${id}`);
  expect(await names(reads.client)).toEqual(['MESSAGE_CREATE', 'MESSAGE_UPDATE', 'MESSAGE_DELETE']);
  expect(await names((await person(ids.river)).client)).toEqual([]);
});

it('two members of a lobby receive its events, from its creation to its deletion [W-2, O-19]', async () => {
  const { emulator, person, call, bot } = await listening();
  const [heron, otter] = [await person(ids.heron), await person(ids.otter)];
  const elsewhere = await person(ids.heron, ALL, ids.lighthouse);
  const without = await person(ids.heron, SCOPES);
  const lobby = await heron.ask('PUT /lobbies', {
    secret: 'under the pier',
    member_metadata: { deck: 'upper' },
  });
  expect(await told(heron.client)).toMatchObject([
    {
      t: 'LOBBY_CREATE',
      d: {
        id: lobby.id,
        application_id: APP,
        members: [{ id: ids.heron, user: { id: ids.heron, username: 'heron' } }],
        voice_states: [],
      },
    },
  ]);
  await otter.ask('PUT /lobbies', { secret: 'under the pier', lobby_metadata: { map: 'delta' } });
  expect(await told(otter.client)).toMatchObject([
    {
      t: 'LOBBY_CREATE',
      d: {
        metadata: { map: 'delta' },
        members: [{ user: { username: 'heron' } }, { user: { username: 'otter' } }],
      },
    },
  ]);
  expect((await told(heron.client)).map(({ t, d }) => [t, d.member?.user.username ?? d.metadata])).toEqual([
    ['LOBBY_UPDATE', { map: 'delta' }],
    ['LOBBY_MEMBER_ADD', 'otter'],
  ]);
  emulator.lobbies.joinCall(lobby.id, ids.otter, { mute: true });
  expect(await told(otter.client)).toMatchObject([
    { t: 'LOBBY_MEMBER_CONNECT', d: { member: { id: ids.otter }, lobby_id: lobby.id } },
    { t: 'LOBBY_VOICE_STATE_UPDATE', d: { user_id: ids.otter, channel_id: lobby.id, self_mute: true } },
    { t: 'LOBBY_VOICE_SERVER_UPDATE', d: { lobby_id: lobby.id, endpoint: null } },
  ]);
  expect(await names(heron.client)).toEqual(['LOBBY_MEMBER_CONNECT', 'LOBBY_VOICE_STATE_UPDATE']);
  emulator.lobbies.leaveCall(lobby.id, ids.otter);
  expect((await told(heron.client)).map(({ t, d }) => [t, d.channel_id])).toEqual([
    ['LOBBY_MEMBER_DISCONNECT', undefined],
    ['LOBBY_VOICE_STATE_UPDATE', null],
  ]);
  await told(otter.client);
  // Whoever comes later is told where they are: each lobby by itself, or all with READY.
  const late = await person(ids.heron);
  expect(late.first).toMatchObject([{ t: 'LOBBY_CREATE', d: { id: lobby.id } }]);
  const atOnce = await person(ids.heron, ALL, APP, 1 << 16);
  expect([atOnce.ready.d.lobbies, atOnce.first]).toMatchObject([
    [{ id: lobby.id, members: [{ user: { username: 'heron' } }, {}] }],
    [],
  ]);
  const { id } = await otter.ask(`POST /lobbies/${lobby.id}/messages`, { content: 'all aboard' });
  expect(await told(heron.client)).toMatchObject([
    {
      t: 'LOBBY_MESSAGE_CREATE',
      d: { id, lobby_id: lobby.id, channel_id: lobby.id, content: 'all aboard', flags: 65_536 },
    },
  ]);
  const moderation = `PUT /lobbies/${lobby.id}/messages/${id}/moderation-metadata`;
  await call(moderation, { headers: bot(), json: { action: 'hide' } });
  emulator.lobbies.edit(id, 'all ashore');
  expect((await told(heron.client)).map(({ t, d }) => [t, d.content, d.moderation_metadata])).toEqual([
    ['LOBBY_MESSAGE_UPDATE', 'all aboard', { action: 'hide' }],
    ['LOBBY_MESSAGE_UPDATE', 'all ashore', undefined],
  ]);
  emulator.lobbies.remove(id);
  const member = `PUT /lobbies/${lobby.id}/members/${ids.otter}`;
  await call(member, { headers: bot(), json: { additional_name: 'Pilot' } });
  expect(await told(heron.client)).toMatchObject([
    { t: 'LOBBY_MESSAGE_DELETE', d: { id, lobby_id: lobby.id } },
    {
      t: 'LOBBY_MEMBER_UPDATE',
      d: { member: { id: ids.otter, additional_name: 'Pilot' }, application_id: APP },
    },
  ]);
  await told(otter.client);
  await otter.ask(`DELETE /lobbies/${lobby.id}/members/@me`);
  expect(await told(otter.client)).toMatchObject([
    { t: 'LOBBY_DELETE', d: { id: lobby.id, reason: 'removed' } },
  ]);
  expect(await told(heron.client)).toMatchObject([
    { t: 'LOBBY_MEMBER_REMOVE', d: { member: { id: ids.otter }, lobby_id: lobby.id } },
  ]);
  await call(`DELETE /lobbies/${lobby.id}`, { headers: bot() });
  expect(await told(heron.client)).toMatchObject([
    { t: 'LOBBY_DELETE', d: { id: lobby.id, reason: 'deleted' } },
  ]);
  expect(await names(otter.client)).toEqual([]);
  expect(await names(elsewhere.client)).toEqual([]);
  expect(await names(without.client)).toEqual([]);
});

it('an activity invite reaches every session of the user through that game [V-14]', async () => {
  const { emulator, person } = await listening();
  const [phone, desktop] = [await person(ids.heron), await person(ids.heron)];
  const elsewhere = await person(ids.heron, ALL, ids.lighthouse);
  const activity = { application_id: APP, party: { id: 'crew', size: [1, 4] } };
  const { message } = emulator.invitations.invite({
    sender: ids.otter,
    recipient: ids.heron,
    application: APP,
    session: 's',
    activity,
    secret: 'never told',
    host: null,
  });
  for (const { client } of [phone, desktop]) {
    const [invite] = await told(client);
    expect(invite).toMatchObject({
      t: 'MESSAGE_CREATE',
      d: {
        id: message,
        author: { id: ids.otter },
        application_id: APP,
        activity: { type: 1, party_id: 'crew', session_id: 's' },
      },
    });
    expect(JSON.stringify(invite)).not.toContain('never told');
  }
  expect(await names(elsewhere.client)).toEqual([]);
});

it('the presence of a game session reaches the friends of its user [K-10, O-16, O-17]', async () => {
  const { emulator, person } = await listening();
  await emulator.apply({ relationships: [{ of: 'otter', user: 'heron' }] });
  const otter = await person(ids.otter);
  const heron = await person(ids.heron);
  await told(otter.client);
  const assets = { large_url: 'https://example.com/l', invite_cover_image: 'cover' };
  const activity = { name: 'Harbour', type: 0, state: 'In the bay', details: 'At anchor', assets };
  const secrets = { join: 'never told' };
  heron.client.send({
    op: 3,
    d: { since: 0, status: 'idle', afk: false, activities: [{ ...activity, secrets }] },
  });
  await told(heron.client);
  const [update] = await told(otter.client);
  expect(update).toMatchObject({
    t: 'PRESENCE_UPDATE',
    d: { user: { id: ids.heron }, status: 'idle', activities: [{ ...activity, application_id: APP }] },
  });
  expect(JSON.stringify(update)).not.toContain('never told');
  heron.client.socket.close(1000);
  await heron.client.closed;
  expect(await otter.client.event('PRESENCE_UPDATE')).toMatchObject({ d: { status: 'offline' } });
});
