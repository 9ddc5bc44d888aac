import { describe, expect, it } from 'vitest';
import {
  AuthorizationTokenType,
  Call,
  CallError,
  CallStatus,
  type Client,
  ClientStatus,
  ErrorType,
  LoggingSeverity,
} from '../../src/sdk/index.ts';
import type { TestEmulator } from '../../src/testing/testing.ts';
import { inCall, starts } from './played-call.ts';
import { alone, asServer, plays, provisionalToken, service, sorted, until } from './played-game.ts';

const { Joining, Connecting, SignalingConnected, Connected, Reconnecting, Disconnecting, Disconnected } =
  CallStatus;

/** Ana and Bo in a lobby. */
async function meeting(emulator?: TestEmulator) {
  const { api, ...rest } = emulator ?? (await service());
  const [ana, bo] = [await plays(api, 'ana'), await plays(api, 'bo')];
  const { lobbyId } = await ana.client.CreateOrJoinLobby('tide');
  await bo.client.CreateOrJoinLobby('tide');
  await until(() => ana.client.GetLobbyHandle(lobbyId)?.LobbyMemberIds().length === 2);
  return { emulator: { api, ...rest }, api, ana, bo, lobbyId };
}

/** Warnings of a client. */
function warningsOf(client: Client): string[] {
  const lines: string[] = [];
  client.AddLogCallback((line) => lines.push(line), LoggingSeverity.Warning);
  return lines;
}

describe('a call that the game starts', () => {
  it('is joined, visible to others, and over when the game ends it', async () => {
    const { ana, bo, lobbyId } = await meeting();
    const all: unknown[] = [];
    ana.client.SetCallStatusChangedCallback((...told) => all.push(told));
    const { call, statuses, people, is } = starts(ana, lobbyId);
    expect([call.GetStatus(), call.GetChannelId(), call.GetGuildId()]).toEqual([Joining, lobbyId, lobbyId]);
    expect([ana.client.GetCalls(), ana.client.GetCall(String(lobbyId))]).toEqual([[call], call]);
    await is(Connected);
    expect(statuses).toEqual([Connecting, SignalingConnected, Connected].map((one) => [one, 0, 0]));
    expect(people).toEqual([[ana.id, true]]);
    await until(() => inCall(bo, lobbyId).length === 1);
    const info = bo.client.GetLobbyHandle(lobbyId)?.GetCallInfoHandle();
    expect([info?.ChannelId(), info?.GuildId(), info?.GetParticipants()]).toEqual([
      lobbyId,
      lobbyId,
      [ana.id],
    ]);
    expect([info?.GetVoiceStateHandle(ana.id)?.SelfMute(), info?.GetVoiceStateHandle(String(bo.id))]).toEqual(
      [false, undefined],
    );
    const other = starts(bo, lobbyId);
    await other.is(Connected);
    await until(() => people.length === 2);
    expect(sorted(call.GetParticipants())).toEqual(sorted([ana.id, bo.id]));
    let given: unknown[] | undefined;
    const ended = ana.client.EndCall(lobbyId, (...nothing) => {
      given = nothing;
      expect([call.GetStatus(), ana.client.GetCalls()]).toEqual([Disconnected, []]);
    });
    expect(call.GetStatus()).toBe(Disconnecting);
    expect([(await ended).result.ToString(), given]).toEqual(['Success', []]);
    expect(statuses.slice(3)).toEqual([
      [Disconnecting, 0, 0],
      [Disconnected, 0, 0],
    ]);
    expect(all).toEqual([1, 2, 3, 4, 6, 0].map((status) => [lobbyId, status]));
    await until(() => inCall(bo, lobbyId).length === 1);
    expect(other.people.at(-1)).toEqual([ana.id, false]);
    expect(other.call.GetStatus()).toBe(Connected);
    // What is snapped does not change.
    expect(info?.GetParticipants()).toEqual([ana.id]);
    await bo.client.EndCalls();
    expect(bo.client.GetLobbyHandle(lobbyId)?.GetCallInfoHandle()).toBeUndefined();
    await starts(ana, lobbyId).is(Connected);
  });

  it('is muted and deafened by its own settings, and by those for all calls whatever its own are', async () => {
    const { ana, bo, lobbyId } = await meeting();
    ana.client.SetSelfDeafAll(true);
    const { call, changed, people, is } = starts(ana, lobbyId);
    await is(Connected);
    const other = starts(bo, lobbyId);
    await other.is(Connected);
    const heard = () => {
      const state = other.call.GetVoiceStateHandle(ana.id);
      return `${state?.SelfMute()} ${state?.SelfDeaf()}`;
    };
    expect(heard()).toBe('false true');
    expect([call.GetSelfMute(), call.GetSelfDeaf()]).toEqual([false, true]);
    call.SetSelfMute(true);
    expect(call.GetSelfMute()).toBe(true);
    await until(() => heard() === 'true true');
    // What is so already is not said again, and what holds for all is not undone by one.
    call.SetSelfMute(true);
    call.SetSelfDeaf(false);
    expect(call.GetSelfDeaf()).toBe(true);
    ana.client.SetSelfDeafAll(false);
    await until(() => heard() === 'true false');
    ana.client.SetSelfMuteAll(true);
    call.SetSelfMute(false);
    expect([call.GetSelfMute(), ana.client.GetSelfMuteAll(), ana.client.GetSelfDeafAll()]).toEqual([
      true,
      true,
      false,
    ]);
    ana.client.SetSelfMuteAll(false);
    await until(() => heard() === 'false false');
    call.SetSelfDeaf(true);
    await until(() => heard() === 'false true');
    expect(new Set(other.changed)).toEqual(new Set([ana.id]));
    expect(other.changed).toHaveLength(4);
    expect(changed.filter((user) => user === bo.id)).toEqual([]);
    // That somebody is muted is nobody's coming.
    await until(() => people.length === 2);
    expect([people, other.people]).toEqual([
      [
        [ana.id, true],
        [bo.id, true],
      ],
      [[bo.id, true]],
    ]);
    await ana.client.EndCall(lobbyId);
    call.SetSelfMute(true);
    await bo.client.SendLobbyMessage(lobbyId, 'x');
    expect(inCall(bo, lobbyId)).toEqual([bo.id]);
  });

  it('is refused with a log line without a session, for an unknown lobby, and during the same call', async () => {
    const { api, ana, lobbyId } = await meeting();
    const lines = warningsOf(ana.client);
    const nobody = alone(api);
    const others = warningsOf(nobody);
    expect(nobody.StartCall(lobbyId)).toBeUndefined();
    const { call, is } = starts(ana, lobbyId);
    expect(ana.client.StartCall(lobbyId)).toBeUndefined();
    await is(Connected);
    expect([ana.client.StartCall(String(lobbyId)), ana.client.StartCall(1n)]).toEqual([undefined, undefined]);
    expect(ana.client.GetCalls()).toEqual([call]);
    expect([...others, ...lines]).toEqual([
      'StartCall: there is no session; wait until the status is Ready',
      'StartCall: the player is in that call already',
      'StartCall: the player is in that call already',
      'StartCall: channelId: 1 is no lobby that the player is in',
    ]);
    await ana.client.Disconnect();
    expect(ana.client.StartCall(lobbyId)).toBeUndefined();
  });

  it('ends the previous call', async () => {
    const { ana, bo, lobbyId } = await meeting();
    const { lobbyId: other } = await ana.client.CreateOrJoinLobby('quay');
    const first = starts(ana, lobbyId);
    await first.is(Connected);
    const second = starts(ana, other);
    await second.is(Connected);
    await first.is(Disconnected);
    expect(first.statuses.at(-1)).toEqual([Disconnected, CallError.None, 0]);
    expect([inCall(ana, lobbyId), inCall(ana, other)]).toEqual([[], [ana.id]]);
    await until(() => inCall(bo, lobbyId).length === 0);
    // Of two that were begun at once the second is; to end the first changes nothing of it.
    const third = starts(ana, lobbyId);
    expect((await ana.client.EndCall(other)).result.ToString()).toBe('Success');
    await third.is(Connected);
    expect(ana.client.GetCalls()).toEqual([third.call]);
  });

  it('can be ended repeatedly, also before it is connected', async () => {
    const { ana, bo, lobbyId } = await meeting();
    const results = [
      await ana.client.EndCall(lobbyId),
      await ana.client.EndCall(5n),
      await ana.client.EndCalls(),
    ].map(({ result }) => result.ToString());
    expect(results).toEqual(['Success', 'Success', 'Success']);
    const { call, statuses } = starts(ana, lobbyId);
    const both = await Promise.all([ana.client.EndCall(lobbyId), ana.client.EndCalls()]);
    expect(both.map(({ result }) => result.Successful())).toEqual([true, true]);
    expect([call.GetStatus(), statuses.map(([status]) => status)]).toEqual([
      Disconnected,
      [Disconnecting, Disconnected],
    ]);
    await bo.client.SendLobbyMessage(lobbyId, 'x');
    expect(inCall(bo, lobbyId)).toEqual([]);
    // From within a callback, too.
    ana.client.SetCallStatusChangedCallback((id, status) => {
      if (status === Joining) void ana.client.EndCall(id);
    });
    const short = ana.client.StartCall(lobbyId);
    await until(() => short?.GetStatus() === Disconnected);
    expect([ana.client.GetCalls(), inCall(ana, lobbyId)]).toEqual([[], []]);
  });

  it.each<[string, (game: Awaited<ReturnType<typeof meeting>>) => Promise<unknown>, CallError]>([
    ['the game disconnects', ({ ana }) => ana.client.Disconnect(), CallError.None],
    ['the player leaves the lobby', ({ ana, lobbyId }) => ana.client.LeaveLobby(lobbyId), CallError.None],
    [
      'the lobby is deleted',
      ({ api, lobbyId }) => asServer(api, 'DELETE', `/lobbies/${lobbyId}`),
      CallError.None,
    ],
    [
      'the player is taken out of the lobby',
      ({ api, lobbyId, ana }) => asServer(api, 'DELETE', `/lobbies/${lobbyId}/members/${ana.id}`),
      CallError.None,
    ],
    [
      'the token is taken back',
      ({ ana }) => ana.client.RevokeToken('300000000000000001', ana.token),
      CallError.SignalingUnexpectedClose,
    ],
  ])('is over once %s', async (_what, end, error) => {
    const game = await meeting();
    const { ana, bo, lobbyId } = game;
    const { statuses, is } = starts(ana, lobbyId);
    await is(Connected);
    await until(() => inCall(bo, lobbyId).length === 1);
    await end(game);
    await is(Disconnected);
    expect(statuses.at(-1)).toEqual([Disconnected, error, 0]);
    expect(ana.client.GetCalls()).toEqual([]);
    await until(() => inCall(bo, lobbyId).length === 0);
  });

  it('fails in time when the service does not answer, and is not joined later', async () => {
    const { emulator, api, ana, lobbyId } = await meeting();
    ana.client.SetHttpRequestTimeout(300);
    await emulator.faults.add('drop', { gateway: true });
    const { call, statuses, is } = starts(ana, lobbyId);
    await is(Disconnected);
    expect([statuses, ana.client.GetCalls()]).toEqual([[[Disconnected, CallError.JoinTimeout, 0]], []]);
    expect(Call.ErrorToString(CallError.JoinTimeout)).toBe('JoinTimeout');
    await emulator.faults.clear();
    const late = await plays(api, 'bo');
    expect(inCall(late, lobbyId)).toEqual([]);
    expect(call.GetStatus()).toBe(Disconnected);
    // Nor does anybody wait for ever for its end.
    const again = starts(ana, lobbyId);
    await again.is(Connected);
    await emulator.faults.add('drop', { gateway: true });
    let called = 0;
    const { result } = await ana.client.EndCall(lobbyId, () => {
      called += 1;
    });
    expect([result.Type(), called, again.call.GetStatus()]).toEqual([
      ErrorType.NetworkError,
      1,
      Disconnected,
    ]);
    expect(again.statuses.at(-1)).toEqual([Disconnected, CallError.SignalingUnexpectedClose, 0]);
  });

  it('resumes after a connection loss, with the mute that the game changed meanwhile [T-5]', async () => {
    const { emulator, ana, bo, lobbyId } = await meeting();
    const { call, statuses, people, is } = starts(ana, lobbyId);
    await is(Connected);
    await until(() => inCall(bo, lobbyId).length === 1);
    for (const fault of ['close=4000', 'reconnect', 'close=4009']) {
      statuses.length = 0;
      await emulator.faults.add(fault, { gateway: true, count: 2 });
      await emulator.operations.call('lobby.say', { lobby: String(lobbyId), user: String(bo.id), text: 'x' });
      await is(Reconnecting);
      call.SetSelfMute(!call.GetSelfMute());
      await is(Connected);
      expect(statuses).toEqual([
        [Reconnecting, 0, 0],
        [Connected, 0, 0],
      ]);
      await until(
        () =>
          bo.client.GetStatus() === ClientStatus.Ready &&
          bo.client.GetLobbyHandle(lobbyId)?.GetCallInfoHandle()?.GetVoiceStateHandle(ana.id)?.SelfMute() ===
            call.GetSelfMute(),
      );
    }
    expect(people).toEqual([[ana.id, true]]);
    // The session in which it was begun is over by now, and takes nobody out.
    await emulator.advance('6m');
    await bo.client.SendLobbyMessage(lobbyId, 'x');
    expect([inCall(bo, lobbyId), call.GetStatus()]).toEqual([[ana.id], Connected]);
    // Its end, as well.
    await emulator.faults.add('close=4000', { gateway: true, count: 1 });
    await emulator.operations.call('lobby.say', { lobby: String(lobbyId), user: String(ana.id), text: 'x' });
    await until(() => [ana, bo].some(({ client }) => client.GetStatus() === ClientStatus.Reconnecting));
    expect((await ana.client.EndCall(lobbyId)).result.ToString()).toBe('Success');
    await until(() => inCall(bo, lobbyId).length === 0);
  });

  it('continues with another token of the player', async () => {
    const { api, ana, bo, lobbyId } = await meeting();
    const { call, is } = starts(ana, lobbyId);
    await is(Connected);
    await ana.client.UpdateToken(AuthorizationTokenType.Bearer, await provisionalToken(api, 'ana'));
    await is(Reconnecting);
    await is(Connected);
    await until(() => inCall(bo, lobbyId).length === 1);
    expect(ana.client.GetCalls()).toEqual([call]);
    // The session before is over, and takes nobody out of the call.
    await bo.client.SendLobbyMessage(lobbyId, 'x');
    expect(inCall(bo, lobbyId)).toEqual([ana.id]);
  });
});

describe('a call that the service starts', () => {
  it('can be muted and ended by the game, and ends together with a call of the game', async () => {
    const { emulator, ana, bo, lobbyId } = await meeting();
    const lobby = String(lobbyId);
    ana.client.SetSelfDeafAll(true);
    await emulator.operations.call('lobby.join-call', { lobby, user: String(ana.id), mute: true });
    await until(() => ana.client.GetCall(lobbyId)?.GetStatus() === Connected);
    const call = ana.client.GetCall(lobbyId);
    const heard = () => {
      const state = bo.client.GetLobbyHandle(lobbyId)?.GetCallInfoHandle()?.GetVoiceStateHandle(ana.id);
      return `${state?.SelfMute()} ${state?.SelfDeaf()}`;
    };
    await until(() => heard() === 'true true');
    expect([call?.GetSelfMute(), call?.GetSelfDeaf()]).toEqual([true, true]);
    call?.SetSelfMute(false);
    await until(() => heard() === 'false true');
    expect((await ana.client.EndCall(lobbyId)).result.ToString()).toBe('Success');
    await until(() => inCall(bo, lobbyId).length === 0);
    // Beside one that the game began: both end, because the word for leaving names none.
    const { lobbyId: other } = await ana.client.CreateOrJoinLobby('quay');
    await emulator.operations.call('lobby.join-call', { lobby, user: String(ana.id) });
    const own = starts(ana, other);
    await own.is(Connected);
    await until(() => ana.client.GetCalls().length === 2);
    expect((await ana.client.EndCall(lobbyId)).result.ToString()).toBe('Success');
    await own.is(Disconnected);
    expect(own.statuses.slice(-2)).toEqual([
      [Disconnecting, 0, 0],
      [Disconnected, CallError.None, 0],
    ]);
  });
});

describe('an invalid argument of a call', () => {
  it('throws at once with its name, and changes nothing', async () => {
    const { ana, lobbyId } = await meeting();
    const { call } = starts(ana, lobbyId);
    for (const wrong of ['x', 5, {}, [], null, true, Promise.resolve(), Symbol('x')] as never[])
      for (const set of [
        () => call.SetStatusChangedCallback(wrong),
        () => call.SetParticipantChangedCallback(wrong),
        () => call.SetOnVoiceStateChangedCallback(wrong),
      ])
        expect(set).toThrow(new TypeError('callback: must be a function'));
    for (const wrong of ['true', 1, 0, null, undefined, {}, Symbol('x')] as never[]) {
      for (const set of [() => call.SetSelfMute(wrong), () => ana.client.SetSelfMuteAll(wrong)])
        expect(set).toThrow(new TypeError('mute: must be a boolean'));
      for (const set of [() => call.SetSelfDeaf(wrong), () => ana.client.SetSelfDeafAll(wrong)])
        expect(set).toThrow(new TypeError('deaf: must be a boolean'));
    }
    for (const wrong of [7, -1, 0.5, '0', null, undefined] as never[])
      for (const name of [() => Call.StatusToString(wrong), () => Call.ErrorToString(wrong)])
        expect(name).toThrow(/^type: must be one of /);
    for (const wrong of [5, -1n, 'x', null, undefined] as never[])
      expect(() => call.GetVoiceStateHandle(wrong)).toThrow(/^userId: must be /);
    expect([call.GetSelfMute(), ana.client.GetSelfMuteAll(), ana.client.GetSelfDeafAll()]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('StatusToString and ErrorToString name every status and error', () => {
    expect(Object.values(Call.Status).map((one) => Call.StatusToString(one))).toEqual(
      Object.keys(CallStatus),
    );
    expect(Object.values(Call.Error).map((one) => Call.ErrorToString(one))).toEqual(Object.keys(CallError));
  });
});
