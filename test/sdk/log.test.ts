import { describe, expect, it } from 'vitest';
import { AuthorizationTokenType, LoggingSeverity } from '../../src/sdk/index.ts';
import { Log } from '../../src/sdk/log.ts';
import { eventually } from '../helpers/eventually.ts';
import { argsWith, game, scriptedApi } from './harness.ts';
import { alone } from './played-game.ts';
import { scriptedService } from './scripted-service.ts';

describe('AddLogCallback', () => {
  it('emits lines from minSeverity upwards, and none for None', () => {
    const log = new Log(false);
    const heard: Record<string, string[]> = {};
    for (const [name, severity] of Object.entries(LoggingSeverity)) {
      const lines: string[] = [];
      heard[name] = lines;
      log.add((message) => lines.push(message), severity);
    }
    for (const [name, severity] of Object.entries(LoggingSeverity))
      if (name !== 'None') log.write(severity, name);
    expect(heard).toEqual({
      Verbose: ['Verbose', 'Info', 'Warning', 'Error'],
      Info: ['Info', 'Warning', 'Error'],
      Warning: ['Warning', 'Error'],
      Error: ['Error'],
      None: [],
    });
  });

  it('emits only Error and Warning in a release build, whatever severity is requested', () => {
    const log = new Log(true);
    const heard: string[] = [];
    log.add((message) => heard.push(message), LoggingSeverity.Verbose);
    for (const [name, severity] of Object.entries(LoggingSeverity))
      if (name !== 'None') log.write(severity, name);
    expect(heard).toEqual(['Warning', 'Error']);
  });

  it('hides bearer tokens, known and unknown, at any severity [U-8]', () => {
    const log = new Log(false);
    const heard: string[] = [];
    log.add((message) => heard.push(message), LoggingSeverity.Verbose);
    log.hide('known-token-1', undefined, 'short');
    for (const severity of [1, 2, 3, 4] as const)
      log.write(severity, 'known-token-1, Bearer unknown.token, bearer known-token-1');
    expect(new Set(heard)).toEqual(new Set(['[hidden], Bearer [hidden], bearer [hidden]']));
  });
});

it('no log line and no result of a whole session contains a token, code or verifier [U-8]', async () => {
  const secrets = ['access-token-1', 'refresh-token-1', 'the-secret-code'];
  const { api } = await scriptedApi(({ body }) =>
    body['grant_type'] === 'authorization_code'
      ? [200, { access_token: secrets[0], refresh_token: secrets[1], expires_in: 1, scope: '' }]
      : [
          400,
          {
            error: 'invalid_grant',
            error_description: `Bearer ${body['refresh_token'] ?? body['token']} is dead`,
          },
        ],
  );
  const { client, server } = await game(
    {
      AUTHORIZE: ({ state }: { state: string }) => ({ code: secrets[2], state }),
      AUTHENTICATE: ({ access_token }: { access_token: string }) => ({
        error: [4009, `Invalid access token: ${access_token}`],
      }),
      GET_VOICE_SETTINGS: () => ({
        error: [4006, `Bearer ${secrets[0]} lacks a scope; so does ${secrets[1]}`],
      }),
    },
    { api },
  );
  const lines: string[] = [];
  client.AddLogCallback((message) => lines.push(message), LoggingSeverity.Verbose);
  const verifier = client.CreateAuthorizationCodeVerifier();
  secrets.push(verifier.Verifier());
  const { code, redirectUri } = await client.Authorize(
    argsWith((args) => args.SetCodeChallenge(verifier.Challenge())),
  );
  const tokens = await client.GetToken(1n, code, verifier.Verifier(), redirectUri);
  expect(tokens.accessToken).toBe('access-token-1');
  const results = [
    await client.UpdateToken(AuthorizationTokenType.Bearer, tokens.accessToken),
    await client.RefreshToken(1n, tokens.refreshToken),
    await client.RevokeToken(1n, tokens.accessToken),
    await client.GetVoiceSettings(),
    await client.GetToken(1n, code, 'too-short', redirectUri),
  ].map(({ result }) => result.Error());
  await server.stop();
  await eventually(() => expect(lines.some((line) => line.includes('lost'))).toBe(true));
  expect(results.every((error) => error !== '')).toBe(true);
  expect(lines.length).toBeGreaterThan(results.length);
  for (const text of [...lines, ...results]) {
    for (const secret of secrets) expect(text).not.toContain(secret);
  }
});

it('the token in use stays hidden, however many secrets follow it [U-8]', async () => {
  const token = 'the-access-token-in-use';
  const { api } = await scriptedService({
    connected: (peer) => {
      peer.hello();
      const close = (said: string): void =>
        peer.socket.close(4002, `who is ${said.slice('Bearer '.length)}?`);
      void peer.asks(2).then(
        ({ d }) => close(String(d['token'])),
        () => {},
      );
    },
  });
  const client = alone(api);
  const lines: string[] = [];
  client.AddLogCallback((line) => lines.push(line), LoggingSeverity.Verbose);
  await client.UpdateToken(AuthorizationTokenType.Bearer, token);
  for (let n = 0; n < 300; n += 1) client.CreateAuthorizationCodeVerifier();
  client.Connect();
  await eventually(() => expect(lines.join()).toContain('closed with 4002'));
  expect(lines).toEqual(['Connect: closed with 4002: who is [hidden]?']);
});

it('a token in use that is too short to be a token hides no letters of other text', () => {
  const log = new Log();
  const lines: string[] = [];
  log.add((line) => lines.push(line), LoggingSeverity.Verbose);
  log.use('a');
  log.write(LoggingSeverity.Info, 'banana');
  expect(lines).toEqual(['banana']);
});
