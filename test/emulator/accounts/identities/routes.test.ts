import { describe, expect, it } from 'vitest';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP, type TestPlatform, testPlatform } from '../../../helpers/platform.ts';

const profileOf = (id: string, user: string = ids.river): string =>
  `/applications/${APP}/users/${user}/identities/${id}/profile`;
const OF_USER = `/users/${ids.river}/application-identities/${APP}`;
const steam = (id: string, more: object = {}) => ({
  application: APP,
  provider: 'STEAM',
  external_user_id: id,
  user: ids.river,
  status: 'linked',
  ...more,
});

const DATA = {
  primary: {
    rank_name: 'Silver',
    playtime_hours: 69.41,
    total_wins: 57,
    rank_image: { url: 'https://x.example/a' },
  },
  dynamic: [
    { type: 1, name: 'a', value: 'hello' },
    { type: 2, name: 'b', value: 123.45 },
    { type: 3, name: 'c', value: { url: 'https://x.example/b' } },
  ],
};

/** A platform on which the logged-in user allowed the application to tell of them. */
async function platform(scopes: readonly string[] = ['application_identities.write']) {
  const world = await testPlatform();
  const { emulator } = world;
  await emulator.apply({
    applications: [{ id: APP, partner: true }],
    users: [{ id: APP, username: 'tug', bot: true }],
  });
  if (scopes.length > 0) await world.bearer(scopes);
  const ask: TestPlatform['call'] = (what, request = {}) =>
    world.call(what, { ...request, headers: world.bot() });
  const refused: TestPlatform['call'] = async (what, request) => {
    const before = emulator.exportState();
    const answer = await ask(what, request);
    expect(emulator.exportState()).toBe(before);
    return answer;
  };
  return { ...world, ask, refused };
}

describe('the profile of a player [U-9]', () => {
  it('creates the identity that it belongs to, and its data is replaced as a whole', async () => {
    const { ask } = await platform();
    const first = await ask(`PATCH ${profileOf('player-7')}`, { json: { username: 'river', data: DATA } });
    expect([first.status, first.body]).toEqual([201, { username: 'river', metadata: null, data: DATA }]);
    const next = { primary: { season: 'Season 3' } };
    expect((await ask(`PATCH ${profileOf('player-7')}`, { json: { data: next } })).status).toBe(204);
    expect((await ask(`GET ${profileOf('player-7')}`)).body).toEqual({
      username: 'river',
      metadata: null,
      data: next,
    });
    expect((await ask(`PATCH ${profileOf('player-7')}`, { json: { username: 'rapids' } })).status).toBe(204);
    expect((await ask(`GET ${profileOf('player-7')}`)).body).toMatchObject({
      username: 'rapids',
      data: next,
    });
    expect((await ask(`GET ${OF_USER}`)).body).toEqual({
      identities: [{ user_id: ids.river, provider_type: 'NONE', provider_issued_user_id: 'player-7' }],
    });
  });

  it('belongs to an existing identity, moves with it to another account, and is removed with it', async () => {
    const { ask, emulator } = await platform(['sdk.social_layer']);
    await emulator.apply({ external_identities: [steam('7')] });
    expect((await ask(`PATCH ${profileOf('7')}`, { json: { data: DATA } })).status).toBe(201);
    const wrong = await ask(`PATCH ${profileOf('8')}`, { json: { data: DATA } });
    expect([wrong.status, wrong.body.message]).toEqual([
      400,
      'Provider user ID 8 does not match existing identity record',
    ]);
    const kept = () => [...emulator.tables.identity_profiles].map(({ user }) => user);
    await emulator.apply({ external_identities: [steam('7', { user: ids.otter })] });
    expect(kept()).toEqual([ids.otter]);
    const key = { application: APP, provider: 'STEAM', external_user_id: '7' };
    await emulator.apply({ external_identities: [{ ...key, remove: true }] });
    expect(kept()).toEqual([]);
  });

  it('belongs to one user', async () => {
    const { ask, refused, emulator } = await platform();
    const profile = { application: APP, provider: 'NONE', external_user_id: 'player-7' };
    await emulator.apply({ identity_profiles: [{ ...profile, user: ids.otter }] });
    const taken = await refused(`PATCH ${profileOf('player-7')}`, { json: {} });
    expect([taken.status, taken.body.message]).toEqual([
      400,
      'Application identity for this external account already exists for another user',
    ]);
    expect((await ask(`PATCH ${profileOf('player-8')}`, { json: {} })).status).toBe(201);
  });
});

describe('the identities of a player [U-9]', () => {
  it('are found by user and by provider user id, among several OIDC providers by the provider id', async () => {
    const { ask, emulator } = await platform();
    const issuer = 'https://id.example.com';
    await emulator.apply({ external_identities: [steam('7'), steam('7', { provider: issuer })] });
    const identities = [
      { user_id: ids.river, provider_type: 'STEAM', provider_issued_user_id: '7' },
      { user_id: ids.river, provider_type: 'OIDC', provider_id: issuer, provider_issued_user_id: '7' },
    ];
    expect((await ask(`GET ${OF_USER}`)).body).toEqual({ identities });
    const by = async (rest: string) =>
      (await ask(`GET /applications/${APP}/application-identities/${rest}`)).body;
    expect(await by('STEAM/7')).toEqual({ identities });
    expect(await by(`OIDC/7?provider_id=${encodeURIComponent(issuer)}`)).toEqual({ identities });
    expect(await by('OIDC/7?provider_id=https://other.example.com')).toEqual({ identities: [] });
    expect(await by('STEAM/8')).toEqual({ identities: [] });
  });

  it('can be deleted, except for the last one that links the account', async () => {
    const { ask, refused, emulator } = await platform();
    await emulator.apply({
      external_identities: [steam('7'), steam('8')],
      identity_profiles: [
        { application: APP, user: ids.river, provider: 'NONE', external_user_id: 'player-7' },
        { application: APP, user: ids.river, provider: 'STEAM', external_user_id: '8', username: 'x' },
      ],
    });
    expect((await ask(`POST ${OF_USER}/STEAM/8/delete`, { json: {} })).status).toBe(204);
    expect([...emulator.tables.identity_profiles].map(({ provider }) => provider)).toEqual(['NONE']);
    expect((await refused(`POST ${OF_USER}/STEAM/7/delete`, { json: {} })).status).toBe(400);
    expect((await ask(`POST ${OF_USER}/NONE/player-7/delete`)).status).toBe(204);
    expect((await ask(`GET ${OF_USER}`)).body.identities).toHaveLength(1);
    expect((await refused(`POST ${OF_USER}/STEAM/9/delete`)).status).toBe(404);
  });
});

describe('a profile request is refused for', () => {
  const long = 'x'.repeat(101);
  it.each<[string, object, string]>([
    ['a text too long', { data: { primary: { rank_name: long } } }, 'data'],
    ['no number', { data: { primary: { total_wins: 'many' } } }, 'data'],
    ['an unknown field', { data: { primary: { rank: 'x' } } }, 'data'],
    ['a dynamic field of another type', { data: { dynamic: [{ type: 4, name: 'x', value: 1 }] } }, 'data'],
    ['too many dynamic fields', { data: { dynamic: Array(31).fill(DATA.dynamic[0]) } }, 'data'],
    ['a name too long', { username: 'x'.repeat(1025) }, 'username'],
  ])('%s', async (_, json, field) => {
    const { refused } = await platform();
    const { status, body } = await refused(`PATCH ${profileOf('player-7')}`, { json });
    expect([status, body.code, Object.keys(body.errors)]).toEqual([400, 50035, [field]]);
  });

  it('more than 10 KB, an unknown user, another application, and a user without consent', async () => {
    const { refused, call } = await platform();
    const fields = Array.from({ length: 30 }, (_, at) => ({
      type: 3,
      name: `f${at}`,
      value: { url: `https://x.example/${'x'.repeat(400)}` },
    }));
    const large = await refused(`PATCH ${profileOf('7')}`, { json: { data: { dynamic: fields } } });
    expect([large.status, large.body.message]).toEqual([
      400,
      'Profile data is too large, must be less than 10KB',
    ]);
    expect((await refused(`GET ${profileOf('7', '5')}`)).body.code).toBe(10013);
    expect((await refused(`GET ${profileOf('7')}`)).status).toBe(404);
    const other = `/applications/${ids.lighthouse}/users/${ids.river}/identities/7/profile`;
    expect((await refused(`GET ${other}`)).body.code).toBe(10002);
    expect((await refused(`PATCH ${profileOf('7', ids.otter)}`, { json: {} })).status).toBe(403);
    expect((await call(`GET ${OF_USER}`)).status).toBe(401);
    const without = await platform(['identify']);
    expect((await without.refused(`PATCH ${profileOf('7')}`, { json: {} })).body.message).toBe(
      'Application not authorized for game stats',
    );
  });
});
