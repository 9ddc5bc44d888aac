import { describe, expect, it } from 'vitest';
import { isRegistered } from '../../../../src/emulator/accounts/oauth2/redirect.ts';
import type { ApplicationRecord } from '../../../../src/emulator/applications/records.ts';
import { address, CHALLENGE, located, open, REDIRECT, VERIFIER } from '../../../helpers/browser-pages.ts';
import { ids } from '../../../helpers/emulator-world.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';
import { worldOf } from '../../../helpers/patched.ts';
import { APP, type TestPlatform, testPlatform } from '../../../helpers/platform.ts';

const written = worldOf().tables.applications.get(APP) as ApplicationRecord;

describe('the check of a redirect address', () => {
  it.each([
    ['letter by letter', ['https://app.example/cb'], 'https://app.example/cb', true],
    ['not with a slash more', ['https://app.example/cb'], 'https://app.example/cb/', false],
    ['not with a query more', ['https://app.example/cb'], 'https://app.example/cb?x=1', false],
    ['not by another case', ['https://app.example/cb'], 'https://APP.example/cb', false],
    [
      'loopback without a port is every port of it',
      ['http://127.0.0.1/cb'],
      'http://127.0.0.1:40123/cb',
      true,
    ],
    ['by the same name only', ['http://127.0.0.1/cb'], 'http://localhost:40123/cb', false],
    ['and the same path', ['http://127.0.0.1/cb'], 'http://127.0.0.1:40123/other', false],
    ['loopback with a port is that port', ['http://127.0.0.1:5/cb'], 'http://127.0.0.1:6/cb', false],
    ['the version-6 loopback too', ['http://[::1]/cb'], 'http://[::1]:40123/cb', true],
    [
      'without TLS nowhere else, also where that is written down',
      ['http://app.example/cb'],
      'http://app.example/cb',
      false,
    ],
    [
      'nor to what only looks like loopback',
      ['http://127.0.0.1.example/cb'],
      'http://127.0.0.1.example/cb',
      false,
    ],
    ['a scheme of the application', [], `discord-${APP}:/authorize/callback`, true],
    ['not that of another', [], `discord-${ids.lighthouse}:/authorize/callback`, false],
    ['a scheme that is written down', ['com.example.game:/cb'], 'com.example.game:/cb', true],
    ['not what is no address, written down or not', ['nonsense'], 'nonsense', false],
  ])('follows the rule: %s', (_, redirect_uris, given, expected) => {
    expect(isRegistered({ origin: 'fixture', record: { ...written, redirect_uris } }, given)).toBe(expected);
  });

  it.each([
    ['http://127.0.0.1:40123/any', true],
    ['http://localhost/any', true],
    ['https://app.example/any', false],
    ['com.example.game:/cb', false],
  ])('of an unlisted application accepts %s: %s', (given, expected) => {
    const record = { ...written, redirect_uris: [] };
    expect(isRegistered({ origin: 'first-sight', record }, given)).toBe(expected);
  });
});

describe('an application without approval gets no partner scope [A-14]', () => {
  const scope = 'identify.premium';
  const secret = (platform: TestPlatform, partner: boolean) =>
    platform.emulator.apply({ applications: [{ id: APP, secret: 's', partner }] });

  it.each<[string, (platform: TestPlatform) => Promise<string | null | undefined>]>([
    ['page', async (one) => located(await open(one, address({ scope }))).searchParams.get('error')],
    [
      'implicit grant',
      async (one) => {
        const { hash } = located(await open(one, address({ scope, response_type: 'token' })));
        return new URLSearchParams(hash.slice(1)).get('error');
      },
    ],
    [
      'twin',
      async (one) => {
        const { body } = await one.call(`POST /api/v10${address({ scope })}`, { json: {} });
        return new URL(body.url).searchParams.get('error');
      },
    ],
    [
      'device',
      async (one) => {
        const form = { client_id: APP, client_secret: 's', scope };
        return (await one.call('POST /oauth2/device/authorize', { form })).body.error;
      },
    ],
    [
      'client credentials',
      async (one) => {
        const form = { grant_type: 'client_credentials', client_id: APP, client_secret: 's', scope };
        return (await one.call('POST /oauth2/token', { form })).body.error;
      },
    ],
  ])('by the way: %s', async (_, errorOf) => {
    const platform = await testPlatform();
    await secret(platform, false);
    expect(await errorOf(platform)).toBe('invalid_scope');
    await secret(platform, true);
    expect(await errorOf(platform)).toBeFalsy();
  });
});

describe('an authorization code of the page', () => {
  const form = (code: string, more: Readonly<Record<string, string>> = {}) => ({
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT,
    client_id: APP,
    client_secret: 'x',
    ...more,
  });
  const codeOf = async (platform: TestPlatform, more: Readonly<Record<string, string>> = {}) =>
    located(await open(platform, address(more))).searchParams.get('code') ?? '';
  const pkce = { code_challenge: CHALLENGE, code_challenge_method: 'S256' };

  it('is valid for 100 s, once, and stays valid after an error of its own application', async () => {
    const clock = new ManualClock();
    const platform = await testPlatform(undefined, { clock });
    const exchange = async (code: string, more: Readonly<Record<string, string>> = {}) => {
      const { status, body } = await platform.call('POST /oauth2/token', { form: form(code, more) });
      return status === 200 ? 'ok' : `${body.error}: ${body.error_description}`;
    };
    const late = await codeOf(platform);
    clock.advance(100_000);
    expect(await exchange(late)).toBe('invalid_grant: Invalid "code" in request.');
    const code = await codeOf(platform, pkce);
    expect(await exchange(code)).toBe('invalid_request: Missing "code_verifier"');
    expect(await exchange(code, { code_verifier: 'w'.repeat(43) })).toBe(
      'invalid_request: Invalid "code_verifier"',
    );
    expect(await exchange(code, { code_verifier: VERIFIER, redirect_uri: `${REDIRECT}/` })).toBe(
      'invalid_request: Invalid "redirect_uri" in request.',
    );
    expect(await exchange(code, { code_verifier: VERIFIER })).toBe('ok');
    expect(await exchange(code, { code_verifier: VERIFIER })).toContain('invalid_grant');
    const plain = await codeOf(platform);
    expect(await exchange(plain, { code_verifier: VERIFIER })).toBe(
      'invalid_request: Invalid "code_verifier"',
    );
    expect(await exchange(plain, { client_id: ids.lighthouse })).toContain('invalid_grant');
    expect(await exchange(plain)).toContain('invalid_grant');
  });

  it('is accepted once in fifty simultaneous exchanges', async () => {
    const platform = await testPlatform();
    const code = await codeOf(platform);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => platform.call('POST /oauth2/token', { form: form(code) })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.error))).toEqual(new Set([undefined, 'invalid_grant']));
  });

  it('returns a nonce only with openid, and without openid no id_token', async () => {
    const platform = await testPlatform();
    const payload = async (scope: string) => {
      const code = await codeOf(platform, { scope, nonce: 'n-0S6_WzA2Mj' });
      const { id_token } = (await platform.call('POST /oauth2/token', { form: form(code) })).body;
      return id_token && JSON.parse(Buffer.from(id_token.split('.')[1], 'base64url').toString('utf8'));
    };
    expect(await payload('identify')).toBeUndefined();
    expect(await payload('openid')).toMatchObject({ aud: APP, nonce: 'n-0S6_WzA2Mj' });
  });
});

it('the public key set contains no private members', async () => {
  const { call } = await testPlatform();
  const { keys } = (await call('GET /oauth2/keys')).body;
  expect(Object.keys(keys[0]).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
});

it('a refresh token that is used twice revokes the tokens of its code, and no others of the user', async () => {
  const platform = await testPlatform();
  const code = async () => located(await open(platform, address())).searchParams.get('code') ?? '';
  const post = async (form: Readonly<Record<string, string>>) =>
    (await platform.call('POST /oauth2/token', { form: { client_id: APP, client_secret: 'x', ...form } }))
      .body;
  const [one, two] = await Promise.all(
    [await code(), await code()].map((value) =>
      post({ grant_type: 'authorization_code', code: value, redirect_uri: REDIRECT }),
    ),
  );
  const refresh = (refresh_token: string) => post({ grant_type: 'refresh_token', refresh_token });
  const next = await refresh(one.refresh_token);
  expect(next.refresh_token).not.toBe(one.refresh_token);
  expect((await refresh(one.refresh_token)).error).toBe('invalid_grant');
  expect((await refresh(next.refresh_token)).error).toBe('invalid_grant');
  const me = async (token: string) =>
    (await platform.call('GET /oauth2/@me', { headers: { authorization: `Bearer ${token}` } })).status;
  expect(await Promise.all([one, next, two].map(({ access_token }) => me(access_token)))).toEqual([
    401, 401, 200,
  ]);
  await platform.call('POST /oauth2/token/revoke', {
    form: { token: two.refresh_token, client_id: APP, client_secret: 'x' },
  });
  expect(await me(two.access_token)).toBe(401);
  expect(platform.emulator.oauth2.grants()).toEqual([]);
});
