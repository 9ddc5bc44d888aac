// A game is in a call while the service is killed.
import { expect, it } from 'vitest';
import { randomFrom } from '../../src/faults/random.ts';
import { CallError, CallStatus, ClientStatus } from '../../src/sdk/index.ts';
import { rounds } from '../helpers/rounds.ts';
import { killableService } from './killable-service.ts';
import { inCall, starts } from './played-call.ts';
import { plays, until } from './played-game.ts';

const { Connected, Reconnecting, Disconnected } = CallStatus;
/** How often the service is killed, and when (ms). */
const ROUNDS = rounds({ few: 2, many: 10 });
const random = randomFrom(4);

it('a muted call is rejoined after the service was killed, and ends when its lobby no longer exists [T-5]', async () => {
  const bridge = await killableService();
  const [ana, bo] = [await plays(bridge.api, 'ana'), await plays(bridge.api, 'bo')];
  const { lobbyId } = await ana.client.CreateOrJoinLobby('tide');
  await bo.client.CreateOrJoinLobby('tide');
  await bridge.keep();
  const first = starts(ana, lobbyId);
  first.call.SetSelfMute(true);
  await first.is(Connected);
  for (let round = 0; round < ROUNDS; round += 1) {
    first.statuses.length = 0;
    await bridge.killIn(random() * 30);
    await until(() => first.call.GetStatus() === Connected && first.statuses.length > 0, 30_000);
    expect(first.statuses.map(([status, error]) => [status, error])).toEqual([
      [Reconnecting, 0],
      [Connected, 0],
    ]);
    const info = () => bo.client.GetLobbyHandle(lobbyId)?.GetCallInfoHandle();
    await until(() => bo.client.GetStatus() === ClientStatus.Ready && info() !== undefined, 30_000);
    expect([info()?.GetParticipants(), info()?.GetVoiceStateHandle(ana.id)?.SelfMute()]).toEqual([
      [ana.id],
      true,
    ]);
  }
  expect(first.people).toEqual([[ana.id, true]]);
  const { lobbyId: late } = await ana.client.CreateOrJoinLobby('quay');
  const second = starts(ana, late);
  await second.is(Connected);
  await bridge.killIn(0);
  await until(() => second.call.GetStatus() === Disconnected, 30_000);
  expect(second.statuses.at(-1)).toEqual([Disconnected, CallError.SignalingUnexpectedClose, 0]);
  expect([ana.client.GetCalls(), ana.client.GetLobbyIds()]).toEqual([[], [lobbyId]]);
  await starts(ana, lobbyId).is(Connected);
  expect((await ana.client.EndCall(lobbyId)).result.ToString()).toBe('Success');
  await until(() => inCall(bo, lobbyId).length === 0);
}, 240_000);
