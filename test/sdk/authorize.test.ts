import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  AuthorizationArgs,
  AuthorizationCodeChallenge,
  Client,
  ErrorType,
  IntegrationType,
} from '../../src/sdk/index.ts';
import { eventually } from '../helpers/eventually.ts';
import { scriptedServer } from '../helpers/scripted-server.ts';
import { applicationId, argsWith, game } from './harness.ts';

const granting = { AUTHORIZE: ({ state }: { state: string }) => ({ code: 'the-code', state }) };

/** What went over the wire for these arguments. */
async function asked(change?: (args: AuthorizationArgs) => void) {
  const { client, server } = await game(granting);
  const outcome = await client.Authorize(argsWith(change));
  return { ...outcome, wire: server.peers[0]?.requests('AUTHORIZE')[0]?.args, server, client };
}

describe('an AUTHORIZE request', () => {
  it('has client_id as a decimal string, by default the id of SetApplicationId [A-1]', async () => {
    const { wire, code, result } = await asked();
    expect(result.Successful()).toBe(true);
    expect(code).toBe('the-code');
    expect(wire.client_id).toBe('300000000000000001');
  });

  it('for another ClientId is sent on a separate connection [A-1]', async () => {
    const { server, code } = await asked((args) => args.SetClientId('18446744073709551615'));
    expect(code).toBe('the-code');
    const handshakes = server.peers.map(({ received }) => received[0]?.body.client_id);
    expect(handshakes).toEqual(['300000000000000001', '18446744073709551615']);
    expect(server.peers[1]?.requests('AUTHORIZE')[0].args.client_id).toBe('18446744073709551615');
  });

  it('has scopes as an array of the parts between spaces [A-2]', async () => {
    const { wire } = await asked((args) => args.SetScopes('  openid   sdk.social_layer\tidentify '));
    expect(wire.scopes).toEqual(['openid', 'sdk.social_layer', 'identify']);
  });

  it('has a new secure random state each time, unless a state is set [A-3]', async () => {
    const first = (await asked()).wire.state;
    const second = (await asked()).wire.state;
    expect(first).toMatch(/^[\w-]{32}$/);
    expect(second).not.toBe(first);
    expect((await asked((args) => args.SetState('mine'))).wire.state).toBe('mine');
  });

  it('has the nonce that is set, and none when it is unset [A-4]', async () => {
    expect((await asked((args) => args.SetNonce('oidc-nonce'))).wire.nonce).toBe('oidc-nonce');
    expect((await asked()).wire).not.toHaveProperty('nonce');
  });

  it('has code_challenge with code_challenge_method S256 [A-5]', async () => {
    const { client, server } = await game(granting);
    const verifier = client.CreateAuthorizationCodeVerifier();
    expect(verifier.Verifier()).toMatch(/^[A-Za-z0-9._~-]{43,128}$/);
    await client.Authorize(argsWith((args) => args.SetCodeChallenge(verifier.Challenge())));
    expect(server.peer.requests('AUTHORIZE')[0].args).toMatchObject({
      code_challenge: verifier.Challenge().Challenge(),
      code_challenge_method: 'S256',
    });
    expect((await asked()).wire).not.toHaveProperty('code_challenge_method');
    const unset = await asked((args) => args.SetCodeChallenge(AuthorizationCodeChallenge.nullobj));
    expect(unset.wire).not.toHaveProperty('code_challenge');
  });

  it('has integration_type 0 or 1, and none when it is unset [A-6]', async () => {
    const { wire } = await asked((args) => args.SetIntegrationType(IntegrationType.GuildInstall));
    expect(wire.integration_type).toBe(0);
    expect((await asked()).wire).not.toHaveProperty('integration_type');
  });

  it('has the process id but no redirect_uri, which the local RPC refuses', async () => {
    const { wire } = await asked();
    expect(wire).toMatchObject({ pid: process.pid, response_type: 'code' });
    expect(wire).not.toHaveProperty('redirect_uri');
  });
});

describe('the redirect address [A-7]', () => {
  it('is discord-{APP_ID}:/authorize/callback by default', async () => {
    expect((await asked()).redirectUri).toBe('discord-300000000000000001:/authorize/callback');
  });

  it('is <scheme>:/authorize/callback with CustomSchemeParam', async () => {
    const { client } = await game(granting);
    const args = argsWith((given) => {
      given.SetCustomSchemeParam('my.game+1');
      given.SetCodeChallenge(client.CreateAuthorizationCodeVerifier().Challenge());
    });
    expect((await client.Authorize(args)).redirectUri).toBe('my.game+1:/authorize/callback');
  });

  it('requires PKCE for a custom scheme', async () => {
    const { result, server } = await asked((args) => args.SetCustomSchemeParam('mygame'));
    expect([result.Type(), result.Error()]).toEqual([
      ErrorType.ValidationError,
      'CodeChallenge: is required with CustomSchemeParam',
    ]);
    expect(server.peers.flatMap((peer) => peer.requests('AUTHORIZE'))).toEqual([]);
  });
});

describe('the default scopes', () => {
  it('are "openid sdk.social_layer" in GetDefaultCommunicationScopes [A-11, K-7]', () => {
    expect(Client.GetDefaultCommunicationScopes()).toBe('openid sdk.social_layer');
    expect(new Client('', '').GetDefaultCommunicationScopes()).toBe('openid sdk.social_layer');
  });

  it('are "openid sdk.social_layer_presence" in GetDefaultPresenceScopes [A-12, K-7]', () => {
    expect(Client.GetDefaultPresenceScopes()).toBe('openid sdk.social_layer_presence');
    expect(new Client('', '').GetDefaultPresenceScopes()).toBe('openid sdk.social_layer_presence');
  });
});

describe('Authorize with invalid arguments', () => {
  it.each<[string, () => AuthorizationArgs, string]>([
    [
      'A-2: empty Scopes',
      () => argsWith((args) => args.SetScopes('')),
      'Scopes: is empty; name at least one scope',
    ],
    [
      'A-2: blank Scopes',
      () => argsWith((args) => args.SetScopes(' \n ')),
      'Scopes: is empty; name at least one scope',
    ],
    [
      'A-10: nullobj',
      () => AuthorizationArgs.nullobj,
      'AuthorizationArgs: is null; make one with new AuthorizationArgs()',
    ],
    [
      'A-10: a copy of nullobj',
      () => new AuthorizationArgs(AuthorizationArgs.nullobj),
      'AuthorizationArgs: is null; make one with new AuthorizationArgs()',
    ],
    [
      'A-5: a challenge that is none',
      () => argsWith((args) => args.SetCodeChallenge(new AuthorizationCodeChallenge())),
      'CodeChallenge: must be that of CreateAuthorizationCodeVerifier (S256, 43 characters)',
    ],
  ])('fails before anything is sent: %s', async (_what, make, error) => {
    const { client, server } = await game(granting);
    const callback = vi.fn();
    const { result, code, redirectUri } = await client.Authorize(make(), callback);
    expect([result.Successful(), result.Type(), result.Error()]).toEqual([
      false,
      ErrorType.ValidationError,
      error,
    ]);
    expect([code, redirectUri]).toEqual(['', '']);
    expect(callback.mock.calls).toEqual([[result, '', '']]);
    expect(server.peers.flatMap((peer) => peer.requests('AUTHORIZE'))).toEqual([]);
  });

  it('fails without an application [A-1]', async () => {
    const { result } = await new Client('', '').Authorize(argsWith());
    expect(result.Error()).toBe('ClientId: is unset; call SetApplicationId or SetClientId');
  });
});

describe('the result of Authorize', () => {
  it('is a failure without the code when the answer has another state [A-3]', async () => {
    const { client } = await game({ AUTHORIZE: () => ({ code: 'stolen-code', state: 'another' }) });
    const { result, code } = await client.Authorize(argsWith());
    expect([result.Type(), code]).toEqual([ErrorType.AuthorizationFailed, '']);
    expect(result.Error()).toMatch(/^State: /);
  });

  it('is a success when the answer has no state [A-3]', async () => {
    const { client } = await game({ AUTHORIZE: () => ({ code: 'the-code' }) });
    expect((await client.Authorize(argsWith())).code).toBe('the-code');
  });

  it.each([null, 'the-code', {}, { code: '' }, { code: 5 }])(
    'is a failure that reports the missing code of the answer %j',
    async (answer) => {
      const { client } = await game({ AUTHORIZE: () => answer });
      const { result, code } = await client.Authorize(argsWith());
      expect([result.Type(), result.Error(), code]).toEqual([
        ErrorType.AuthorizationFailed,
        'The answer of the chat client holds no code',
        '',
      ]);
    },
  );

  it('is AuthorizationFailed with the message of the service for invalid_scope [A-14]', async () => {
    const { client } = await game({
      AUTHORIZE: () => ({ error: [5000, 'invalid_scope: identify.premium'] }),
    });
    const { result } = await client.Authorize(argsWith());
    expect([result.Type(), result.ErrorCode(), result.Error()]).toEqual([
      ErrorType.AuthorizationFailed,
      5000,
      'invalid_scope: identify.premium',
    ]);
  });

  it('is RPCError with the code of the chat client for an error of the chat client', async () => {
    const { client } = await game({ AUTHORIZE: () => ({ error: [4007, 'no such application'] }) });
    const { result } = await client.Authorize(argsWith());
    expect([result.Type(), result.ErrorCode()]).toEqual([ErrorType.RPCError, 4007]);
  });

  it('is ClientNotReady and retryable without a chat client', async () => {
    const { client, server } = await game(granting);
    await client.Authorize(argsWith());
    await server.stop();
    await eventually(async () => {
      const { result } = await client.Authorize(argsWith());
      expect([result.Type(), result.Retryable()]).toEqual([ErrorType.ClientNotReady, true]);
    });
    await server.start();
    await eventually(async () => expect((await client.Authorize(argsWith())).code).toBe('the-code'));
  });

  it('is Aborted after AbortAuthorize, which also closes the connection of the pending request', async () => {
    const { client, server } = await game({ AUTHORIZE: () => undefined });
    const pending = client.Authorize(argsWith());
    await eventually(() => expect(server.peer.requests('AUTHORIZE')).toHaveLength(1));
    const { socket } = server.peer;
    client.AbortAuthorize();
    const { result } = await pending;
    expect([result.Type(), result.Error()]).toEqual([ErrorType.Aborted, 'Authorize was aborted']);
    await eventually(() => expect(socket.destroyed).toBe(true));
    client.AbortAuthorize();
    expect(server.peers).toHaveLength(2);
  });

  it('is Aborted after AbortAuthorize while the chat client is silent', async () => {
    const server = await scriptedServer(() => {});
    const client = new Client('', '', { paths: [server.path] });
    onTestFinished(() => client.Disconnect());
    client.SetApplicationId(18n);
    const shared = client.Authorize(argsWith());
    const own = client.Authorize(argsWith((args) => args.SetClientId(19n)));
    await eventually(() => expect(server.peers).toHaveLength(2));
    client.AbortAuthorize();
    for (const { result } of [await shared, await own]) expect(result.Type()).toBe(ErrorType.Aborted);
  });

  it('is a success for a call right after AbortAuthorize, once the first call is withdrawn', async () => {
    let asked = 0;
    const { client, server } = await game({
      AUTHORIZE({ state }: { state: string }) {
        asked += 1;
        return asked === 1 ? undefined : { code: 'the-code', state };
      },
    });
    const first = client.Authorize(argsWith());
    await eventually(() => expect(server.peer.requests('AUTHORIZE')).toHaveLength(1));
    client.AbortAuthorize();
    const second = await client.Authorize(argsWith());
    expect((await first).result.Type()).toBe(ErrorType.Aborted);
    expect([second.result.ToString(), second.code]).toEqual(['Success', 'the-code']);
    expect(server.peers.map((peer) => peer.requests('AUTHORIZE').length)).toEqual([1, 1]);
  });

  it('comes from a separate connection once the shared one has a token, with which it cannot authorize', async () => {
    const { client, server } = await game(granting);
    await client.UpdateToken(1, 'access-token');
    expect((await client.Authorize(argsWith())).code).toBe('the-code');
    expect(server.peers).toHaveLength(2);
    expect(server.peers[1]?.requests('AUTHORIZE')).toHaveLength(1);
  });

  it('comes from a separate connection also when the token of the shared one was refused', async () => {
    const { client, server } = await game({
      ...granting,
      AUTHENTICATE: () => ({ error: [4009, 'Invalid access token'] }),
    });
    await eventually(() => expect(client.GetCurrentUserV2()).toBeDefined());
    await client.UpdateToken(1, 'access-token');
    expect((await client.Authorize(argsWith())).code).toBe('the-code');
    expect(server.peers).toHaveLength(2);
  });

  it('is ClientDestroyed at once after Disconnect', async () => {
    const { client } = await game(granting);
    await client.Disconnect();
    const { result } = await client.Authorize(argsWith());
    expect(result.Type()).toBe(ErrorType.ClientDestroyed);
  });
});

it('GetApplicationId returns the application, and SetApplicationId refuses an invalid id', async () => {
  const { client } = await game();
  expect(client.GetApplicationId()).toBe(applicationId);
  expect(() => client.SetApplicationId(0n)).toThrow('applicationId: must not be 0');
  expect(() => client.SetApplicationId(5 as never)).toThrow(
    'applicationId: must be a bigint or a decimal string',
  );
});
