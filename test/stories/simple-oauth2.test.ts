import { AuthorizationCode, ClientCredentials } from 'simple-oauth2';
import { expect, it } from 'vitest';
import type { TestEmulator } from '../../src/testing/testing.ts';
import { allowed, confidential, OTHER_APP, REDIRECT, SECRET, story } from './story.ts';

/** As its documentation says, with our address in the place of the platform's. */
function optionsFor({ api }: TestEmulator, secret = SECRET) {
  return {
    client: { id: OTHER_APP, secret },
    auth: {
      tokenHost: new URL(api).origin,
      tokenPath: '/api/oauth2/token',
      revokePath: '/api/oauth2/token/revoke',
    },
  };
}

async function logIn(emulator: TestEmulator, client: AuthorizationCode) {
  const address = client.authorizeURL({ redirect_uri: REDIRECT, scope: ['identify', 'email'], state: 's' });
  const back = await allowed(emulator, new URL(address));
  expect(back.searchParams.get('state')).toBe('s');
  return client.getToken({ code: back.searchParams.get('code') ?? '', redirect_uri: REDIRECT });
}

async function status({ api }: TestEmulator, token: unknown): Promise<number> {
  const answer = await fetch(`${api}/v10/users/@me`, {
    headers: { authorization: `Bearer ${String(token)}` },
  });
  return answer.status;
}

it('simple-oauth2 logs in, refreshes, and revokes both tokens, although the first revocation ends both', async () => {
  const emulator = await story();
  await confidential(emulator);
  const client = new AuthorizationCode(optionsFor(emulator));
  const first = await logIn(emulator, client);
  expect(first.expired()).toBe(false);
  expect(await status(emulator, first.token['access_token'])).toBe(200);
  const second = await first.refresh();
  expect(second.token['refresh_token']).not.toBe(first.token['refresh_token']);
  expect(await status(emulator, second.token['access_token'])).toBe(200);
  await second.revokeAll();
  for (const { token } of [first, second]) expect(await status(emulator, token['access_token'])).toBe(401);
  await expect(second.refresh()).rejects.toMatchObject({ data: { payload: { error: 'invalid_grant' } } });
});

it('simple-oauth2 gets 401 once the clock has passed the expiry of its token, and refreshes the token', async () => {
  const emulator = await story();
  await confidential(emulator);
  const token = await logIn(emulator, new AuthorizationCode(optionsFor(emulator)));
  await emulator.clock.advance('7d');
  expect(await status(emulator, token.token['access_token'])).toBe(401);
  expect(await status(emulator, (await token.refresh()).token['access_token'])).toBe(200);
});

it('simple-oauth2 gets a token of the owner by client credentials, and none with a wrong secret', async () => {
  const emulator = await story();
  await confidential(emulator);
  const { token } = await new ClientCredentials(optionsFor(emulator)).getToken({ scope: 'identify' });
  expect(token).not.toHaveProperty('refresh_token');
  expect(await status(emulator, token['access_token'])).toBe(200);
  await expect(
    new ClientCredentials(optionsFor(emulator, 'wrong')).getToken({ scope: 'identify' }),
  ).rejects.toMatchObject({ data: { res: { statusCode: 401 }, payload: { error: 'invalid_client' } } });
});
