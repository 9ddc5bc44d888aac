// oauth4webapi checks what RFC 6749, 7009, 7636, 8628 and OpenID Connect ask of a server, and takes nothing less.
import * as oauth from 'oauth4webapi';
import { describe, expect, it } from 'vitest';
import type { TestEmulator } from '../../src/testing/testing.ts';
import { APP, allowed, confidential, OTHER_APP, REDIRECT, SECRET, story } from './story.ts';

/** All of it is on this machine, and has no TLS. */
const insecure = { [oauth.allowInsecureRequests]: true };
const client: oauth.Client = { client_id: APP };
const publicClient = oauth.None();

async function discovered({ api }: TestEmulator): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(new URL(api).origin);
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
}

const UNAUTHORIZED = { message: '401: Unauthorized', code: 0 };

interface Wanted {
  readonly scope: string;
  readonly who?: oauth.Client;
  readonly auth?: oauth.ClientAuth;
}

/** The authorization code grant with PKCE from end to end, as an app runs it. */
async function logIn(
  emulator: TestEmulator,
  server: oauth.AuthorizationServer,
  { scope, who = client, auth = publicClient }: Wanted,
): Promise<oauth.TokenEndpointResponse> {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const nonce = oauth.generateRandomNonce();
  const isOpenId = scope.split(' ').includes('openid');
  const address = new URL(server.authorization_endpoint ?? '');
  const query = {
    client_id: who.client_id,
    response_type: 'code',
    redirect_uri: REDIRECT,
    scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(isOpenId ? { nonce } : {}),
  };
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  const back = oauth.validateAuthResponse(server, who, await allowed(emulator, address), state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    who,
    auth,
    back,
    REDIRECT,
    verifier,
    insecure,
  );
  const expected = isOpenId ? { expectedNonce: nonce, requireIdToken: true } : {};
  return oauth.processAuthorizationCodeResponse(server, who, response, expected);
}

async function userOf(server: oauth.AuthorizationServer, token: string): Promise<unknown> {
  const me = new URL(`${server.issuer}/api/v10/users/@me`);
  const answer = await oauth.protectedResourceRequest(token, 'GET', me, undefined, null, insecure);
  return answer.json();
}

describe('oauth4webapi', () => {
  it('finds every endpoint in the discovery document', async () => {
    const emulator = await story();
    const server = await discovered(emulator);
    expect(server).toMatchObject({
      token_endpoint: `${emulator.api}/oauth2/token`,
      jwks_uri: `${emulator.api}/oauth2/keys`,
      code_challenge_methods_supported: ['S256'],
    });
    const names = [
      'authorization_endpoint',
      'userinfo_endpoint',
      'revocation_endpoint',
      'device_authorization_endpoint',
    ] as const;
    for (const name of names) expect(new URL(server[name] ?? '').hostname, name).toBe('127.0.0.1');
  });

  it('logs in with PKCE as a public client, and the token identifies the user', async () => {
    const emulator = await story();
    const server = await discovered(emulator);
    const token = await logIn(emulator, server, { scope: 'identify email' });
    expect(token).toMatchObject({ token_type: 'bearer', expires_in: 604_800, scope: 'identify email' });
    expect(await userOf(server, token.access_token)).toMatchObject({
      username: 'river',
      email: expect.any(String),
    });
  });

  it.each([
    ['HTTP Basic', oauth.ClientSecretBasic(SECRET)],
    ['fields of the form', oauth.ClientSecretPost(SECRET)],
  ])('logs in as a confidential client by %s', async (_how, auth) => {
    const emulator = await story();
    await confidential(emulator);
    const server = await discovered(emulator);
    const who = { client_id: OTHER_APP };
    const token = await logIn(emulator, server, { scope: 'identify', who, auth });
    expect(await userOf(server, token.access_token)).toMatchObject({ username: 'river' });
    await expect(
      logIn(emulator, server, { scope: 'identify', who, auth: oauth.ClientSecretPost('wrong') }),
    ).rejects.toMatchObject({ error: 'invalid_client', status: 401 });
  });

  it('validates the id_token with the published keys, and userinfo names the same user', async () => {
    const emulator = await story();
    const server = await discovered(emulator);
    const before = Math.floor(Date.now() / 1000) - 2;
    const verifier = oauth.generateRandomCodeVerifier();
    const nonce = oauth.generateRandomNonce();
    const address = new URL(server.authorization_endpoint ?? '');
    const query = {
      client_id: APP,
      response_type: 'code',
      redirect_uri: REDIRECT,
      scope: 'openid identify email',
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    const back = oauth.validateAuthResponse(
      server,
      client,
      await allowed(emulator, address),
      oauth.expectNoState,
    );
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      publicClient,
      back,
      REDIRECT,
      verifier,
      insecure,
    );
    const token = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(server, response, insecure);
    const claims = oauth.getValidatedIdTokenClaims(token);
    expect(claims).toMatchObject({ iss: server.issuer, aud: APP, nonce });
    expect(claims?.iat).toBeGreaterThanOrEqual(before);
    const info = await oauth.processUserInfoResponse(
      server,
      client,
      claims?.sub ?? '',
      await oauth.userInfoRequest(server, client, token.access_token, insecure),
    );
    expect(info).toMatchObject({ sub: claims?.sub, preferred_username: 'river', email: expect.any(String) });
  });

  it('refreshes to a new pair, and a reuse of the old refresh token ends the family', async () => {
    const emulator = await story();
    const server = await discovered(emulator);
    const first = await logIn(emulator, server, { scope: 'identify' });
    const again = async (refreshToken: string) =>
      oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(server, client, publicClient, refreshToken, insecure),
      );
    const second = await again(first.refresh_token ?? '');
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(await userOf(server, second.access_token)).toMatchObject({ username: 'river' });
    const dead = { error: 'invalid_grant', status: 400 };
    await expect(again(first.refresh_token ?? '')).rejects.toMatchObject(dead);
    await expect(again(second.refresh_token ?? '')).rejects.toMatchObject(dead);
    expect(await userOf(server, second.access_token)).toEqual(UNAUTHORIZED);
  });

  it('revokes every token of the user and the application, and may repeat that', async () => {
    const emulator = await story();
    const server = await discovered(emulator);
    const one = await logIn(emulator, server, { scope: 'identify' });
    const other = await logIn(emulator, server, { scope: 'identify rpc' });
    const revoke = async (token: string) =>
      oauth.processRevocationResponse(
        await oauth.revocationRequest(server, client, publicClient, token, insecure),
      );
    await revoke(one.refresh_token ?? '');
    await revoke(one.access_token);
    for (const { access_token } of [one, other])
      expect(await userOf(server, access_token)).toEqual(UNAUTHORIZED);
  });

  it('runs the device flow: pending until the code is typed, then one token', async () => {
    const emulator = await story({ consent: 'ask' });
    const server = await discovered(emulator);
    const begun = await oauth.processDeviceAuthorizationResponse(
      server,
      client,
      await oauth.deviceAuthorizationRequest(
        server,
        client,
        publicClient,
        new URLSearchParams({ scope: 'identify openid' }),
        insecure,
      ),
    );
    expect(new URL(begun.verification_uri_complete ?? '').pathname).toBe('/activate');
    const poll = async () =>
      oauth.processDeviceCodeResponse(
        server,
        client,
        await oauth.deviceCodeGrantRequest(server, client, publicClient, begun.device_code, insecure),
      );
    await expect(poll()).rejects.toMatchObject({ error: 'authorization_pending' });
    await expect(poll()).rejects.toMatchObject({ error: 'slow_down' });
    await typeCode(emulator, begun.user_code);
    await emulator.clock.advance('30s');
    const token = await poll();
    expect(oauth.getValidatedIdTokenClaims(token)).toMatchObject({ aud: APP });
    expect(await userOf(server, token.access_token)).toMatchObject({ username: 'river' });
    await expect(poll()).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it('receives the error of an authorization in the redirect', async () => {
    const emulator = await story({ consent: 'deny' });
    const server = await discovered(emulator);
    await expect(logIn(emulator, server, { scope: 'identify' })).rejects.toMatchObject({
      error: 'access_denied',
    });
    await expect(logIn(emulator, server, { scope: 'identify tides.read' })).rejects.toMatchObject({
      error: 'invalid_scope',
    });
  });
});

/** What a person does on `/activate`, in a browser that nobody signed in, and then in a terminal. */
async function typeCode(emulator: TestEmulator, userCode: string): Promise<void> {
  const site = new URL(emulator.api).origin;
  const page = await (await fetch(`${site}/activate?user_code=${userCode}`)).text();
  const token = /name="token" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const form = new URLSearchParams({ token, decision: 'allow' });
  await fetch(`${site}/activate`, { method: 'POST', headers: { origin: site }, body: form });
  const waiting = (await emulator.operations.call('requests.list')) as readonly { readonly id: string }[];
  const [request] = waiting;
  await emulator.operations.call('requests.approve', { id: request?.id ?? '' });
}
