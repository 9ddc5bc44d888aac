import { expect, it } from 'vitest';
import {
  AuthorizationTokenType,
  CallError,
  CallStatus,
  ClientStatus,
  ErrorType,
  StatusType,
} from '../../src/sdk/index.ts';
import { alone, until } from './played-game.ts';
import { type Peer, scriptedService } from './scripted-service.ts';

const { Connecting, SignalingConnected, Connected, Reconnecting, Disconnecting, Disconnected } = CallStatus;
const ME = '7';
const LOBBY = { id: '5', members: [{ id: ME }, { id: '8' }], voice_states: [] };
const IN = { lobby_id: '5', channel_id: '5', user_id: ME };

/** A game in a lobby, at a service that does what the test says. */
async function scripted() {
  const { api, gateway, peers } = await scriptedService();
  /** The next connection, once it is ready with these lobbies. */
  const ready = async (lobbies: readonly object[] = [LOBBY]): Promise<Peer> => {
    const count = peers.length;
    await until(() => peers.length > count);
    const peer = peers[count] as Peer;
    await peer.asks(2);
    peer.tell('READY', {
      user: { id: ME, username: 'ana' },
      session_id: `s${count}`,
      resume_gateway_url: gateway,
      lobbies,
    });
    await until(() => client.GetStatus() === ClientStatus.Ready);
    return peer;
  };
  const client = alone(api);
  await client.UpdateToken(AuthorizationTokenType.Bearer, 'a-token-of-ana');
  client.Connect();
  const first = await ready();
  client.SetHttpRequestTimeout(250);
  return { client, first, ready, peers };
}

/** Begins the call of the lobby; every status and error of it. */
function starts(client: Awaited<ReturnType<typeof scripted>>['client']) {
  const call = client.StartCall(5n);
  if (call === undefined) throw new Error('no call');
  const statuses: (readonly number[])[] = [];
  call.SetStatusChangedCallback((...status) => statuses.push(status));
  return { call, statuses };
}

/** The service takes the player into the call. */
function takes(peer: Peer, voice: object = IN): void {
  peer.tell('LOBBY_VOICE_STATE_UPDATE', voice);
  peer.tell('LOBBY_VOICE_SERVER_UPDATE', { lobby_id: '5', token: 't', endpoint: null });
}

const asked = (channel_id: string | null, self_mute = false, self_deaf = false) => ({
  guild_id: null,
  channel_id,
  self_mute,
  self_deaf,
});

it('a call is requested by opcode 4 and again in a new session, and ends without an answer in time', async () => {
  const { client, first, ready } = await scripted();
  const { call, statuses } = starts(client);
  call.SetSelfMute(true);
  await until(() => first.calls.length === 2);
  expect(first.calls).toEqual([asked('5'), asked('5', true)]);
  takes(first);
  await until(() => call.GetStatus() === Connected);
  const again = ready();
  first.close(4009);
  const second = await again;
  await second.asks(4);
  expect(second.calls).toEqual([asked('5', true)]);
  takes(second);
  await until(() => call.GetStatus() === Connected);
  const last = ready();
  second.close(4009);
  const third = await last;
  await until(() => call.GetStatus() === Disconnected);
  expect(statuses).toEqual([
    [Connecting, 0, 0],
    [SignalingConnected, 0, 0],
    [Connected, 0, 0],
    [Reconnecting, 0, 0],
    [Connected, 0, 0],
    [Reconnecting, 0, 0],
    [Disconnected, CallError.SignalingUnexpectedClose, 0],
  ]);
  // What was given up is not to be taken later.
  await until(() => third.calls.length === 2);
  expect(third.calls).toEqual([asked('5', true), asked(null)]);
  expect(client.GetCalls()).toEqual([]);
});

it('a call ends, and is not requested again, when the new session lacks its lobby', async () => {
  const { client, first, ready } = await scripted();
  const { call, statuses } = starts(client);
  takes(first);
  await until(() => call.GetStatus() === Connected);
  const again = ready([]);
  first.close(4009);
  const second = await again;
  expect(statuses.at(-1)).toEqual([Disconnected, CallError.SignalingUnexpectedClose, 0]);
  await client.SetOnlineStatus(StatusType.Idle);
  await second.asks(3);
  expect(second.calls).toEqual([]);
});

it('a call is requested again after a connection loss before the answer, with a new deadline', async () => {
  const { client, first, peers } = await scripted();
  const { call, statuses } = starts(client);
  first.close(4000);
  await until(() => peers.length === 2);
  const second = peers[1] as Peer;
  await second.asks(6);
  second.tell('RESUMED', {});
  await second.asks(4);
  await until(() => call.GetStatus() === Disconnected);
  expect(statuses).toEqual([
    [Reconnecting, 0, 0],
    [Disconnected, CallError.JoinTimeout, 0],
  ]);
});

it('a call reports participants who changed without a session, and ends if the game ended it meanwhile', async () => {
  const { client, first, ready } = await scripted();
  const { call } = starts(client);
  const people: unknown[] = [];
  call.SetParticipantChangedCallback((...who) => people.push(who));
  takes(first);
  first.tell('LOBBY_VOICE_STATE_UPDATE', { ...IN, user_id: '8' });
  await until(() => people.length === 2);
  const again = ready([{ ...LOBBY, voice_states: [IN, { ...IN, user_id: '9' }] }]);
  first.close(4009);
  const second = await again;
  expect(people.slice(2)).toEqual([
    [8n, false],
    [9n, true],
  ]);
  expect(call.GetStatus()).toBe(Connected);
  const last = ready([{ ...LOBBY, voice_states: [IN] }]);
  second.close(4009);
  await until(() => call.GetStatus() === Reconnecting);
  client.SetHttpRequestTimeout(5000);
  const ended = client.EndCall(5n);
  expect(call.GetStatus()).toBe(Disconnecting);
  const third = await last;
  await third.asks(4);
  expect(third.calls).toEqual([asked(null)]);
  third.tell('LOBBY_VOICE_STATE_UPDATE', { ...IN, channel_id: null });
  expect((await ended).result.ToString()).toBe('Success');
  expect(call.GetStatus()).toBe(Disconnected);
});

it('EndCall fails at its normal deadline after a connection loss without a new session', async () => {
  const { client, first } = await scripted();
  const { call } = starts(client);
  takes(first);
  await until(() => call.GetStatus() === Connected);
  first.close(4000);
  await until(() => call.GetStatus() === Reconnecting);
  const { result } = await client.EndCall(5n);
  expect([result.Type(), call.GetStatus()]).toEqual([ErrorType.NetworkError, Disconnected]);
});

it('a call ends with the lobby that the player leaves, before the gateway reports it', async () => {
  const { client, first } = await scripted();
  const { call, statuses } = starts(client);
  takes(first);
  await until(() => call.GetStatus() === Connected);
  expect((await client.LeaveLobby(5n)).result.ToString()).toBe('Success');
  expect(statuses.at(-1)).toEqual([Disconnected, CallError.None, 0]);
  expect(client.GetCalls()).toEqual([]);
});

it('a call survives malformed events of the service', async () => {
  const { client, first } = await scripted();
  const { call } = starts(client);
  for (const t of ['LOBBY_VOICE_STATE_UPDATE', 'LOBBY_VOICE_SERVER_UPDATE', 'LOBBY_MEMBER_CONNECT'])
    for (const d of [
      {},
      { lobby_id: 5 },
      { lobby_id: '5' },
      { lobby_id: '5', user_id: {} },
      { lobby_id: '6', user_id: ME, channel_id: '6' },
      { lobby_id: '5', user_id: '8', channel_id: null },
      { lobby_id: '5', user_id: '8', channel_id: 7, self_mute: 'yes' },
    ])
      first.tell(t, d);
  await until(() => call.GetParticipants().includes(8n));
  expect(call.GetVoiceStateHandle(8n)?.SelfMute()).toBe(false);
  await client.Disconnect();
  expect([call.GetStatus(), client.GetCalls()]).toEqual([Disconnected, []]);
});
