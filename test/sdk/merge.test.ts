import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  AuthenticationExternalAuthType,
  AuthorizationArgs,
  AuthorizationTokenType,
  Client,
  type ClientResult,
  ErrorType,
  LoggingSeverity,
  RelationshipType,
} from '../../src/sdk/index.ts';
import type { TestEmulator } from '../../src/testing/testing.ts';
import { ids } from '../helpers/emulator-world.ts';
import { APP, asServer, plays, service, until } from './played-game.ts';

const { Bearer } = AuthorizationTokenType;
const { SteamSessionTicket: Steam } = AuthenticationExternalAuthType;
const TICKET = 'emu.steam.7';

interface Waiting {
  readonly emulator: TestEmulator;
  readonly client: Client;
  readonly lobbyId: bigint;
  /** What JoinLinkedLobbyGuild said, once it has. */
  readonly results: ClientResult[];
  readonly join: () => void;
  /** How often the game was asked for a merge. */
  readonly asked: ReturnType<typeof vi.fn>;
}

/** A player whom only the game knows, in a lobby that is linked to a channel of a guild with the game's bot. */
async function provisional(): Promise<Waiting> {
  const emulator = await service();
  await emulator.operations.call('emulator.apply', {
    patch: {
      users: [{ id: APP, username: 'harbour', bot: true }],
      applications: [{ id: APP, bot_user: APP, public_client: true }],
      guilds: [{ id: ids.riverBank, members: [{ user: APP }] }],
    },
  });
  const client = new Client(emulator.api, 'https://web.example', {
    paths: [`${emulator.env.XDG_RUNTIME_DIR}/discord-ipc-0`],
  });
  onTestFinished(() => client.Disconnect());
  client.SetApplicationId(APP);
  const { accessToken } = await client.GetProvisionalToken(APP, Steam, TICKET);
  await client.UpdateToken(Bearer, accessToken);
  client.Connect();
  await until(() => client.GetStatus() === Client.Status.Ready);
  const { id } = await asServer(emulator.api, 'POST', '/lobbies', {
    members: [{ id: String(client.GetCurrentUserV2()?.Id()) }, { id: ids.river, flags: 1 }],
  });
  const results: ClientResult[] = [];
  const asked = vi.fn();
  const join = (): void => void client.JoinLinkedLobbyGuild(id, asked, (result) => results.push(result));
  return { emulator, client, lobbyId: BigInt(id), results, join, asked };
}

/** As the game does when it was asked: the player allows it on the platform, and their tokens are those of the merged account. */
async function merge({ emulator, client }: Waiting): Promise<void> {
  const pair = client.CreateAuthorizationCodeVerifier();
  const args = new AuthorizationArgs();
  args.SetScopes(`${Client.GetDefaultCommunicationScopes()} guilds.join`);
  args.SetCodeChallenge(pair.Challenge());
  const { code, redirectUri } = await client.Authorize(args);
  const tokens = await client.GetTokenFromProvisionalMerge(
    APP,
    code,
    pair.Verifier(),
    redirectUri,
    Steam,
    TICKET,
  );
  expect(tokens.result.ToString()).toBe('Success');
  await emulator.advance('1s');
  await client.UpdateToken(Bearer, tokens.accessToken);
}

it('lobby members see the merged user after an account merge, also without a message', async () => {
  const waiting = await provisional();
  const { emulator, client, lobbyId } = waiting;
  const before = String(client.GetCurrentUserV2()?.Id());
  const other = await plays(emulator.api, 'bo');
  await asServer(emulator.api, 'PUT', `/lobbies/${lobbyId}/members/${other.id}`, {});
  // The person is in none that the provisional account is in.
  await asServer(emulator.api, 'DELETE', `/lobbies/${lobbyId}/members/${ids.river}`);
  const names = () =>
    other.client
      .GetLobbyHandle(lobbyId)
      ?.LobbyMembers()
      .map((one) => one.User()?.Username());
  await until(() => other.client.GetLobbyHandle(lobbyId)?.LobbyMemberIds().length === 2);
  expect(names()).toEqual([`provisional_${before}`, `provisional_${other.id}`]);
  await merge(waiting);
  await until(() => other.client.GetLobbyHandle(lobbyId)?.GetLobbyMemberHandle(ids.river) !== undefined);
  expect(names()?.sort()).toEqual([`provisional_${other.id}`, 'river']);
});

it('a friend in the game has the merged user as a friend after a merge, and no longer the removed account', async () => {
  const waiting = await provisional();
  const { emulator, client } = waiting;
  const me = client.GetCurrentUserV2()?.Id() ?? 0n;
  const other = await plays(emulator.api, 'bo');
  await client.SendGameFriendRequestById(other.id);
  await other.client.AcceptGameFriendRequest(me);
  const friends = () =>
    other.client
      .GetRelationships()
      .map((one) => [one.Id(), one.GameRelationshipType()] as const)
      .filter(([, type]) => type === RelationshipType.Friend);
  await until(() => friends().length === 1);
  expect(friends()[0]?.[0]).toBe(me);
  const deleted = vi.fn();
  other.client.SetRelationshipDeletedCallback(deleted);
  await merge(waiting);
  await until(() => friends().some(([id]) => id === BigInt(ids.river)));
  await until(() => friends().length === 1);
  expect(deleted.mock.calls).toEqual([[me, false]]);
});

const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100));

describe('JoinLinkedLobbyGuild of a provisional account', () => {
  it('waits for the merge, and continues with the merged account', async () => {
    const waiting = await provisional();
    const { client, lobbyId, results, join, asked } = waiting;
    // A limit for requests is none for people.
    client.SetHttpRequestTimeout(5000);
    join();
    await until(() => asked.mock.calls.length === 1);
    await merge(waiting);
    const channel = BigInt(ids.general);
    expect((await client.LinkChannelToLobby(lobbyId, channel)).result.ToString()).toBe('Success');
    await rest();
    expect(results).toEqual([]);
    client.ProvisionalUserMergeCompleted(true);
    await until(() => results.length === 1);
    expect([results[0]?.ToString(), asked.mock.calls.length]).toEqual(['Success', 1]);
  });

  it('accepts a completion in its callback, and fails when the account was not merged, whatever is reported', async () => {
    const { client, lobbyId } = await provisional();
    const lie = await client.JoinLinkedLobbyGuild(lobbyId, () => client.ProvisionalUserMergeCompleted(true));
    expect([lie.result.Type(), lie.result.Error(), lie.inviteUrl]).toEqual([
      ErrorType.AuthorizationFailed,
      expect.stringContaining('call UpdateToken'),
      '',
    ]);
    const no = await client.JoinLinkedLobbyGuild(lobbyId, () => client.ProvisionalUserMergeCompleted(false));
    expect([no.result.Type(), no.result.Error()]).toEqual([
      ErrorType.AuthorizationFailed,
      'The provisional account was not merged',
    ]);
  });

  it('is aborted by another valid call, but not by an invalid one', async () => {
    const { client, results, join, asked } = await provisional();
    join();
    await until(() => asked.mock.calls.length === 1);
    expect((await client.JoinLinkedLobbyGuild('x', () => {})).result.Type()).toBe(ErrorType.ValidationError);
    await rest();
    expect(results).toEqual([]);
    join();
    await until(() => asked.mock.calls.length === 2 && results.length === 1);
    expect(results.map((result) => result.Type())).toEqual([ErrorType.Aborted]);
    client.ProvisionalUserMergeCompleted(false);
    await until(() => results.length === 2);
    expect(results[1]?.Type()).toBe(ErrorType.AuthorizationFailed);
  });

  it('fails with ClientDestroyed on Disconnect', async () => {
    const { client, results, join, asked } = await provisional();
    join();
    await until(() => asked.mock.calls.length === 1);
    await client.Disconnect();
    await until(() => results.length === 1);
    expect(results[0]?.Type()).toBe(ErrorType.ClientDestroyed);
  });
});

it('ProvisionalUserMergeCompleted only logs a warning when no call waits for a merge', () => {
  const client = new Client('', '');
  const lines: string[] = [];
  client.AddLogCallback((line) => lines.push(line), LoggingSeverity.Warning);
  client.ProvisionalUserMergeCompleted(true);
  client.ProvisionalUserMergeCompleted(false);
  expect(lines).toEqual(
    Array.from({ length: 2 }, () => 'ProvisionalUserMergeCompleted: nothing waits for a merge'),
  );
});
