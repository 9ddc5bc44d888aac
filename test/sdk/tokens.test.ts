import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  AuthenticationExternalAuthType,
  AuthorizationTokenType,
  Client,
  ErrorType,
} from '../../src/sdk/index.ts';
import { type ApiRequest, applicationId, argsWith, game, scriptedApi } from './harness.ts';

const tokens = {
  token_type: 'Bearer',
  access_token: 'access-token-1',
  expires_in: 604_800,
  refresh_token: 'refresh-token-1',
  scope: 'openid sdk.social_layer_presence',
};
const granting = { AUTHORIZE: ({ state }: { state: string }) => ({ code: 'the-code', state }) };

/** A game that has authorized, with or without a challenge. */
async function authorized(
  withChallenge: boolean,
  answer: (request: ApiRequest) => readonly [number, unknown?],
) {
  const { api, requests } = await scriptedApi(answer);
  const { client, server } = await game(granting, { api });
  const verifier = client.CreateAuthorizationCodeVerifier();
  const { code, redirectUri } = await client.Authorize(
    argsWith((args) => {
      if (withChallenge) args.SetCodeChallenge(verifier.Challenge());
    }),
  );
  return { client, server, requests, code, redirectUri, verifier: verifier.Verifier() };
}

describe('GetToken', () => {
  it('exchanges code and verifier as a public client, and returns every issued value [A-5, K-2]', async () => {
    const { client, requests, code, redirectUri, verifier } = await authorized(true, () => [
      200,
      { ...tokens, id_token: 'a.b.c' },
    ]);
    const callback = vi.fn();
    const outcome = await client.GetToken(applicationId, code, verifier, redirectUri, callback);
    expect(requests).toEqual([
      {
        method: 'POST',
        path: '/api/oauth2/token',
        type: 'application/x-www-form-urlencoded',
        body: {
          client_id: '300000000000000001',
          grant_type: 'authorization_code',
          code: 'the-code',
          code_verifier: verifier,
        },
      },
    ]);
    expect(outcome).toMatchObject({
      accessToken: 'access-token-1',
      refreshToken: 'refresh-token-1',
      tokenType: AuthorizationTokenType.Bearer,
      expiresIn: 604_800,
      scopes: 'openid sdk.social_layer_presence',
      idToken: 'a.b.c',
    });
    expect(callback.mock.calls).toEqual([
      [outcome.result, 'access-token-1', 'refresh-token-1', 1, 604_800, 'openid sdk.social_layer_presence'],
    ]);
  });

  it('sends the redirect address when it is the one that received the code', async () => {
    const { client, requests, code, verifier } = await authorized(true, () => [200, tokens]);
    await client.GetToken(applicationId, code, verifier, 'http://127.0.0.1/callback');
    expect(requests[0]?.body['redirect_uri']).toBe('http://127.0.0.1/callback');
  });

  it('fails locally with the reason when the last Authorize had no challenge [A-5]', async () => {
    const { client, requests, code, redirectUri, verifier } = await authorized(false, () => [200, tokens]);
    const { result, accessToken } = await client.GetToken(applicationId, code, verifier, redirectUri);
    expect([result.Type(), result.Error(), accessToken]).toEqual([
      ErrorType.ValidationError,
      'CodeChallenge: the Authorize before had none; give Authorize that of CreateAuthorizationCodeVerifier',
      '',
    ]);
    expect(requests).toEqual([]);
  });

  it.each([
    ['http://127.0.0.1:4000/callback', 'http://127.0.0.1:4000/callback'],
    ['discord-300000000000000001:/authorize/callback', undefined],
    ['', undefined],
  ])('accepts a code that another client obtained, with the address %j', async (redirectUri, sent) => {
    const { api, requests } = await scriptedApi(() => [200, tokens]);
    const client = new Client(api, '');
    const { result } = await client.GetToken(applicationId, 'code', 'v'.repeat(43), redirectUri);
    expect([result.ToString(), requests[0]?.body['redirect_uri']]).toEqual(['Success', sent]);
  });

  it.each(['', 'v'.repeat(42), 'v'.repeat(129), `${'v'.repeat(42)}=`])(
    'accepts a verifier of 43–128 characters of A-Z a-z 0-9 - . _ ~, not %j [A-5]',
    async (verifier) => {
      const { client, requests, code, redirectUri } = await authorized(true, () => [200, tokens]);
      const { result } = await client.GetToken(applicationId, code, verifier, redirectUri);
      expect(result.Error()).toMatch(/^codeVerifier: must be 43 to 128/);
      expect(requests).toEqual([]);
    },
  );

  it('rejects an application id that is neither a bigint nor a decimal string', async () => {
    const { client, code, redirectUri, verifier } = await authorized(true, () => [200, tokens]);
    const { result } = await client.GetToken(5 as never, code, verifier, redirectUri);
    expect([result.Type(), result.Error()]).toEqual([
      ErrorType.ValidationError,
      'applicationId: must be a bigint or a decimal string',
    ]);
  });
});

describe('RefreshToken and RevokeToken', () => {
  it('report invalid_grant for a deleted refresh token, without the token in the text [U-4]', async () => {
    const { api } = await scriptedApi(() => [
      400,
      { error: 'invalid_grant', error_description: 'Invalid "refresh_token" in request: refresh-token-9' },
    ]);
    const client = new Client(api, '');
    const { result } = await client.RefreshToken(applicationId, 'refresh-token-9');
    expect([result.Type(), result.Status(), result.Retryable()]).toEqual([ErrorType.HTTPError, 400, false]);
    expect(result.Error()).toBe('HTTP 400 invalid_grant Invalid "refresh_token" in request: [hidden]');
  });

  it('refresh with client_id alone', async () => {
    const { api, requests } = await scriptedApi(() => [200, tokens]);
    const { result, accessToken } = await new Client(api, '').RefreshToken('18', 'refresh-token-0');
    expect([result.ToString(), accessToken]).toEqual(['Success', 'access-token-1']);
    expect(requests[0]?.body).toEqual({
      client_id: '18',
      grant_type: 'refresh_token',
      refresh_token: 'refresh-token-0',
    });
  });

  it('revoke with one request, whichever token is passed [U-3, K-4]', async () => {
    const { api, requests } = await scriptedApi(() => [200, {}]);
    const callback = vi.fn();
    const { result } = await new Client(api, '').RevokeToken(18n, 'access-token-1', callback);
    expect(requests.map(({ path, body }) => [path, body])).toEqual([
      ['/api/oauth2/token/revoke', { client_id: '18', token: 'access-token-1' }],
    ]);
    expect(callback.mock.calls).toEqual([[result]]);
  });

  it.each([undefined, '', 5])('fail locally for the token %j', async (token) => {
    const client = new Client('http://127.0.0.1:9', '');
    expect((await client.RefreshToken(18n, token as never)).result.Error()).toBe(
      'refreshToken: must be a string, not empty',
    );
    expect((await client.RevokeToken(18n, token as never)).result.Error()).toBe(
      'token: must be a string, not empty',
    );
  });

  it.each<[number, boolean]>([
    [429, true],
    [500, true],
    [503, true],
    [401, false],
  ])('report HTTP %i with Retryable() %s', async (status, retryable) => {
    const { api } = await scriptedApi(() => [status, { code: 0, message: 'no' }]);
    const { result } = await new Client(api, '').RefreshToken(18n, 'refresh-token-0');
    expect([result.Type(), result.Status(), result.Retryable()]).toEqual([
      ErrorType.HTTPError,
      status,
      retryable,
    ]);
  });

  it('report NetworkError for an unreachable service, and ValidationError for an address that is not allowed', async () => {
    const { api } = await scriptedApi(() => [200, tokens]);
    const gone = api.replace(/:\d+/, ':1');
    const unreachable = await new Client(gone, '').RefreshToken(18n, 'refresh-token-0');
    expect([unreachable.result.Type(), unreachable.result.Retryable()]).toEqual([
      ErrorType.NetworkError,
      true,
    ]);
    const refused = await new Client('http://example.test/api', '').RefreshToken(18n, 'refresh-token-0');
    expect([refused.result.Type(), refused.result.Error()]).toEqual([
      ErrorType.ValidationError,
      'api: must be an https address, or http on this machine, without a user name',
    ]);
  });
});

describe('SetHttpRequestTimeout [L-9, K-7]', () => {
  it('sets the time limit of requests, which is 30000 ms by default', async () => {
    const { api } = await scriptedApi(() => [200, tokens]);
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const client = new Client(api, '');
    await client.RefreshToken(18n, 'refresh-token-0');
    client.SetHttpRequestTimeout(1234);
    await client.RefreshToken(18n, 'refresh-token-0');
    const times = timers.mock.calls.map(([, ms]) => ms);
    timers.mockRestore();
    expect(times.filter((ms) => ms === 30_000 || ms === 1234)).toEqual([30_000, 1234]);
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      silent.close();
      silent.closeAllConnections();
    });
    const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/api`;
    const late = new Client(address, '');
    late.SetHttpRequestTimeout(50);
    const { result } = await late.RefreshToken(18n, 'refresh-token-0');
    expect([result.Type(), result.Error(), result.Retryable()]).toEqual([
      ErrorType.NetworkError,
      `${address}/oauth2/token: no answer within 50 ms`,
      true,
    ]);
  });

  it.each([0, -1, 1.5, Number.NaN, '5', undefined])('rejects %j', (value) => {
    expect(() => new Client('', '').SetHttpRequestTimeout(value as never)).toThrow(
      'httpTimeoutInMilliseconds: must be a whole number from 1',
    );
  });
});

// The bridge has no endpoint for these two yet: the service is scripted.
describe('a client of a scripted service', () => {
  it('ExchangeChildToken posts parent token and child id as JSON, and returns no refresh token [U-7]', async () => {
    const { api, requests } = await scriptedApi(() => [
      200,
      { access_token: 'child-token-1', token_type: 'Bearer', expires_in: 3600, scope: 'sdk.social_layer' },
    ]);
    const callback = vi.fn();
    const { result } = await new Client(api, '').ExchangeChildToken('parent-token-1', '19', callback);
    expect(requests).toEqual([
      {
        method: 'POST',
        path: '/api/partner-sdk/child-token',
        type: 'application/json',
        body: { parent_access_token: 'parent-token-1', child_application_id: '19' },
      },
    ]);
    expect(callback.mock.calls).toEqual([[result, 'child-token-1', 1, 3600, 'sdk.social_layer']]);
  });

  it('ExchangeChildToken fails when the answer has no token [U-7]', async () => {
    const { api } = await scriptedApi(() => [200, {}]);
    const { result, accessToken } = await new Client(api, '').ExchangeChildToken('parent-token-1', 19n);
    expect([result.Successful(), accessToken]).toEqual([false, '']);
  });

  it.each<[AuthenticationExternalAuthType, string]>([
    [AuthenticationExternalAuthType.OIDC, 'OIDC'],
    [AuthenticationExternalAuthType.EpicOnlineServicesAccessToken, 'EPIC_ONLINE_SERVICES_ACCESS_TOKEN'],
    [AuthenticationExternalAuthType.EpicOnlineServicesIdToken, 'EPIC_ONLINE_SERVICES_ID_TOKEN'],
    [AuthenticationExternalAuthType.SteamSessionTicket, 'STEAM_SESSION_TICKET'],
    [AuthenticationExternalAuthType.UnityServicesIdToken, 'UNITY_SERVICES_ID_TOKEN'],
    [AuthenticationExternalAuthType.DiscordBotIssuedAccessToken, 'DISCORD_BOT_ISSUED_ACCESS_TOKEN'],
    [AuthenticationExternalAuthType.AppleIdToken, 'APPLE_ID_TOKEN'],
    [AuthenticationExternalAuthType.PlayStationNetworkIdToken, 'PLAYSTATION_NETWORK_ID_TOKEN'],
  ])('UnmergeIntoProvisionalAccount of type %i posts %s [K-5]', async (type, name) => {
    const { api, requests } = await scriptedApi(() => [204]);
    const { result } = await new Client(api, '').UnmergeIntoProvisionalAccount(18n, type, 'external-token-1');
    expect(result.Successful()).toBe(true);
    expect(requests.map(({ path, body }) => [path, body])).toEqual([
      [
        '/api/partner-sdk/provisional-accounts/unmerge',
        { client_id: '18', external_auth_type: name, external_auth_token: 'external-token-1' },
      ],
    ]);
  });

  it('reports the error code of the service, such as 530017', async () => {
    const { api } = await scriptedApi(() => [400, { code: 530017, message: 'The merge source is banned' }]);
    const { result } = await new Client(api, '').UnmergeIntoProvisionalAccount(18n, 0, 'external-token-1');
    expect([result.Type(), result.ErrorCode(), result.Error()]).toEqual([
      ErrorType.HTTPError,
      530017,
      'HTTP 400 530017 The merge source is banned',
    ]);
  });

  it.each([9, undefined])('rejects the unknown external type %j', async (type) => {
    const { result } = await new Client('http://127.0.0.1:9', '').UnmergeIntoProvisionalAccount(
      18n,
      type as never,
      'x',
    );
    expect([result.Type(), result.Error()]).toEqual([
      ErrorType.ValidationError,
      expect.stringContaining('externalAuthType: must be one of OIDC (0)'),
    ]);
  });
});
