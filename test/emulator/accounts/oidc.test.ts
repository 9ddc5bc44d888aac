import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  BUILT_IN_ISSUER,
  builtInIdToken,
  builtInKeys,
} from '../../../src/emulator/accounts/built-in-issuer.ts';
import { ids } from '../../helpers/emulator-world.ts';
import { ManualClock } from '../../helpers/manual-clock.ts';
import { patch } from '../../helpers/patched.ts';
import { type TestPlatform, testPlatform } from '../../helpers/platform.ts';

const app = ids.harbourExample;
const ISSUER = 'https://id.example.com';
const now = Math.floor(new ManualClock().now() / 1000);
const DAY = 86_400;

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;
const pairs: Record<string, Keys> = {};
beforeAll(async () => {
  for (const alg of ['RS256', 'ES256', 'PS384'])
    pairs[alg] = await generateKeyPair(alg, { extractable: true });
  pairs['other'] = await generateKeyPair('RS256', { extractable: true });
});

/** The key set of the issuer. */
async function jwks(...algs: string[]): Promise<object> {
  const keys = algs.map(async (alg) => ({
    ...(await exportJWK((pairs[alg] as Keys).publicKey)),
    kid: alg,
    use: 'sig',
  }));
  return { keys: await Promise.all(keys) };
}

interface Signed {
  readonly claims?: JWTPayload;
  readonly header?: object;
  /** By whose key; the algorithm is that of the key unless `header` says another. */
  readonly by?: string;
}

/** A token as the issuer would sign it, with what `claims` and `header` change. */
async function signed({ claims = {}, header = {}, by = 'RS256' }: Signed = {}): Promise<string> {
  const whole = { iss: ISSUER, sub: 'player 7', aud: app, iat: now, exp: now + 600, ...claims };
  const alg = by === 'other' ? 'RS256' : by;
  return new SignJWT(whole)
    .setProtectedHeader({ alg, kid: by, ...header })
    .sign((pairs[by] as Keys).privateKey);
}

async function platformWith(issuer: object = {}): Promise<TestPlatform> {
  const row = { application: app, issuer: ISSUER, jwks: await jwks('RS256', 'ES256', 'PS384'), ...issuer };
  const change = { external_issuers: [row] };
  return testPlatform((fixture) => patch(fixture, change).fixture, { clock: new ManualClock() });
}

const asked = ({ call }: TestPlatform, external_auth_token: string, more: object = {}) =>
  call('POST /partner-sdk/token', {
    json: { client_id: app, external_auth_type: 'OIDC', external_auth_token, ...more },
  });

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a token of an issuer that the application names [U-5, U-6]', () => {
  it.each(['RS256', 'ES256', 'PS384'])('is accepted with a signature of %s', async (by) => {
    const platform = await platformWith();
    const { status, body } = await asked(
      platform,
      await signed({ by, claims: { preferred_username: 'Gull' } }),
    );
    expect(status).toBe(200);
    const found = platform.emulator.oauth2.introspect(body.access_token);
    expect(found).toMatchObject({ state: 'active', user: { global_name: 'Gull', flags: 1 << 23 } });
    expect([...platform.emulator.tables.external_identities]).toMatchObject([
      { provider: ISSUER, external_user_id: 'player 7' },
    ]);
  });

  it('returns a refresh token to confidential clients, which is valid for a new pair', async () => {
    const platform = await platformWith();
    expect((await asked(platform, await signed())).body.refresh_token).toBeUndefined();
    const { body } = await asked(platform, await signed(), { client_secret: 'any' });
    expect(body.refresh_token).toBeDefined();
    const renewed = await platform.call('POST /oauth2/token', {
      form: {
        grant_type: 'refresh_token',
        refresh_token: body.refresh_token,
        client_id: app,
        client_secret: 'any',
      },
    });
    expect(renewed).toMatchObject({ status: 200, body: { scope: 'sdk.social_layer' } });
  });

  it.each([
    ['a name that is too long', 'x'.repeat(33)],
    ['an empty name', ''],
    ['a name that is none', 7],
  ])('results in no display name from %s', async (_, preferred_username) => {
    const platform = await platformWith();
    const { body } = await asked(platform, await signed({ claims: { preferred_username } }));
    expect(platform.emulator.oauth2.introspect(body.access_token)).toMatchObject({
      user: { global_name: null },
    });
  });

  it('may name several audiences, and the configured client id in place of the application', async () => {
    const platform = await platformWith();
    expect((await asked(platform, await signed({ claims: { aud: ['x', app] } }))).status).toBe(200);
    const named = await platformWith({ client_id: 'game-client' });
    expect((await asked(named, await signed({ claims: { aud: 'game-client' } }))).status).toBe(200);
    expect((await asked(named, await signed())).body.code).toBe(530003);
  });

  const refused: Record<string, [signed: Signed, code: number]> = {
    'of another issuer': [{ claims: { iss: 'https://evil.example.com' } }, 530002],
    'of an issuer with a slash more': [{ claims: { iss: `${ISSUER}/` } }, 530002],
    'of no issuer': [{ claims: { iss: undefined } as never }, 530002],
    'for another audience': [{ claims: { aud: ids.lighthouse } }, 530003],
    'for several others': [{ claims: { aud: ['x', 'y'] } }, 530003],
    'for nobody': [{ claims: { aud: undefined } as never }, 530003],
    'that has expired': [{ claims: { exp: now - 1 } }, 530001],
    'that expires now': [{ claims: { exp: now } }, 530001],
    'that is older than a week': [{ claims: { iat: now - 7 * DAY - 1 } }, 530004],
    'from the future': [{ claims: { iat: now + 120 } }, 530020],
    'that is not good yet': [{ claims: { nbf: now + 120 } }, 530020],
    'without an end': [{ claims: { exp: undefined } as never }, 530020],
    'without a time': [{ claims: { iat: undefined } as never }, 530020],
    'without a subject': [{ claims: { sub: undefined } as never }, 530020],
    'with an empty subject': [{ claims: { sub: '' } }, 530020],
    'with a long subject': [{ claims: { sub: 'x'.repeat(1025) } }, 530020],
    'with a nonce that is no text': [{ claims: { nonce: 7 } }, 530020],
    'without a kid': [{ header: { kid: undefined } }, 530027],
    'with an empty kid': [{ header: { kid: '' } }, 530027],
    'with a kid of no key': [{ header: { kid: 'x' } }, 530020],
    'forged with the key of another': [{ by: 'other', header: { kid: 'RS256' } }, 530020],
    'signed with a key of another kind': [{ header: { kid: 'ES256' } }, 530020],
  };
  it.each(Object.keys(refused))('is refused %s', async (which) => {
    const platform = await platformWith();
    const [parts, code] = refused[which] as (typeof refused)[string];
    expect(await asked(platform, await signed(parts))).toMatchObject({ status: 400, body: { code } });
    expect(platform.emulator.tables.external_identities.size).toBe(0);
  });

  it('is accepted until the last second of a week', async () => {
    const platform = await platformWith();
    expect((await asked(platform, await signed({ claims: { iat: now - 7 * DAY } }))).status).toBe(200);
  });

  it('is refused without a signature, with a shared secret, or in another format', async () => {
    const platform = await platformWith();
    const claims = part({ iss: ISSUER, sub: 'x', aud: app, iat: now, exp: now + 600 });
    const good = await signed();
    const [head = '', , signature = ''] = good.split('.');
    const shared = await new SignJWT({ iss: ISSUER, sub: 'x', aud: app, iat: now, exp: now + 600 })
      .setProtectedHeader({ alg: 'HS256', kid: 'RS256' })
      .sign(new TextEncoder().encode(JSON.stringify(await jwks('RS256'))));
    for (const forged of [
      `${part({ alg: 'none', kid: 'RS256' })}.${claims}.`,
      `${part({ alg: 'NONE', kid: 'RS256' })}.${claims}.x`,
      `${part({ kid: 'RS256' })}.${claims}.x`,
      shared,
      `${head}.${claims}.${signature}`,
      `${head}.${claims}.`,
      `${part({ alg: 'RS256', kid: 'RS256', crit: ['b64'], b64: false })}.${claims}.${signature}`,
      good.slice(0, -4),
      `${good}.${good}`,
      'x',
      'a.b.c',
      `${part([])}.${part([])}.x`,
      `${Buffer.from('null').toString('base64url')}.${claims}.x`,
    ]) {
      const answer = await asked(platform, forged);
      expect(answer, forged).toMatchObject({ status: 400, body: { code: 530020 } });
      expect(JSON.stringify(answer.body)).not.toContain(signature);
    }
    expect(platform.lines.join('\n')).not.toContain(signature);
  });

  it.each([
    ['one that says nothing', {}],
    ['one of another issuer', { issuer: 'https://evil.example.com' }],
    ['one of an issuer with a slash more', { issuer: `${ISSUER}/` }],
    ['one without a key set', { jwks_uri: undefined }],
    ['a key set over http', { jwks_uri: 'http://id.example.com/jwks' }],
    ['a key set in a file', { jwks_uri: 'file:///etc/passwd' }],
    ['a key set at an IP address', { jwks_uri: 'https://127.0.0.1/jwks' }],
    ['a key set at an IP address in disguise', { jwks_uri: 'https://0x7f.1/jwks' }],
    ['no algorithms', { id_token_signing_alg_values_supported: undefined }],
    ['algorithms that are no list', { id_token_signing_alg_values_supported: 'RS256' }],
    ['algorithms that the platform has not', { id_token_signing_alg_values_supported: ['none', 'HS256'] }],
  ])('is refused when the discovery document has a fault: %s', async (_, change) => {
    const proper = {
      issuer: ISSUER,
      jwks_uri: `${ISSUER}/jwks?v=1`,
      id_token_signing_alg_values_supported: ['HS256', 'RS256'],
    };
    const discovery =
      Object.keys(change).length === 0 ? {} : JSON.parse(JSON.stringify({ ...proper, ...change }));
    const lying = await platformWith({ discovery });
    // After the platform's words stands what of the document is wrong.
    const said = `OIDC configuration not found: ${Object.keys(change).map((key) => `.*${key}`)[0] ?? ''}`;
    expect(await asked(lying, await signed())).toMatchObject({
      status: 400,
      body: { code: 530008, message: expect.stringMatching(new RegExp(said)) as unknown },
    });
    const honest = await platformWith({ discovery: proper });
    expect((await asked(honest, await signed())).status).toBe(200);
    // Signed properly, but with what the issuer says it does not use.
    expect((await asked(honest, await signed({ by: 'ES256' }))).body.code).toBe(530020);
  });

  it.each([
    ['none', null],
    ['an object of something else', {}],
    ['an empty one', { keys: [] }],
    ['one that is no list', { keys: 'x' }],
    ['one of texts', { keys: ['x'] }],
  ])('is refused when the key set is %s', async (_, keys) => {
    const platform = await platformWith({ jwks: keys });
    expect(await asked(platform, await signed())).toMatchObject({ status: 400, body: { code: 530009 } });
  });

  it('is verified with the public half of a key that is configured with both halves', async () => {
    const key = { ...(await exportJWK((pairs['RS256'] as Keys).privateKey)), kid: 'RS256' };
    const platform = await platformWith({ jwks: { keys: [key] } });
    expect((await asked(platform, await signed())).status).toBe(200);
    expect((await asked(platform, await signed({ by: 'other', header: { kid: 'RS256' } }))).body.code).toBe(
      530020,
    );
  });

  it('is refused for another application', async () => {
    const platform = await platformWith();
    const token = await signed({ claims: { aud: ids.lighthouse } });
    expect((await asked(platform, token, { client_id: ids.lighthouse })).body.code).toBe(530002);
  });

  it('is checked against issuers that are applied at run time', async () => {
    const platform = await platformWith({ jwks: null });
    await platform.emulator.apply({
      external_issuers: [{ application: app, issuer: ISSUER, jwks: await jwks('RS256') }],
    });
    expect((await asked(platform, await signed())).status).toBe(200);
    await platform.emulator.apply({ external_issuers: [{ application: app, issuer: ISSUER, remove: true }] });
    expect((await asked(platform, await signed())).body.code).toBe(530002);
    await expect(
      platform.emulator.apply({ external_issuers: [{ application: app, issuer: 'https://127.0.0.1' }] }),
    ).rejects.toThrow('external_issuers[300000000000000001 https://127.0.0.1].issuer: names an IP address');
  });
});

describe('the built-in issuer [8.15]', () => {
  it('is accepted by every listed application', async () => {
    const platform = await testPlatform(undefined, { clock: new ManualClock() });
    const subject = { subject: 'player 7', name: 'Gull', issuedAt: now };
    for (const audience of [app, ids.lighthouse]) {
      const answer = await asked(platform, await builtInIdToken({ ...subject, audience }), {
        client_id: audience,
      });
      expect(answer.status).toBe(200);
    }
    const wrong = await builtInIdToken({ ...subject, audience: ids.lighthouse });
    expect((await asked(platform, wrong)).body.code).toBe(530003);
    platform.emulator.clock.advance(3_600_000);
    expect((await asked(platform, await builtInIdToken({ ...subject, audience: app }))).body.code).toBe(
      530001,
    );
    expect([...platform.emulator.tables.external_identities]).toMatchObject([
      { application: app, provider: BUILT_IN_ISSUER },
      { application: ids.lighthouse, provider: BUILT_IN_ISSUER },
    ]);
  });

  it('is replaced by the entry of an application with the same issuer', async () => {
    const platform = await platformWith({ issuer: BUILT_IN_ISSUER, discovery: {} });
    const token = await builtInIdToken({ subject: 'player 7', audience: app, issuedAt: now });
    expect((await asked(platform, token)).body.code).toBe(530008);
  });

  it('has one constant key, and no private half in its key set', () => {
    expect(builtInKeys()).toEqual({
      keys: [
        {
          kty: 'EC',
          crv: 'P-256',
          x: 'raBOe8QldvPc4Ws3Hasf5fV_aT93eUNDFU4MMazTmLU',
          y: 'qULZ8Kw1JlUBRoJR3xNq1EQ4dZzZa6aV45bSrm74msA',
          kid: 'emulator',
          use: 'sig',
          alg: 'ES256',
        },
      ],
    });
  });

  it('is named in the conflict 530010, like any other issuer', async () => {
    const platform = await testPlatform(undefined, { clock: new ManualClock() });
    const token = await builtInIdToken({ subject: 'player 7', audience: app, issuedAt: now });
    platform.emulator.external.link(
      app,
      { provider: BUILT_IN_ISSUER, externalUserId: 'player 7', name: null },
      ids.river,
    );
    expect(await asked(platform, token)).toMatchObject({
      status: 400,
      body: {
        code: 530010,
        user_id: ids.river,
        provider_type: 'OIDC',
        provider_id: BUILT_IN_ISSUER,
        provider_issued_user_id: 'player 7',
      },
    });
    const unmerge = () =>
      platform.call('POST /partner-sdk/provisional-accounts/unmerge', {
        json: { client_id: app, external_auth_type: 'OIDC', external_auth_token: token },
      });
    expect(await unmerge()).toMatchObject({ status: 204 });
    expect(await unmerge()).toMatchObject({ body: { code: 50229 } });
    expect((await asked(platform, token)).status).toBe(200);
  });
});
