import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ids } from '../../helpers/emulator-world.ts';
import { patch } from '../../helpers/patched.ts';
import { type PlatformAnswer, type TestPlatform, testPlatform } from '../../helpers/platform.ts';

const app = ids.harbourExample;
const secret = 'harbour secret';
const closed = { applications: [{ id: app, secret }] };

const platformWith = (change: object = {}) => testPlatform((fixture) => patch(fixture, change).fixture);

const token = ({ call }: TestPlatform, json: object) =>
  call('POST /partner-sdk/token', {
    json: { client_id: app, external_auth_type: 'STEAM_SESSION_TICKET', ...json },
  });

const byBot = ({ call, bot }: TestPlatform, external_user_id: string, more: object = {}) =>
  call('POST /partner-sdk/token/bot', { headers: bot(), json: { external_user_id, ...more } });

/** A code of the logged-in user. */
async function code({ emulator }: TestPlatform, scopes = ['openid', 'sdk.social_layer']): Promise<string> {
  const authorized = await emulator.oauth2.authorize({
    clientId: app,
    scopes,
    peer: { transport: 'ipc' },
    signal: new AbortController().signal,
  });
  return authorized.code;
}

async function exchange(platform: TestPlatform, form: Record<string, string>): Promise<PlatformAnswer> {
  return platform.call('POST /oauth2/token', {
    form: {
      grant_type: 'authorization_code',
      client_id: app,
      client_secret: secret,
      ...(form['grant_type'] === undefined ? { code: form['code'] ?? (await code(platform)) } : {}),
      ...form,
    },
  });
}

const ticket = (external_auth_token: string) => ({
  external_auth_type: 'STEAM_SESSION_TICKET',
  external_auth_token,
});

describe('tokens of a provisional account [U-5]', () => {
  it('are issued to the bot of the application, without a refresh token', async () => {
    const platform = await platformWith();
    const { status, body } = await byBot(platform, 'player 7', { preferred_global_name: 'Gull' });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual([
      'access_token',
      'expires_in',
      'id_token',
      'scope',
      'token_type',
    ]);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 604_800, scope: 'sdk.social_layer' });
    const me = await platform.call('GET /users/@me', {
      headers: { authorization: `Bearer ${body.access_token}` },
    });
    expect(me.body).toMatchObject({ global_name: 'Gull', flags: 1 << 23 });
    const again = await byBot(platform, 'player 7');
    expect(again.body.access_token).not.toBe(body.access_token);
    const claims = JSON.parse(Buffer.from(again.body.id_token.split('.')[1], 'base64url').toString());
    expect(claims).toMatchObject({ sub: me.body.id, aud: app, iss: platform.url.replace('/api', '') });
  });

  it.each([
    ['a missing name', {}, 'external_user_id', 'BASE_TYPE_REQUIRED'],
    ['an empty name', { external_user_id: '' }, 'external_user_id', 'BASE_TYPE_BAD_LENGTH'],
    ['a long name', { external_user_id: 'x'.repeat(1025) }, 'external_user_id', 'BASE_TYPE_BAD_LENGTH'],
    [
      'a long display name',
      { external_user_id: 'x', preferred_global_name: 'x'.repeat(33) },
      'preferred_global_name',
      'BASE_TYPE_BAD_LENGTH',
    ],
  ])('are not issued for %s', async (_, json, field, leaf) => {
    const { call, bot } = await platformWith();
    const { status, body } = await call('POST /partner-sdk/token/bot', { headers: bot(), json });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 50035, errors: { [field]: { _errors: [{ code: leaf }] } } });
  });

  it('belong to the account that the game names, which then has one more identity', async () => {
    const platform = await platformWith();
    const { emulator } = platform;
    const steam = await token(platform, { external_auth_token: 'emu.steam.7' });
    const [{ user } = { user: '' }] = [...emulator.tables.external_identities];
    expect(steam.status).toBe(200);
    const named = await byBot(platform, 'player 7', { provisional_user_id: user });
    const headers = { authorization: `Bearer ${named.body.access_token}` };
    expect((await platform.call('GET /users/@me', { headers })).body.id).toBe(user);
    expect((await byBot(platform, 'player 7', { provisional_user_id: user })).status).toBe(200);
    expect((await byBot(platform, 'player 7')).status).toBe(200);
    expect([...emulator.tables.external_identities].map((one) => one.user)).toEqual([user, user]);
  });

  it('are not issued for an account of another user or application', async () => {
    const platform = await platformWith();
    const { emulator } = platform;
    await byBot(platform, 'player 8');
    const [{ user } = { user: '' }] = [...emulator.tables.external_identities];
    await platform.call('POST /partner-sdk/token/bot', {
      headers: platform.bot(ids.lighthouse),
      json: { external_user_id: 'x' },
    });
    const other = [...emulator.tables.external_identities].at(-1)?.user;
    await byBot(platform, 'player 9');
    const before = emulator.exportState();
    const code = async (name: string, provisional_user_id: unknown) =>
      (await byBot(platform, name, { provisional_user_id })).body.code;
    expect(await code('player 7', emulator.me().id)).toBe(10013);
    expect(await code('player 7', other)).toBe(10013);
    expect(await code('player 7', '5')).toBe(10013);
    expect(await code('player 7', 'x')).toBe(50035);
    // That one is another account already.
    expect(await code('player 9', user)).toBe(530010);
    expect(emulator.exportState()).toBe(before);
  });

  it('are not issued to another bot, a user, or without authorization', async () => {
    const platform = await platformWith({
      applications: [{ id: app, bot_token: `${Buffer.from(app).toString('base64url')}.a.b` }],
    });
    const { call, bot, bearer } = platform;
    const json = { external_user_id: '7' };
    const guessed = `Bot ${Buffer.from(app).toString('base64url')}.emulator.bot`;
    for (const headers of [{}, { authorization: guessed }, { authorization: 'Bot x.y.z' }]) {
      expect(await call('POST /partner-sdk/token/bot', { headers, json })).toMatchObject({ status: 401 });
    }
    expect(await call('POST /partner-sdk/token/bot', { headers: await bearer(), json })).toMatchObject({
      status: 403,
      body: { code: 20002 },
    });
    // Nobody wrote that application down.
    expect(await call('POST /partner-sdk/token/bot', { headers: bot('42'), json })).toMatchObject({
      status: 403,
    });
    expect(platform.emulator.tables.external_identities.size).toBe(0);
    // Each bot knows its own users only.
    const mine = await call('POST /partner-sdk/token/bot', { headers: bot(ids.lighthouse), json });
    expect(mine.status).toBe(200);
    expect([...platform.emulator.tables.external_identities]).toMatchObject([
      { application: ids.lighthouse },
    ]);
    expect(
      (
        await call('POST /partner-sdk/provisional-accounts/unmerge/bot', {
          headers: { authorization: 'Bot MzAwMDAw.a.b' },
          json,
        })
      ).status,
    ).toBe(401);
  });

  it.each([
    ['STEAM_SESSION_TICKET', 'emu.steam.7', 'STEAM', '7'],
    ['EPIC_ONLINE_SERVICES_ACCESS_TOKEN', 'emu.epic.a1', 'EPIC_ONLINE_SERVICES', 'a1'],
    ['EPIC_ONLINE_SERVICES_ID_TOKEN', 'emu.epic.a1', 'EPIC_ONLINE_SERVICES', 'a1'],
    ['UNITY_SERVICES_ID_TOKEN', 'emu.unity.u-1', 'UNITY', 'u-1'],
    ['APPLE_ID_TOKEN', 'emu.apple.000123.abc.0456', 'APPLE', '000123.abc.0456'],
    ['PLAYSTATION_NETWORK_ID_TOKEN', 'emu.psn.p', 'PLAYSTATION_NETWORK', 'p'],
  ])(
    'are issued for a ticket of %s [8.16]',
    async (external_auth_type, external_auth_token, provider, external_user_id) => {
      const platform = await platformWith();
      const { status, body } = await token(platform, { external_auth_type, external_auth_token });
      expect(status).toBe(200);
      expect(body.refresh_token).toBeUndefined();
      const [identity] = platform.emulator.tables.external_identities;
      expect(identity).toMatchObject({ provider, external_user_id, status: 'provisional' });
      expect(platform.emulator.oauth2.introspect(body.access_token)).toMatchObject({
        userId: identity?.user,
      });
    },
  );

  it.each([
    ['emu.steam.7.expired', 530001],
    ['emu.steam.7.badissuer', 530002],
    ['emu.steam.7.badaud', 530003],
    ['emu.steam.7.old', 530004],
    ['emu.epic.7', 530020],
    ['emu.steam.', 530020],
    ['emu.steam', 530020],
    ['emu.steam.a b', 530020],
    ['emu.steam.a\nb', 530020],
    [`emu.steam.${'7'.repeat(256)}`, 530020],
    ['14000000a1b2c3', 530020],
    ['emu.__proto__.7', 530020],
  ])('are not issued for the ticket %s [8.16]', async (external_auth_token, wanted) => {
    const platform = await platformWith();
    expect(await token(platform, { external_auth_token })).toMatchObject({
      status: 400,
      body: { code: wanted },
    });
    expect(platform.emulator.tables.external_identities.size).toBe(0);
  });

  it('are not issued for a real ticket, and the error names the replacement [8.16]', async () => {
    const platform = await platformWith();
    const { body } = await token(platform, { external_auth_token: '14000000a1b2c3' });
    expect(body).toEqual({
      message: 'Invalid OIDC JWT token: here it is a text such as emu.steam.ID',
      code: 530020,
    });
  });

  it('are issued to an authenticated client, or a public client', async () => {
    const platform = await platformWith(closed);
    const json = ticket('emu.steam.7');
    for (const client_secret of [undefined, null, '', 'wrong']) {
      expect(await token(platform, { ...json, client_secret })).toMatchObject({
        status: 400,
        body: { code: 530007 },
      });
    }
    expect((await token(platform, { ...json, client_secret: secret })).status).toBe(200);
    await platform.emulator.apply({ applications: [{ id: app, public_client: true }] });
    expect((await token(platform, json)).status).toBe(200);
    expect((await token(platform, { ...json, client_secret: 'wrong' })).body.code).toBe(530007);
  });

  it('are issued to applications that enable the provider', async () => {
    const platform = await platformWith({ applications: [{ id: app, external_auth: ['OIDC'] }] });
    const json = ticket('emu.steam.7');
    expect((await token(platform, json)).body.code).toBe(530000);
    expect((await byBot(platform, '7')).body.code).toBe(530000);
    expect((await token(platform, { ...json, client_id: '42' })).body.code).toBe(530000);
    await platform.emulator.apply({ applications: [{ id: app, external_auth: ['STEAM_SESSION_TICKET'] }] });
    expect((await token(platform, json)).status).toBe(200);
    await platform.emulator.apply({ applications: [{ id: app, external_auth: [] }] });
    expect((await token(platform, json)).body.code).toBe(530000);
    await platform.emulator.apply({ strict: true });
    expect((await token(platform, { ...json, client_id: '42' })).body.code).toBe(530000);
  });

  it.each([
    ['no kind', { external_auth_type: undefined, external_auth_token: 'x' }, 'external_auth_type'],
    ['an unknown kind', { external_auth_type: 'STEAM', external_auth_token: 'x' }, 'external_auth_type'],
    ['no token', {}, 'external_auth_token'],
    ['an empty token', { external_auth_token: '' }, 'external_auth_token'],
    ['a long token', { external_auth_token: 'x'.repeat(10_241) }, 'external_auth_token'],
    ['no client', { client_id: undefined, external_auth_token: 'x' }, 'client_id'],
    ['a client that is no id', { client_id: 'abc', external_auth_token: 'x' }, 'client_id'],
  ])('are refused to a request with %s', async (_, json, field) => {
    const platform = await platformWith();
    expect(await token(platform, json)).toMatchObject({
      status: 400,
      body: { code: 50035, errors: { [field]: { _errors: [{}] } } },
    });
  });

  it('must be requested in JSON', async () => {
    const { call } = await platformWith();
    const form = {
      client_id: app,
      external_auth_type: 'STEAM_SESSION_TICKET',
      external_auth_token: 'emu.steam.7',
    };
    expect((await call('POST /partner-sdk/token', { form })).status).toBe(400);
    expect((await call('GET /partner-sdk/token')).status).toBe(405);
  });
});

it('settings of an application take effect as soon as they are applied', async () => {
  const { call, bot, emulator } = await platformWith();
  const made = bot();
  const asked = async (headers: object) => (await call('GET /users/@me', { headers: { ...headers } })).body;
  expect(await asked(made)).toMatchObject({ id: app, bot: true });
  // Libraries read the id of the application out of the token, and so does the platform.
  await expect(emulator.apply({ applications: [{ id: app, bot_token: 'MzAwMDAw.x.y' }] })).rejects.toThrow(
    /bot_token: must begin with "\w+\."/,
  );
  await expect(emulator.apply({ applications: [{ id: app, bot_token: 'secret' }] })).rejects.toThrow(
    /bot_token: must be three parts/,
  );
  const token = `${Buffer.from(app).toString('base64url')}.x.y`;
  await emulator.apply({
    users: [{ id: '77', username: 'tug', bot: true }],
    applications: [
      {
        id: app,
        bot_token: token,
        bot_user: 'tug',
        public_client: true,
        intents: ['guild_members'],
      },
    ],
  });
  expect(await asked(made)).toMatchObject({ message: '401: Unauthorized' });
  const headers = { authorization: `Bot ${token}` };
  expect(await asked(headers)).toMatchObject({ id: '77', username: 'tug', bot: true });
  expect((await call('GET /applications/@me', { headers })).body).toMatchObject({
    flags: (1 << 8) | (1 << 15),
    bot: { id: '77' },
  });
  const players = await call('POST /partner-sdk/token/bot', { headers, json: { external_user_id: '7' } });
  expect(players.status).toBe(200);
  const show = JSON.stringify(emulator.toFixture());
  expect(show).toContain('"bot_user":"77"');
  expect(show).not.toContain(token);
});

describe('a merge [2.5]', () => {
  it('returns the tokens of the user at once, and removes the provisional account', async () => {
    const platform = await platformWith(closed);
    const { body: provisional } = await byBot(platform, 'player 7');
    const me = platform.emulator.me().id;
    const answer = await exchange(platform, {
      external_auth_type: 'DISCORD_BOT_ISSUED_ACCESS_TOKEN',
      external_auth_token: provisional.access_token,
    });
    expect(answer).toMatchObject({ status: 200, body: { scope: 'openid sdk.social_layer' } });
    expect(answer.body.refresh_token).toBeDefined();
    expect(platform.emulator.oauth2.introspect(answer.body.access_token)).toMatchObject({ userId: me });
    expect(platform.emulator.external.linkOf(app, me)).toMatchObject({ status: 'merging' });
    platform.emulator.clock.advance(1_000);
    expect(platform.emulator.external.linkOf(app, me)).toMatchObject({ status: 'linked' });
    expect(platform.emulator.oauth2.introspect(provisional.access_token)).toMatchObject({ state: 'invalid' });
    expect(await byBot(platform, 'player 7')).toMatchObject({
      status: 400,
      body: {
        code: 530010,
        user_id: me,
        provider_type: 'DISCORD_BOT',
        provider_id: null,
        provider_issued_user_id: 'player 7',
      },
    });
  });

  it('works with a device code, and with an identity that has no account yet', async () => {
    const platform = await platformWith(closed);
    const begun = await platform.call('POST /oauth2/device/authorize', {
      form: { client_id: app, client_secret: secret, scope: 'sdk.social_layer' },
    });
    await platform.emulator.oauth2.devices.allow(
      begun.body.user_code,
      { transport: 'web' },
      new AbortController().signal,
    );
    const form = {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: begun.body.device_code,
    };
    const refused = await exchange(platform, { ...form, ...ticket('emu.steam.7.expired') });
    expect(refused).toMatchObject({ status: 400, body: { code: 530001 } });
    const linked = await exchange(platform, { ...form, ...ticket('emu.steam.7') });
    expect(linked).toMatchObject({ status: 200, body: { scope: 'sdk.social_layer' } });
    expect([...platform.emulator.tables.external_identities]).toMatchObject([
      { status: 'linked', user: platform.emulator.me().id, external_user_id: '7' },
    ]);
  });

  it.each([
    ['530017', 'restricted', 400, 530017],
    ['530010', 'linked', 400, 530010],
  ] as const)('is refused with %s, and the code stays valid [R-2]', async (_, status, wanted, number) => {
    const platform = await platformWith({
      ...closed,
      external_identities: [
        { application: app, provider: 'STEAM', external_user_id: '7', user: 'otter', status },
      ],
    });
    const value = await code(platform);
    const answer = await exchange(platform, { code: value, ...ticket('emu.steam.7') });
    expect(answer).toMatchObject({ status: wanted, body: { code: number } });
    // A JSON error of the platform, and not one of RFC 6749.
    expect(answer.body.error).toBeUndefined();
    expect((await exchange(platform, { code: value })).status).toBe(200);
  });

  it('is refused for an invalid or expired token, and for one of another application or kind', async () => {
    const platform = await platformWith(closed);
    const { body: person } = await exchange(platform, {});
    const { body: other } = await platform.call('POST /partner-sdk/token/bot', {
      headers: platform.bot(ids.lighthouse),
      json: { external_user_id: '7' },
    });
    const attempt = (external_auth_token: string) =>
      exchange(platform, { external_auth_type: 'DISCORD_BOT_ISSUED_ACCESS_TOKEN', external_auth_token });
    expect(await attempt('nonsense')).toMatchObject({ status: 403, body: { code: 50025 } });
    expect(await attempt('player 7')).toMatchObject({ status: 403, body: { code: 50025 } });
    expect(await attempt(other.access_token)).toMatchObject({ status: 403, body: { code: 50025 } });
    expect(await attempt(person.access_token)).toMatchObject({ status: 400, body: { code: 530014 } });
    const { body: late } = await byBot(platform, '8');
    platform.emulator.clock.advance(604_800_000);
    expect(await attempt(late.access_token)).toMatchObject({ status: 403, body: { code: 50025 } });
  });

  it('is refused to a client with a wrong secret before any other check', async () => {
    const platform = await platformWith(closed);
    const value = await code(platform);
    const form = { code: value, ...ticket('emu.steam.7.expired') };
    expect(await exchange(platform, { ...form, client_secret: 'wrong' })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    expect(await exchange(platform, { ...form, code: 'wrong' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect(await exchange(platform, { code: value, external_auth_token: 'x' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', error_description: 'Missing "external_auth_type" in request.' },
    });
    expect(await exchange(platform, { code: value, external_auth_type: 'OIDC' })).toMatchObject({
      body: { error_description: 'Missing "external_auth_token" in request.' },
    });
    expect(
      await exchange(platform, { code: value, external_auth_type: 'X', external_auth_token: 'x' }),
    ).toMatchObject({
      body: { error: 'invalid_request', error_description: 'Invalid "external_auth_type" in request.' },
    });
  });

  it('links a code once under parallel exchanges', async () => {
    const platform = await platformWith(closed);
    await token(platform, { ...ticket('emu.steam.7'), client_secret: secret });
    const value = await code(platform);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => exchange(platform, { code: value, ...ticket('emu.steam.7') })),
    );
    const good = answers.filter(({ status }) => status === 200);
    // One at most: a code that comes twice ends what its first use has given, also while that is still under way.
    expect(good.length).toBeLessThanOrEqual(1);
    expect(platform.emulator.tables.external_identities.size).toBe(1);
  });

  it('is refused with 530023 when the user has another identity of the application', async () => {
    const platform = await platformWith(closed);
    expect((await exchange(platform, ticket('emu.steam.7'))).status).toBe(200);
    expect(await exchange(platform, ticket('emu.steam.8'))).toMatchObject({
      status: 400,
      body: { code: 530023 },
    });
    expect((await exchange(platform, ticket('emu.steam.7'))).status).toBe(200);
  });
});

describe('a link ends [T-4, K-5]', () => {
  async function linked(): Promise<{
    platform: TestPlatform;
    refresh_token: string;
    access_token: string;
    events: unknown[];
  }> {
    const events: unknown[] = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const event = JSON.parse(Buffer.concat(chunks).toString());
        if (event.type === 1) events.push(event.event);
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const platform = await platformWith({
      ...closed,
      event_webhooks: [{ application: app, url, types: ['APPLICATION_DEAUTHORIZED'] }],
    });
    await byBot(platform, 'player 7');
    const identity = { provider: 'DISCORD_BOT', externalUserId: 'player 7', name: null };
    const { body } = await exchange(platform, {});
    platform.emulator.external.link(app, identity, platform.emulator.me().id);
    platform.emulator.clock.advance(1_000);
    return { platform, ...body, events };
  }

  const ways: Record<
    string,
    (platform: TestPlatform, tokens: { refresh_token: string; access_token: string }) => Promise<unknown>
  > = {
    'unmerge by the bot': async ({ call, bot }) => {
      const answer = await call('POST /partner-sdk/provisional-accounts/unmerge/bot', {
        headers: bot(),
        json: { external_user_id: 'player 7' },
      });
      expect(answer).toMatchObject({ status: 204, body: '' });
    },
    'a revoked token': ({ call }, { access_token }) =>
      call('POST /oauth2/token/revoke', {
        form: { token: access_token, client_id: app, client_secret: secret },
      }),
    'a revoked refresh token': ({ call }, { refresh_token }) =>
      call('POST /oauth2/token/revoke', {
        form: { token: refresh_token, client_id: app, client_secret: secret },
      }),
    'a grant taken back by the person': async ({ emulator }) => {
      const [grant] = emulator.oauth2.grants();
      await emulator.oauth2.revokeGrant(grant?.id ?? '');
    },
  };

  it.each(Object.keys(ways))('by %s', async (way) => {
    const { platform, events, ...tokens } = await linked();
    const me = platform.emulator.me().id;
    await ways[way]?.(platform, tokens);
    expect(platform.emulator.oauth2.introspect(tokens.access_token)).toMatchObject({ state: 'invalid' });
    expect(
      await exchange(platform, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }),
    ).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_grant',
        error_description: 'Invalid "refresh_token" in request',
      },
    });
    const [identity] = platform.emulator.tables.external_identities;
    expect(identity).toMatchObject({ status: 'provisional', external_user_id: 'player 7' });
    expect(identity?.user).not.toBe(me);
    // The same identity now leads to the new account, and may be linked again.
    const { body } = await byBot(platform, 'player 7');
    expect(platform.emulator.oauth2.introspect(body.access_token)).toMatchObject({ userId: identity?.user });
    expect(
      (
        await exchange(platform, {
          external_auth_type: 'DISCORD_BOT_ISSUED_ACCESS_TOKEN',
          external_auth_token: body.access_token,
        })
      ).status,
    ).toBe(200);
    await expect
      .poll(() => events)
      .toMatchObject([{ type: 'APPLICATION_DEAUTHORIZED', data: { user: { id: me } } }]);
  });

  it('by an external token, for the user that the token names', async () => {
    const platform = await platformWith(closed);
    await exchange(platform, ticket('emu.steam.7'));
    const unmerge = (json: object) =>
      platform.call('POST /partner-sdk/provisional-accounts/unmerge', {
        json: { client_id: app, client_secret: secret, ...json },
      });
    expect(await unmerge({ ...ticket('emu.steam.7'), client_secret: 'wrong' })).toMatchObject({
      body: { code: 530007 },
    });
    expect(await unmerge(ticket('emu.steam.7.expired'))).toMatchObject({ body: { code: 530001 } });
    expect(await unmerge(ticket('emu.steam.8'))).toMatchObject({ status: 404, body: { code: 10013 } });
    expect(await unmerge(ticket('emu.steam.7'))).toMatchObject({ status: 204 });
    // There is nothing left to end.
    expect(await unmerge(ticket('emu.steam.7'))).toMatchObject({ status: 400, body: { code: 50229 } });
  });

  it('not for an unknown user (404), nor for a user without a link (50229)', async () => {
    const platform = await platformWith();
    const unmerge = () =>
      platform.call('POST /partner-sdk/provisional-accounts/unmerge/bot', {
        headers: platform.bot(),
        json: { external_user_id: '7' },
      });
    expect(await unmerge()).toMatchObject({ status: 404, body: { code: 10013, message: 'Unknown User' } });
    await byBot(platform, '7');
    expect(await unmerge()).toMatchObject({ status: 400, body: { code: 50229 } });
  });
});
