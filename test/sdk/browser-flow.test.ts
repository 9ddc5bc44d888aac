import { Server } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { type AuthorizationArgs, Client, ErrorType } from '../../src/sdk/index.ts';
import { eventually } from '../helpers/eventually.ts';
import { temporaryFolder } from '../helpers/sockets.ts';
import { argsWith, scriptedApi } from './harness.ts';

/** A game on a machine without a chat client; `visit` is what the browser does with the address. */
async function inBrowser(
  visit: (address: URL) => Promise<void> | void,
  change?: (args: AuthorizationArgs, client: Client) => void,
  webBase = 'https://web.test/',
) {
  const { api, requests } = await scriptedApi(() => [200, { access_token: 'access-token-1' }]);
  const opened: URL[] = [];
  const client = new Client(api, webBase, {
    paths: [`${temporaryFolder()}/discord-ipc-0`],
    openUrl(url) {
      opened.push(new URL(url));
      void Promise.resolve(visit(new URL(url)));
    },
  });
  client.SetApplicationId(18n);
  const outcome = await client.Authorize(argsWith((args) => change?.(args, client)));
  return { client, outcome, opened, requests };
}

async function redirect(address: URL, answer: Record<string, string>): Promise<Response> {
  const target = new URL(address.searchParams.get('redirect_uri') ?? '');
  for (const [name, value] of Object.entries(answer)) target.searchParams.set(name, value);
  return fetch(target);
}

describe('Authorize without a chat client', () => {
  it('opens the authorization page of the site, and reads the code from the loopback redirect [K-1]', async () => {
    let verifier = '';
    const { client, outcome, opened, requests } = await inBrowser(
      async (address) => {
        await redirect(address, { code: 'the-code', state: address.searchParams.get('state') ?? '' });
      },
      (args, game) => {
        const pair = game.CreateAuthorizationCodeVerifier();
        verifier = pair.Verifier();
        args.SetCodeChallenge(pair.Challenge());
        args.SetNonce('oidc-nonce');
        args.SetIntegrationType(1);
      },
    );
    expect(outcome.result.ToString()).toBe('Success');
    expect(outcome.code).toBe('the-code');
    const [address] = opened;
    expect(`${address?.origin}${address?.pathname}`).toBe('https://web.test/oauth2/authorize');
    expect(Object.fromEntries(address?.searchParams ?? [])).toEqual({
      client_id: '18',
      response_type: 'code',
      scope: 'openid sdk.social_layer_presence',
      state: expect.stringMatching(/^[\w-]{32}$/),
      nonce: 'oidc-nonce',
      integration_type: '1',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      redirect_uri: outcome.redirectUri,
    });
    expect(outcome.redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
    await client.GetToken(18n, outcome.code, verifier, outcome.redirectUri);
    expect(requests[0]?.body['redirect_uri']).toBe(outcome.redirectUri);
    await expect(fetch(outcome.redirectUri)).rejects.toThrow();
  });

  it('refuses an answer with another state, and continues to wait for the correct one [A-3]', async () => {
    const statuses: number[] = [];
    const { outcome } = await inBrowser(async (address) => {
      const state = address.searchParams.get('state') ?? '';
      const elsewhere = new URL('/other', address.searchParams.get('redirect_uri') ?? '');
      elsewhere.search = `code=stolen&state=${state}`;
      statuses.push((await fetch(elsewhere)).status);
      statuses.push((await redirect(address, { code: 'stolen', state: 'another' })).status);
      statuses.push((await redirect(address, { code: 'stolen' })).status);
      statuses.push((await redirect(address, { code: 'the-code', state })).status);
    });
    expect(outcome.code).toBe('the-code');
    await eventually(() => expect(statuses).toEqual([400, 400, 400, 200]));
  });

  it('is AuthorizationFailed when the user denies', async () => {
    const { outcome } = await inBrowser(async (address) => {
      const state = address.searchParams.get('state') ?? '';
      await redirect(address, { error: 'access_denied', error_description: 'The user said no', state });
    });
    expect([outcome.result.Type(), outcome.result.Error()]).toEqual([
      ErrorType.AuthorizationFailed,
      'access_denied The user said no',
    ]);
  });

  it.each([{}, { code: '' }])(
    'reports that the answer %j has neither a code nor an error',
    async (answer) => {
      const { outcome } = await inBrowser(async (address) => {
        await redirect(address, { ...answer, state: address.searchParams.get('state') ?? '' });
      });
      expect(outcome.result.Error()).toBe('The answer of the web site holds neither a code nor an error');
    },
  );

  it('opens no browser once it is aborted', async () => {
    const openUrl = vi.fn();
    const client = new Client('', 'https://web.test', {
      paths: [`${temporaryFolder()}/discord-ipc-0`],
      openUrl,
    });
    client.SetApplicationId(18n);
    // Until the search has failed and the way through the browser has begun.
    const begun = vi.spyOn(Server.prototype, 'listen').mockImplementationOnce(function (
      this: Server,
      ...args
    ) {
      client.AbortAuthorize();
      return this.listen(...args);
    });
    const { result } = await client.Authorize(argsWith());
    expect(begun).toHaveBeenCalled();
    begun.mockRestore();
    expect([result.Type(), openUrl.mock.calls]).toEqual([ErrorType.Aborted, []]);
    await client.Disconnect();
  });

  it('is aborted by AbortAuthorize', async () => {
    const client = new Client('', 'https://web.test', {
      paths: [`${temporaryFolder()}/discord-ipc-0`],
      openUrl: () => client.AbortAuthorize(),
    });
    client.SetApplicationId(18n);
    const { result } = await client.Authorize(argsWith());
    expect(result.Type()).toBe(ErrorType.Aborted);
  });

  it.each(['', 'no address', 'file:///etc/'])(
    'requires the address of the web site, not %j',
    async (webBase) => {
      const visit = vi.fn();
      const { outcome } = await inBrowser(visit, undefined, webBase);
      expect(outcome.result.Error()).toBe('webBase: must be the http(s) address of the web site');
      expect(visit).not.toHaveBeenCalled();
    },
  );
});
