import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  Activity,
  ActivityAssets,
  type AuthorizationArgs,
  AuthorizationTokenType,
  Client,
  ErrorType,
  RelationshipGroupType,
} from '../../src/sdk/index.ts';
import { createRuntime, type Daemon, startDaemon } from '../helpers/daemon.ts';
import { ids } from '../helpers/emulator-world.ts';
import { eventually } from '../helpers/eventually.ts';
import { argsWith } from './harness.ts';

const runtime = createRuntime();
let daemon: Daemon;

/** The HTTP port stays the same across restarts, as a game expects of its service. */
async function start(port: number): Promise<Daemon> {
  return startDaemon({ runtime, args: ['--consent', 'allow', '--http-port', String(port)] });
}

beforeAll(async () => {
  daemon = await start(0);
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

/** Authorize and GetToken. */
async function tokensOf(client: Client, change: (args: AuthorizationArgs) => void = () => {}) {
  const verifier = client.CreateAuthorizationCodeVerifier();
  const { code, redirectUri, result } = await client.Authorize(
    argsWith((args) => {
      args.SetCodeChallenge(verifier.Challenge());
      change(args);
    }),
  );
  expect(result.ToString()).toBe('Success');
  return client.GetToken(client.GetApplicationId(), code, verifier.Verifier(), redirectUri);
}

/** The claims of a JWT; its signature is not looked at. */
function claims(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
}

describe('the daemon behind the facade', () => {
  it('serves Authorize, GetToken, UpdateToken, GetVoiceSettings and AUTHORIZE_REQUEST, also after a restart [A-5, K-2, K-3, K-9, V-2]', async () => {
    const client = game();
    const asked = vi.fn();
    const muted: boolean[] = [];
    client.RegisterAuthorizeRequestCallback(asked);
    client.SetVoiceSettingsUpdatedCallback((settings) => muted.push(settings.SelfMute()));

    const tokens = await tokensOf(client);
    expect(tokens.result.ToString()).toBe('Success');
    expect(
      (await client.UpdateToken(AuthorizationTokenType.Bearer, tokens.accessToken)).result.ToString(),
    ).toBe('Success');
    const { result, settings } = await client.GetVoiceSettings();
    expect([result.ToString(), settings.IsValid(), settings.InputVolume()]).toEqual(['Success', true, 100]);
    await daemon.json('emulator', 'voice', 'set', 'mute', 'true');
    await eventually(() => expect(muted.at(-1)).toBe(true));

    const { port } = new URL(daemon.ready.api);
    await daemon.stop();
    daemon = await start(Number(port));
    // Authenticated again, without the game's help.
    await eventually(async () => expect((await client.GetVoiceSettings()).result.ToString()).toBe('Success'));
    await eventually(() => expect(muted.at(-1)).toBe(false));
    await daemon.json('emulator', 'voice', 'set', 'mute', 'true');
    await eventually(() => expect(muted.at(-1)).toBe(true));

    // A chat client hides its entry points while the accounts are linked.
    expect(await daemon.json('emulator', 'ask-link', ids.harbourExample)).toMatchObject({
      linked: true,
      sessions: 0,
    });
    expect((await client.RevokeToken(ids.harbourExample, tokens.accessToken)).result.ToString()).toBe(
      'Success',
    );
    await eventually(async () =>
      expect(await daemon.json('emulator', 'ask-link', ids.harbourExample)).toMatchObject({
        linked: false,
        sessions: 1,
      }),
    );
    await eventually(() => expect(asked.mock.calls[0]).toEqual([]));

    // U-4: the refresh token died with the rest.
    const refreshed = await client.RefreshToken(ids.harbourExample, tokens.refreshToken);
    expect([refreshed.result.Type(), refreshed.result.Status()]).toEqual([ErrorType.HTTPError, 400]);
    expect(refreshed.result.Error()).toContain('invalid_grant');
  });

  it('returns a new pair for RefreshToken, which UpdateToken accepts instead of the old one', async () => {
    const client = game();
    const tokens = await tokensOf(client);
    await client.UpdateToken(AuthorizationTokenType.Bearer, tokens.accessToken);
    const fresh = await client.RefreshToken(ids.harbourExample, tokens.refreshToken);
    expect(fresh.accessToken).not.toBe(tokens.accessToken);
    expect(
      (await client.UpdateToken(AuthorizationTokenType.Bearer, fresh.accessToken)).result.ToString(),
    ).toBe('Success');
    expect((await client.GetVoiceSettings()).result.ToString()).toBe('Success');
  });

  it('returns the nonce as the nonce claim of the id_token [A-4]', async () => {
    const { idToken } = await tokensOf(game(), (args) => args.SetNonce('oidc-nonce'));
    expect(claims(idToken)).toMatchObject({ nonce: 'oidc-nonce', aud: ids.harbourExample, sub: ids.river });
  });

  it.each([
    ['A-11', Client.GetDefaultCommunicationScopes()],
    ['A-12', Client.GetDefaultPresenceScopes()],
  ])(
    '%s: returns the scopes "%s" as requested, and accepts the token for every scope that they imply [A-13]',
    async (_row, scopes) => {
      const client = game();
      const tokens = await tokensOf(client, (args) => args.SetScopes(scopes));
      expect(tokens.scopes).toBe(scopes);
      // AUTHENTICATE demands `identify`, GET_RELATIONSHIPS `relationships.read`: neither was named.
      expect(
        (await client.UpdateToken(AuthorizationTokenType.Bearer, tokens.accessToken)).result.ToString(),
      ).toBe('Success');
      const playing = client.GetRelationshipsByGroup(RelationshipGroupType.OnlinePlayingGame);
      expect(playing.map((friend) => friend.User()?.Username())).toEqual(['heron']);
    },
  );

  it('moves a friend who leaves to another group, and the callback names the friend [K-15, V-15]', async () => {
    const client = game();
    const tokens = await tokensOf(client);
    await client.UpdateToken(AuthorizationTokenType.Bearer, tokens.accessToken);
    const changed: bigint[] = [];
    client.SetRelationshipGroupsUpdatedCallback((id) => changed.push(id));
    await eventually(
      async () => {
        await daemon.json('emulator', 'friend', ids.heron, 'dnd');
        await daemon.json('emulator', 'friend', ids.heron, 'offline');
        expect(changed).toContain(BigInt(ids.heron));
      },
      { timeout: 20_000 },
    );
    await eventually(() =>
      expect(
        client.GetRelationshipsByGroup(RelationshipGroupType.Offline).map((friend) => friend.Id()),
      ).toEqual([BigInt(ids.heron)]),
    );
  });

  it('grants extra scopes one by one, and refuses an unapproved partner scope as invalid_scope [A-14]', async () => {
    const scopes = `${Client.GetDefaultPresenceScopes()} identify.premium`;
    const partner = await tokensOf(game(ids.lighthouse), (args) => args.SetScopes(scopes));
    expect(partner.scopes).toBe(scopes);
    const { result } = await game().Authorize(argsWith((args) => args.SetScopes(scopes)));
    expect([result.Type(), result.ErrorCode()]).toEqual([ErrorType.AuthorizationFailed, 5000]);
    expect(result.Error()).toMatch(/^invalid_scope: .*identify\.premium/);
  });

  it('authorizes another application than that of the client [A-1]', async () => {
    const { result, code } = await game().Authorize(argsWith((args) => args.SetClientId(ids.lighthouse)));
    expect([result.ToString(), code]).toEqual(['Success', expect.stringMatching(/^\w{30}$/)]);
  });

  it('shows every field of a presence without a token [K-10, O-16, O-17, O-18]', async () => {
    const client = game();
    const activity = new Activity();
    activity.SetName('River Racer');
    activity.SetDetailsUrl('https://example.test/details');
    activity.SetDetails('By the river');
    const assets = new ActivityAssets();
    assets.SetInviteCoverImage('banner');
    activity.SetAssets(assets);
    expect((await client.UpdateRichPresence(activity)).result.ToString()).toBe('Success');
    const shown = JSON.stringify(await daemon.json('emulator', 'show'));
    for (const part of ['River Racer', 'https://example.test/details', 'banner'])
      expect(shown).toContain(part);
    client.ClearRichPresence();
    await eventually(async () =>
      expect(JSON.stringify(await daemon.json('emulator', 'show'))).not.toContain('River Racer'),
    );
    expect(client.GetCurrentUserV2()?.Id()).toBe(BigInt(ids.river));
  });

  it('delivers the invite of a friend to the callback [V-14]', async () => {
    const client = game();
    const invites: bigint[] = [];
    client.SetActivityInviteCreatedCallback((invite) => invites.push(invite.SenderId()));
    await eventually(
      async () => {
        await daemon.json('emulator', 'activity', 'invite', ids.heron, ids.harbourExample);
        expect(invites).toContain(BigInt(ids.heron));
      },
      { timeout: 20_000 },
    );
  });
});
