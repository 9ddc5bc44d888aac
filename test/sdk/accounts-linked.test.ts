import { describe, expect, it } from 'vitest';
import {
  AuthenticationExternalAuthType,
  AuthorizationArgs,
  AuthorizationTokenType,
  CallStatus,
  ClientStatus,
  ErrorType,
} from '../../src/sdk/index.ts';
import { APP, alone, asServer, linked, plays, service, sorted, until } from './played-game.ts';

const { Bearer } = AuthorizationTokenType;
const { SteamSessionTicket: Steam } = AuthenticationExternalAuthType;

describe('an account', () => {
  it('is provisional and named by the game, and is refused an invalid token, name or merge [K-5]', async () => {
    const emulator = await service();
    await emulator.operations.call('emulator.apply', {
      patch: { applications: [{ id: APP, public_client: true }] },
    });
    const client = alone(emulator.api);
    const given = await client.GetProvisionalToken(APP, Steam, 'emu.steam.7');
    expect([given.result.ToString(), given.tokenType, given.scopes]).toEqual([
      'Success',
      Bearer,
      'sdk.social_layer',
    ]);
    await client.UpdateToken(Bearer, given.accessToken);
    client.Connect();
    await until(() => client.GetStatus() === ClientStatus.Ready);
    expect((await client.UpdateProvisionalAccountDisplayName('Lontra')).result.ToString()).toBe('Success');
    expect(client.GetCurrentUserV2()?.DisplayName()).toBe('Lontra');
    const refused = [
      await client.GetProvisionalToken(APP, 99 as never, 'x'),
      await client.GetProvisionalToken(APP, Steam, ''),
      await client.GetProvisionalToken(APP, Steam, 'emu.steam.7.expired'),
      await client.UpdateProvisionalAccountDisplayName(''),
      await client.GetTokenFromProvisionalMerge(APP, 'code', 'v'.repeat(43), '', Steam, 'emu.steam.7'),
    ].map(({ result }) => [result.Type(), result.ErrorCode()]);
    expect(refused).toEqual([
      [6, 0],
      [6, 0],
      [2, 530001],
      [6, 0],
      [2, 0],
    ]);
    expect((await client.UnmergeIntoProvisionalAccount(APP, Steam, 'emu.steam.7')).result.ErrorCode()).toBe(
      50229,
    );
  });

  it('exchanges a token of the publisher for a token of a game [K-6, U-7]', async () => {
    const emulator = await service();
    const game = '310000000000000001';
    await emulator.operations.call('emulator.apply', {
      patch: {
        applications: [
          { id: APP, public_client: true },
          { id: game, name: 'Game', parent: APP },
        ],
      },
    });
    const publisher = await linked(emulator, 'sdk.social_layer');
    const pair = publisher.CreateAuthorizationCodeVerifier();
    const args = new AuthorizationArgs();
    args.SetScopes('sdk.social_layer');
    args.SetCodeChallenge(pair.Challenge());
    const { code, redirectUri } = await publisher.Authorize(args);
    const { accessToken } = await publisher.GetToken(APP, code, pair.Verifier(), redirectUri);
    const child = await publisher.ExchangeChildToken(accessToken, game);
    expect([child.result.ToString(), child.accessToken.length > 10]).toEqual(['Success', true]);
    await publisher.Disconnect();
  });
});

describe('guilds of a lobby', () => {
  it('are listed, linked to the lobby and joined [K-16, K-17]', async () => {
    const emulator = await service();
    await emulator.operations.call('emulator.apply', {
      patch: {
        users: [{ id: APP, username: 'harbour', bot: true }],
        applications: [{ id: APP, bot_user: APP }],
        guilds: [{ id: '400000000000000001', members: [{ user: APP }] }],
      },
    });
    const client = await linked(emulator);
    const { guilds } = await client.GetUserGuilds();
    expect(guilds.map((guild) => guild.Name())).toContain('River Bank');
    const bank = guilds.find((guild) => guild.Name() === 'River Bank')?.Id() ?? 0n;
    const { channels, result } = await client.GetGuildChannels(bank);
    expect(result.ToString()).toBe('Success');
    const general = channels.find((channel) => channel.Name() === 'general');
    expect([
      general?.Type(),
      general?.IsLinkable(),
      general?.IsViewableAndWriteableByAllMembers(),
      general?.LinkedLobby(),
    ]).toEqual([0, true, true, undefined]);
    expect([typeof general?.Position(), typeof general?.ParentId()]).toEqual(['number', expect.any(String)]);

    const me = client.GetCurrentUserV2()?.Id();
    const { id } = await asServer(emulator.api, 'POST', '/lobbies', { members: [{ id: String(me) }] });
    const lobbyId = BigInt(id);
    await until(() => client.GetLobbyIds().includes(lobbyId));
    expect((await client.LinkChannelToLobby(lobbyId, general?.Id() ?? 0n)).result.Type()).toBe(
      ErrorType.HTTPError,
    );
    await asServer(emulator.api, 'PUT', `/lobbies/${lobbyId}/members/${me}`, { flags: 1 });
    await until(() => client.GetLobbyHandle(lobbyId)?.LobbyMembers()[0]?.CanLinkLobby() === true);
    const link = await client.LinkChannelToLobby(lobbyId, general?.Id() ?? 0n);
    expect(link.result.ToString()).toBe('Success');
    const channel = client.GetLobbyHandle(lobbyId)?.LinkedChannel();
    expect([channel?.Id(), channel?.Name(), channel?.GuildId()]).toEqual([general?.Id(), 'general', bank]);
    const { channels: again } = await client.GetGuildChannels(bank);
    expect(
      again
        .find((one) => one.Id() === general?.Id())
        ?.LinkedLobby()
        ?.LobbyId() ?? lobbyId,
    ).toBe(lobbyId);

    const ana = await plays(emulator.api, 'ana');
    await asServer(emulator.api, 'PUT', `/lobbies/${lobbyId}/members/${ana.id}`, {});
    let asked = 0;
    const refused = await ana.client.JoinLinkedLobbyGuild(lobbyId, () => {
      asked += 1;
      ana.client.ProvisionalUserMergeCompleted(false);
    });
    expect([asked, refused.result.Type(), refused.inviteUrl]).toEqual([1, ErrorType.AuthorizationFailed, '']);
    expect(() => ana.client.JoinLinkedLobbyGuild(lobbyId, undefined as never)).toThrow(
      'provisionalUserMergeRequiredCallback',
    );
    const joined = await client.JoinLinkedLobbyGuild(lobbyId, () => {});
    expect([joined.result.ToString(), joined.inviteUrl.startsWith('https://web.example/invite/')]).toEqual([
      'Success',
      true,
    ]);
    expect((await client.UnlinkChannelFromLobby(lobbyId)).result.ToString()).toBe('Success');
    expect(client.GetLobbyHandle(lobbyId)?.LinkedChannel()).toBeUndefined();
    await client.Disconnect();
  });
});

describe('calls of a lobby', () => {
  it('are reported from joining to the end, and reconnect after a connection loss [T-5]', async () => {
    const emulator = await service();
    const ana = await plays(emulator.api, 'ana');
    const bo = await plays(emulator.api, 'bo');
    const { lobbyId } = await ana.client.CreateOrJoinLobby('tide');
    await bo.client.CreateOrJoinLobby('tide');
    const statuses: number[] = [];
    const people: unknown[] = [];
    ana.client.SetCallStatusChangedCallback((_id, status) => statuses.push(status));
    ana.client.SetVoiceParticipantChangedCallback((_lobby, member, added) => people.push([member, added]));
    const lobby = String(lobbyId);
    await emulator.operations.call('lobby.join-call', { lobby, user: String(bo.id), mute: true });
    await until(() => people.length === 1);
    expect([ana.client.GetCalls(), ana.client.GetCall(lobbyId)]).toEqual([[], undefined]);
    await emulator.operations.call('lobby.join-call', { lobby, user: String(ana.id) });
    await until(() => ana.client.GetCall(lobbyId)?.GetStatus() === CallStatus.Connected);
    const call = ana.client.GetCall(lobbyId);
    const own: unknown[] = [];
    call?.SetStatusChangedCallback((...status) => own.push(status));
    call?.SetParticipantChangedCallback((...who) => own.push(who));
    expect([call?.GetChannelId(), sorted(call?.GetParticipants() ?? [])]).toEqual([
      lobbyId,
      sorted([ana.id, bo.id]),
    ]);
    expect([
      call?.GetVoiceStateHandle(bo.id)?.SelfMute(),
      call?.GetVoiceStateHandle(bo.id)?.SelfDeaf(),
      call?.GetVoiceStateHandle(1n),
    ]).toEqual([true, false, undefined]);
    await emulator.faults.add('close=4000', { gateway: true, count: 1 });
    await emulator.operations.call('lobby.say', { lobby, user: String(ana.id), text: 'x' });
    await until(
      () => statuses.includes(CallStatus.Reconnecting) && call?.GetStatus() === CallStatus.Connected,
    );
    await emulator.operations.call('lobby.leave-call', { lobby, user: String(ana.id) });
    await until(() => call?.GetStatus() === CallStatus.Disconnected);
    expect(statuses).toEqual([1, 2, 3, 4, 5, 4, 0]);
    expect(own.slice(0, 2)).toEqual([
      [5, 0, 0],
      [4, 0, 0],
    ]);
    expect(ana.client.GetCalls()).toEqual([]);
  });
});
