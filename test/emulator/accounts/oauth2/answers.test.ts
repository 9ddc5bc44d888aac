import { describe, expect, it } from 'vitest';
import type { OAuth2Error } from '../../../../src/emulator/accounts/oauth2/error.ts';
import { introspect } from '../../../../src/emulator/accounts/oauth2/introspection.ts';
import { checkScopes, scopesIn } from '../../../../src/emulator/accounts/oauth2/scopes.ts';
import {
  accessSeconds,
  livingTokens,
  type TokenFamily,
} from '../../../../src/emulator/accounts/oauth2/tokens.ts';
import {
  address,
  asking,
  located,
  open,
  press,
  REDIRECT,
  signIn,
  tokenIn,
} from '../../../helpers/browser-pages.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { APP, type TestPlatform, testPlatform } from '../../../helpers/platform.ts';

const SECRET = 'written down';

const credentials = ({ call }: TestPlatform, scope: string, more: Readonly<Record<string, string>> = {}) =>
  call('POST /oauth2/token', {
    form: { grant_type: 'client_credentials', client_id: APP, client_secret: SECRET, scope, ...more },
  });

/** A platform whose application has a secret. */
const withSecret = () =>
  testPlatform((fixture) => ({
    ...fixture,
    applications: fixture.applications.map((one) => ({ ...one, secret: SECRET })),
  }));

describe('client credentials', () => {
  it('return a token with its scopes and its lifetime', async () => {
    expect((await credentials(await withSecret(), 'identify guilds')).body).toEqual({
      token_type: 'Bearer',
      access_token: expect.stringMatching(/^[A-Za-z0-9]{30}$/),
      expires_in: accessSeconds,
      scope: 'identify guilds',
    });
  });

  it.each([
    ['webhook.incoming', {}, 400, 'invalid_scope', 'Client credentials cannot ask for: webhook.incoming.'],
    ['', {}, 400, 'invalid_scope', 'No scope was requested.'],
    ['identify', { client_secret: 'x' }, 401, 'invalid_client', undefined],
    [
      'identify',
      { client_id: '999999999999999991', client_secret: 'x' },
      400,
      'unauthorized_client',
      'Client credentials are for applications with a configured secret.',
    ],
  ])('for "%s" with %j are refused', async (scope, more, status, error, error_description) => {
    const answer = await credentials(await withSecret(), scope, more);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual({ error, error_description });
  });
});

it('GET /oauth2/@me names the user only for a token with identify', async () => {
  const platform = await testPlatform();
  const me = async (scopes: string[]) =>
    (await platform.call('GET /oauth2/@me', { headers: await platform.bearer(scopes) })).body;
  expect(await me(['guilds'])).toEqual({
    application: expect.objectContaining({ id: APP }),
    scopes: ['guilds'],
    expires: expect.any(String),
  });
  expect((await me(['identify'])).user).toMatchObject({ id: platform.emulator.me().id });
});

it.each([
  [['openid'], ['sub']],
  [
    ['openid', 'identify'],
    ['locale', 'nickname', 'preferred_username', 'sub'],
  ],
  [
    ['openid', 'identify', 'email'],
    ['email', 'email_verified', 'locale', 'nickname', 'preferred_username', 'sub'],
  ],
])('GET /oauth2/userinfo returns for the scopes %j the claims %j', async (scopes, claims) => {
  const platform = await testPlatform((fixture) => ({
    ...fixture,
    users: fixture.users.map((user) => ({ ...user, email: 'a@b.example' })),
  }));
  const { body } = await platform.call('GET /oauth2/userinfo', { headers: await platform.bearer(scopes) });
  expect(Object.keys(body).sort()).toEqual(claims);
  expect(body.sub).toBe(platform.emulator.me().id);
});

describe('the introspection of a token', () => {
  const found = {
    family: { id: 'f', clientId: '2', userId: '1', scopes: ['identify'] },
    token: { hash: 'h', expires: 10 },
  };
  type Context = Parameters<typeof introspect>[0];
  const context = (more: object): Context =>
    ({
      tokens: { find: () => found },
      now: () => 9,
      user: () => ({ id: '1' }),
      application: () => undefined,
      ...more,
    }) as unknown as Context;

  it.each<[what: string, more: object, reason: string]>([
    ['that nobody issued', { tokens: { find: () => undefined } }, 'unknown'],
    ['that has just expired', { now: () => 10 }, 'expired'],
    ['of a removed user', { user: () => undefined }, 'user-removed'],
    ['of an application that is no longer accepted', {}, 'unknown'],
  ])('says why a token %s is invalid', (_, more, reason) => {
    expect(introspect(context(more), 'token')).toEqual({ state: 'invalid', reason });
  });
});

it.each([
  ['', []],
  [undefined, []],
  ['identify', ['identify']],
  ['  identify   rpc ', ['identify', 'rpc']],
  ['identify+rpc+', ['identify', 'rpc']],
])('the scopes in %j are %j', (text, scopes) => {
  expect(scopesIn(text)).toEqual(scopes);
});

it.each([
  [[], false, 'invalid_scope: No scope was requested.'],
  [['a'], false, 'invalid_scope: Unknown scope: "a".'],
  [['a', 'b', 'c'], false, 'invalid_scope: Unknown scope: "a", "b", "c".'],
  [['a', 'b', 'c', 'd'], false, 'invalid_scope: Unknown scope: "a", "b", "c" and 1 more.'],
  [['identify.premium'], false, 'invalid_scope: Only approved partners may request: identify.premium.'],
  [
    ['role_connections.write'],
    true,
    'invalid_scope: A public client may not request: role_connections.write.',
  ],
])('the refusal of the scopes %j names them', (scopes, public_client, message) => {
  expect(() => checkScopes(scopes, { partner: false, public_client })).toThrow(
    expect.objectContaining({ message }),
  );
});

describe('the page of an authorization with a webhook', () => {
  const SCOPE = 'webhook.incoming identify';

  /** Presses Allow on the page of a request, and returns the answer to its application. */
  async function allowed(platform: TestPlatform, more: Readonly<Record<string, string>>) {
    const browser = await signIn(platform);
    const { body } = await open(platform, address({ scope: SCOPE, channel_id: ids.general }), browser);
    const form = { token: tokenIn(body), decision: 'allow', ...more };
    const { pathname, search } = located(await press(platform, '/oauth2/authorize', form, browser));
    return located(await open(platform, `${pathname}${search}`, browser));
  }

  it('creates it in the channel of the request when its form names none', async () => {
    const platform = await testPlatform(undefined, asking);
    const { searchParams, origin } = await allowed(platform, {});
    expect([origin, searchParams.get('error')]).toEqual([new URL(REDIRECT).origin, null]);
    expect([...platform.emulator.tables.channel_webhooks].map(({ channel }) => channel)).toEqual([
      ids.general,
    ]);
  });

  it('answers that a channel has too many', async () => {
    const platform = await testPlatform(undefined, asking);
    const { emulator } = platform;
    await emulator.apply({
      channel_webhooks: Array.from({ length: 15 }, (_, index) => ({
        id: String(700 + index),
        channel: ids.general,
        name: `Webhook ${index}`,
      })),
    });
    const { searchParams } = await allowed(platform, { webhook_channel_id: ids.general });
    expect(searchParams.get('error')).toBe('temporarily_unavailable');
    expect(searchParams.get('error_description')).toContain('webhooks');
    expect(emulator.tables.channel_webhooks.size).toBe(15);
  });
});

it.each([
  [[], 9, 0],
  [[], 10, 0],
  [[], 11, 1],
  [[11], 10, 1],
  [[11, 12, 10, 9], 10, 2],
  [[9], 11, 1],
])(
  'a family with access tokens until %j and a refresh token until %i has %i living tokens at 10',
  (access, refresh, count) => {
    const token = (expires: number) => ({ hash: 'h', expires });
    const family = { access: access.map(token), refresh: token(refresh) } as unknown as TokenFamily;
    expect(livingTokens(family, 10)).toBe(count);
  },
);

describe('an authorization request', () => {
  const long = 'x'.repeat(1025);

  it.each<[more: object, description: string | undefined]>([
    [{ state: long.slice(1), nonce: long.slice(1), prompt: 'none', integrationType: 0 }, undefined],
    [{ integrationType: 1 }, undefined],
    [{ state: long }, 'Invalid "state" in request.'],
    [{ nonce: long }, 'Invalid "nonce" in request.'],
    [{ integrationType: 2 }, 'Invalid "integration_type" in request.'],
    [{ integrationType: Number.NaN }, 'Invalid "integration_type" in request.'],
    [{ prompt: 'login' }, 'Invalid "prompt" in request.'],
    [{ redirectUri: 'https://elsewhere.example/' }, 'Invalid "redirect_uri" in request.'],
    [{ redirectUri: 'com.example.game:/cb' }, 'Missing "code_challenge" in request.'],
    [{ peer: { transport: '' } }, 'Invalid "transport" in request.'],
    [{ peer: { transport: long } }, 'Invalid "transport" in request.'],
  ])('is refused before the user is prompted, by what is wrong: case %#', async (more, description) => {
    const { emulator } = await testPlatform();
    const { signal } = new AbortController();
    const sent = emulator.oauth2
      .authorize({ clientId: APP, scopes: ['identify'], peer: { transport: 'ipc' }, signal, ...more })
      .then(
        () => undefined,
        (error: unknown) => (error as OAuth2Error).description,
      );
    expect(await sent).toBe(description);
  });

  it('of an app that has left, or for an unknown application, is refused', async () => {
    const { emulator } = await testPlatform();
    const options = { scopes: ['identify'], peer: { transport: 'ipc' } };
    const { signal } = new AbortController();
    await expect(emulator.oauth2.authorize({ ...options, clientId: 'x', signal })).rejects.toThrow(
      'unauthorized_client: Unknown application.',
    );
    await expect(
      emulator.oauth2.authorize({ ...options, clientId: APP, signal: AbortSignal.abort() }),
    ).rejects.toThrow('access_denied: The app has left.');
  });
});
