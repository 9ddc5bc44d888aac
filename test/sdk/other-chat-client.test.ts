import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  Activity,
  ActivityParty,
  ActivitySecrets,
  AuthorizationArgs,
  AuthorizationTokenType,
  Client,
  type ClientResult,
  ClientStatus,
  ConnectionError,
  LoggingSeverity,
  RelationshipGroupType,
} from '../../src/sdk/index.ts';
import type { TestEmulator } from '../../src/testing/testing.ts';
import { APP, linked, plays, provisionalToken, service, until } from './played-game.ts';

const { Ready, Disconnected } = ClientStatus;

/** A client beside the chat client of River. */
function beside(emulator: TestEmulator): Client {
  const paths = [`${emulator.env.XDG_RUNTIME_DIR}/discord-ipc-0`];
  const client = new Client(emulator.api, 'https://web.example', { paths });
  client.SetApplicationId(APP);
  return client;
}

function joinable(): Activity {
  const activity = new Activity();
  const party = new ActivityParty();
  party.SetId('crew');
  const secrets = new ActivitySecrets();
  secrets.SetJoin('let-me-in');
  activity.SetState('In the harbour');
  activity.SetParty(party);
  activity.SetSecrets(secrets);
  return activity;
}

const shownByChat = async (emulator: TestEmulator): Promise<unknown[]> => {
  const { activities } = (await emulator.operations.call('emulator.show')) as {
    readonly activities: readonly { readonly activity: unknown }[];
  };
  return activities.map(({ activity }) => activity).filter((one) => one !== null);
};

describe('a chat client of another user', () => {
  it.each(['before', 'after'])(
    'shows presence and invites only for its own user, with the presence set %s the token',
    async (when) => {
      const emulator = await service();
      const client = beside(emulator);
      if (when === 'before') {
        await client.UpdateRichPresence(joinable());
        expect(await shownByChat(emulator)).toHaveLength(1);
      }
      const token = await provisionalToken(emulator.api, 'ana');
      expect((await client.UpdateToken(AuthorizationTokenType.Bearer, token)).result.ToString()).toBe(
        'Success',
      );
      client.Connect();
      await until(() => client.GetStatus() === Ready);
      if (when === 'after')
        expect((await client.UpdateRichPresence(joinable())).result.ToString()).toBe('Success');
      const ben = await plays(emulator.api, 'ben');
      const senders: bigint[] = [];
      ben.client.SetActivityInviteCreatedCallback((invite) => senders.push(invite.SenderId()));
      const me = client.GetCurrentUserV2();
      await until(() => me?.Username().startsWith('provisional') === true);
      expect((await client.SendActivityInvite(ben.id, '')).result.ToString()).toBe('Success');
      await until(() => senders.length > 0);
      expect([senders, await shownByChat(emulator)]).toEqual([[me?.Id()], []]);
      await client.Disconnect();
    },
  );

  it('receives the AUTHORIZE of another player on a separate connection', async () => {
    const emulator = await service();
    const client = beside(emulator);
    const args = new AuthorizationArgs();
    const pair = client.CreateAuthorizationCodeVerifier();
    args.SetScopes('openid identify');
    args.SetCodeChallenge(pair.Challenge());
    const first = await client.Authorize(args);
    const { accessToken } = await client.GetToken(APP, first.code, pair.Verifier(), first.redirectUri);
    await client.UpdateToken(AuthorizationTokenType.Bearer, accessToken);
    const statuses: (readonly number[])[] = [];
    const lines: string[] = [];
    let expired = 0;
    client.SetStatusChangedCallback((...status) => statuses.push(status));
    client.SetTokenExpirationCallback(() => {
      expired += 1;
    });
    client.AddLogCallback((line) => lines.push(line), LoggingSeverity.Error);
    client.Connect();
    await until(() => statuses.at(-1)?.[0] === Disconnected && lines.length > 0);
    // The token is good for what it is for.
    expect(statuses.at(-1)).toEqual([Disconnected, ConnectionError.ConnectionFailed, 4004]);
    expect([client.IsAuthenticated(), expired]).toEqual([true, 0]);
    expect(lines[0]).toMatch(/gateway\.connect/);
    args.SetScopes(Client.GetDefaultCommunicationScopes());
    const second = await client.Authorize(args);
    expect(second.result.ToString()).toBe('Success');
    await client.Disconnect();
  });
});

describe('a player who is banned or unlinked', () => {
  it.each(['ban', 'unlink'])(
    '%s: loses the session, although the chat client had the token too',
    async (how) => {
      const emulator = await service();
      const river = await linked(emulator);
      const statuses: number[] = [];
      let expired = 0;
      river.SetStatusChangedCallback((status) => statuses.push(status));
      river.SetTokenExpirationCallback(() => {
        expired += 1;
      });
      if (how === 'ban') await emulator.ban('river');
      else await emulator.operations.call('user.unlink', { user: 'river', app: APP });
      await until(() => statuses.at(-1) === Disconnected);
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect([statuses.at(-1), expired, river.IsAuthenticated()]).toEqual([Disconnected, 1, false]);
      const args = new AuthorizationArgs();
      args.SetScopes('openid identify');
      const { result } = await river.Authorize(args);
      expect(result.Error()).not.toMatch(/4003|already authenticated/);
    },
  );
});

it('existing friends are available from the first moment of a session [V-15]', async () => {
  const { api } = await service();
  const [ana, ben] = [await plays(api, 'ana'), await plays(api, 'ben')];
  await ana.client.SendGameFriendRequestById(ben.id);
  await until(() => ben.client.GetRelationshipHandle(ana.id).GameRelationshipType() !== 0);
  await ben.client.AcceptGameFriendRequest(ana.id);
  await ana.client.UpdateRichPresence(joinable());
  await ben.client.Disconnect();
  ben.client.Connect();
  const playing = () => ben.client.GetRelationshipsByGroup(RelationshipGroupType.OnlinePlayingGame);
  await until(() => playing().length === 1);
  expect(playing()[0]?.User()?.GameActivity()?.State()).toBe('In the harbour');
});

it('an advanced test clock does not end sessions of the gateway', async () => {
  const emulator = await service();
  const { client, statuses } = await plays(emulator.api, 'ana');
  await emulator.advance('2h');
  await new Promise((resolve) => setTimeout(resolve, 1200));
  expect([client.GetStatus(), statuses.length]).toEqual([Ready, 3]);
});

it('a result names the invalid field of a form, and prints its own fields', async () => {
  const { api } = await service();
  const [ana, ben] = [await plays(api, 'ana'), await plays(api, 'ben')];
  const { result } = await ana.client.SendUserMessage(ben.id, 'x'.repeat(2001));
  expect(result.Error()).toBe('HTTP 400 50035 Invalid Form Body: content: Must be 2000 or fewer in length.');
  const shown = (one: ClientResult): string => `${String(one)} ${JSON.stringify(one)}`;
  expect(shown(result)).toContain('"errorCode":50035');
  expect(inspect(ana.client.GetCurrentUserV2())).toContain(`id: '${ana.id}'`);
  expect(JSON.stringify(ana.client.GetCurrentUserV2())).toContain(`"id":"${ana.id}"`);
  expect(inspect(result)).toContain('errorCode: 50035');
  const nowhere = new Client(api.replace('/api', ''), 'https://web.example');
  const wrong = await nowhere.GetProvisionalToken(APP, 0, 'x');
  expect(wrong.result.Error()).toMatch(/^HTTP 404 .* at http:\/\/127\.0\.0\.1:\d+\/partner-sdk\/token$/);
  expect(() => new Client(api, '', { path: [] } as never)).toThrow(
    new TypeError('settings.path: is no setting; there are paths, anyOwner, openUrl and redirectUri'),
  );
});
