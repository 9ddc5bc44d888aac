import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import {
  AuthenticationExternalAuthType,
  AuthorizationTokenType,
  Client,
  ErrorType,
} from '../../src/sdk/index.ts';
import { createRuntime, type Daemon, startDaemon } from '../helpers/daemon.ts';
import { ids } from '../helpers/emulator-world.ts';
import { eventually } from '../helpers/eventually.ts';
import { argsWith } from './harness.ts';

const runtime = createRuntime();
let daemon: Daemon;
beforeAll(async () => {
  daemon = await startDaemon({ runtime, args: ['--consent', 'allow'] });
});
afterAll(async () => {
  await daemon.stop();
  runtime.remove();
});

function game(applicationId: string = ids.harbourExample): Client {
  const client = new Client(daemon.ready.api, 'https://web.test', { paths: [daemon.endpoint] });
  onTestFinished(() => client.Disconnect());
  client.SetApplicationId(applicationId);
  return client;
}

async function authorized(client: Client) {
  const verifier = client.CreateAuthorizationCodeVerifier();
  const { code, redirectUri } = await client.Authorize(
    argsWith((args) => args.SetCodeChallenge(verifier.Challenge())),
  );
  return { code, redirectUri, verifier: verifier.Verifier() };
}

it('an unmerge by the game closes the session of the link, and a second unmerge is refused [K-5, T-4]', async () => {
  const client = game();
  const { code, verifier } = await authorized(client);
  const response = await fetch(`${daemon.ready.api}/oauth2/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: ids.harbourExample,
      code,
      code_verifier: verifier,
      external_auth_type: 'STEAM_SESSION_TICKET',
      external_auth_token: 'emu.steam.7',
    }),
  });
  const tokens = (await response.json()) as { access_token: string };
  await client.UpdateToken(AuthorizationTokenType.Bearer, tokens.access_token);
  expect((await client.GetVoiceSettings()).result.ToString()).toBe('Success');
  const unmerge = () =>
    client.UnmergeIntoProvisionalAccount(
      ids.harbourExample,
      AuthenticationExternalAuthType.SteamSessionTicket,
      'emu.steam.7',
    );
  expect((await unmerge()).result.ToString()).toBe('Success');
  await eventually(async () => expect((await client.GetVoiceSettings()).result.Successful()).toBe(false));
  const { result: again } = await unmerge();
  expect([again.Type(), again.Status(), again.ErrorCode()]).toEqual([ErrorType.HTTPError, 400, 50229]);
});

it('a token of the publisher is exchanged for a token with which the game signs in [K-6, U-7]', async () => {
  const child = '310000000000000001';
  const patch = { applications: [{ id: child, name: 'Game', parent: ids.harbourExample }] };
  const { code: applied } = await daemon.cli(['emulator', 'apply', '-'], JSON.stringify(patch));
  expect(applied).toBe(0);
  const publisher = game();
  const { code, redirectUri, verifier } = await authorized(publisher);
  const tokens = await publisher.GetToken(ids.harbourExample, code, verifier, redirectUri);
  const exchanged = await publisher.ExchangeChildToken(tokens.accessToken, child);
  expect(exchanged.result.ToString()).toBe('Success');
  expect(exchanged.scopes).toBe(tokens.scopes);
  const client = game(child);
  const signedIn = await client.UpdateToken(AuthorizationTokenType.Bearer, exchanged.accessToken);
  expect(signedIn.result.ToString()).toBe('Success');
  expect((await client.GetVoiceSettings()).result.ToString()).toBe('Success');
  const refused = await game(child).Authorize(argsWith(() => {}));
  expect(refused.result.Error()).toContain('unauthorized_client');
  await publisher.RevokeToken(ids.harbourExample, tokens.accessToken);
  await eventually(async () => expect((await client.GetVoiceSettings()).result.Successful()).toBe(false));
});
