import { expect, it } from 'vitest';
import { ids } from '../../helpers/emulator-world.ts';
import { patch } from '../../helpers/patched.ts';
import { APP, testPlatform } from '../../helpers/platform.ts';

const tagged = (tag: string | null, more: object = {}) => ({
  users: [
    {
      id: ids.river,
      primary_guild: { identity_guild_id: ids.riverBank, identity_enabled: true, tag, badge: 'b1', ...more },
    },
  ],
});

it('primary_guild reports the guild tag of a user to everyone who can see the user [O-4]', async () => {
  const { call, bot, bearer, emulator } = await testPlatform(
    (fixture) => patch(fixture, tagged('BANK')).fixture,
  );
  const worn = { identity_guild_id: ids.riverBank, identity_enabled: true, tag: 'BANK', badge: 'b1' };
  const seen = async () => [
    (await call(`GET /users/${ids.river}`, { headers: bot() })).body.primary_guild,
    (await call('GET /users/@me', { headers: await bearer() })).body.primary_guild,
    (await call('GET /oauth2/@me', { headers: await bearer() })).body.user.primary_guild,
  ];
  expect(await seen()).toEqual([worn, worn, worn]);
  await emulator.apply(tagged(null, { identity_enabled: null, badge: null }));
  expect(await seen()).toMatchObject([{ tag: null, identity_enabled: null }, { tag: null }, { tag: null }]);
  await emulator.apply({ users: [{ id: ids.river, primary_guild: null }] });
  expect(await seen()).toEqual([null, null, null]);
});

it('a guild tag has 1 to 4 characters [L-10]', async () => {
  const { emulator } = await testPlatform();
  for (const tag of ['', 'FERRY']) {
    await expect(emulator.apply(tagged(tag))).rejects.toThrow(/users\[\d+\]\.primary_guild\.tag/);
  }
  await emulator.apply(tagged('B'));
});

it('role connection metadata of an application is stored in every language', async () => {
  const { call, bot, emulator } = await testPlatform();
  const path = `/applications/${APP}/role-connections/metadata`;
  const item = {
    type: 2,
    key: 'wins',
    name: 'Wins',
    description: 'How many',
    name_localizations: { de: 'Siege', fr: null },
    description_localizations: { de: 'Wie viele' },
  };
  const put = (json: unknown) => call(`PUT ${path}`, { headers: bot(), json });
  expect(
    (
      await put([
        item,
        { ...item, key: 'plain', name_localizations: null, description_localizations: undefined },
      ])
    ).body,
  ).toEqual([item, { type: 2, key: 'plain', name: 'Wins', description: 'How many' }]);
  emulator.importState(emulator.exportState(), 'x');
  expect((await call(`GET ${path}`, { headers: bot() })).body).toMatchObject([item, { key: 'plain' }]);
  for (const name_localizations of [
    { de: '' },
    { de: 'x'.repeat(101) },
    { de: 7 },
    'de',
    { ['x'.repeat(17)]: 'x' },
  ]) {
    expect(await put([{ ...item, name_localizations }])).toMatchObject({
      status: 400,
      body: { code: 50035, errors: { 0: { name_localizations: expect.anything() } } },
    });
  }
});

it('a role connection of a user accepts only metadata keys that can be stored', async () => {
  const { call, bearer, emulator } = await testPlatform();
  const headers = await bearer(['role_connections.write']);
  const put = (metadata: object) =>
    call(`PUT /users/@me/applications/${APP}/role-connection`, { headers, json: { metadata } });
  for (const key of ['Wins', 'x y', '', 'x'.repeat(51), '__proto__x-']) {
    expect(await put(JSON.parse(`{${JSON.stringify(key)}:"3"}`))).toMatchObject({
      status: 400,
      body: { code: 50035 },
    });
  }
  expect((await put({ wins: '3' })).body.metadata).toEqual({ wins: '3' });
  emulator.importState(emulator.exportState(), 'x');
});
