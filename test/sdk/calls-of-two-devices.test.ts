import { expect, it } from 'vitest';
import { AuthorizationTokenType, CallError, CallStatus, ClientStatus } from '../../src/sdk/index.ts';
import { GatewayClient } from '../helpers/gateway-client.ts';
import { inCall, starts } from './played-call.ts';
import { alone, type PlayedGame, plays, service, until } from './played-game.ts';

const { Connected, Disconnected } = CallStatus;

/** Ana and Bo in a lobby, and Ana's second device, which begins when it is asked to. */
async function meeting() {
  const { api } = await service();
  const [ana, bo] = [await plays(api, 'ana'), await plays(api, 'bo')];
  const { lobbyId } = await ana.client.CreateOrJoinLobby('tide');
  await bo.client.CreateOrJoinLobby('tide');
  const device = async (): Promise<PlayedGame> => {
    const client = alone(api);
    await client.UpdateToken(AuthorizationTokenType.Bearer, ana.token);
    client.Connect();
    await until(() => client.GetStatus() === ClientStatus.Ready);
    return { ...ana, client };
  };
  return { api, ana, bo, lobbyId, device };
}

it('a call is visible on every device of the player, and any of them can end it', async () => {
  const { ana, bo, lobbyId, device } = await meeting();
  const phone = await device();
  const call = starts(ana, lobbyId);
  await call.is(Connected);
  await until(() => phone.client.GetCall(lobbyId)?.GetStatus() === Connected);
  expect((await phone.client.EndCall(lobbyId)).result.ToString()).toBe('Success');
  await call.is(Disconnected);
  expect(call.statuses.at(-1)).toEqual([Disconnected, CallError.None, 0]);
  await until(() => inCall(bo, lobbyId).length === 0);
  await starts(ana, lobbyId).is(Connected);
});

it('a new call of another device ends the previous call on both devices', async () => {
  const { ana, bo, lobbyId, device } = await meeting();
  const phone = await device();
  const first = starts(ana, lobbyId);
  await first.is(Connected);
  const { lobbyId: quay } = await phone.client.CreateOrJoinLobby('quay');
  const second = starts(phone, quay);
  await second.is(Connected);
  await first.is(Disconnected);
  await until(() => phone.client.GetCalls().length === 1);
  expect(inCall(bo, lobbyId)).toEqual([]);
});

it('a call continues on another device after the first device disconnects', async () => {
  const { ana, bo, lobbyId, device } = await meeting();
  const phone = await device();
  await starts(ana, lobbyId).is(Connected);
  await until(() => phone.client.GetCall(lobbyId)?.GetStatus() === Connected);
  const call = starts(phone, lobbyId);
  expect(call.call).toBe(phone.client.GetCall(lobbyId));
  // What it said before this was heard before this.
  await phone.client.SendLobbyMessage(lobbyId, 'x');
  phone.client.SetSelfMuteAll(true);
  const muted = () =>
    bo.client.GetLobbyHandle(lobbyId)?.GetCallInfoHandle()?.GetVoiceStateHandle(ana.id)?.SelfMute();
  await until(() => muted() === true);
  await ana.client.Disconnect();
  await bo.client.SendLobbyMessage(lobbyId, 'x');
  expect([inCall(bo, lobbyId), call.call.GetStatus()]).toEqual([[ana.id], Connected]);
});

it('a mute by another device is known to the first one, and is not reverted by its later changes', async () => {
  const { ana, bo, lobbyId, device } = await meeting();
  const phone = await device();
  const { call, is } = starts(ana, lobbyId);
  await is(Connected);
  await until(() => phone.client.GetCall(lobbyId)?.GetStatus() === Connected);
  phone.client.GetCall(lobbyId)?.SetSelfMute(true);
  await until(() => call.GetSelfMute());
  // What is said again says it as well.
  call.SetSelfDeaf(true);
  const state = () => bo.client.GetLobbyHandle(lobbyId)?.GetCallInfoHandle()?.GetVoiceStateHandle(ana.id);
  await until(() => state()?.SelfDeaf() === true);
  expect(state()?.SelfMute()).toBe(true);
});

it('a restarted game continues and ends the call of a killed game whose session is still open', async () => {
  const { api, ana, bo, lobbyId, device } = await meeting();
  await ana.client.Disconnect();
  const killed = new GatewayClient(api.replace(/\/api$/, ''));
  await killed.op(10);
  killed.send({ op: 2, d: { token: `Bearer ${ana.token}`, properties: {}, capabilities: 1 << 16 } });
  await killed.event('READY');
  const own = { guild_id: null, channel_id: String(lobbyId), self_mute: false, self_deaf: false };
  killed.send({ op: 4, d: own });
  await killed.event('LOBBY_VOICE_SERVER_UPDATE');
  await killed.cut();
  const game = await device();
  expect(game.client.GetCalls().map((call) => call.GetStatus())).toEqual([Connected]);
  expect(starts(game, lobbyId).call.GetStatus()).toBe(Connected);
  expect((await game.client.EndCall(lobbyId)).result.ToString()).toBe('Success');
  await until(() => inCall(bo, lobbyId).length === 0);
  const again = starts(game, lobbyId);
  await again.is(Connected);
});
