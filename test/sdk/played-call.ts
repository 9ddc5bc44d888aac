import type { CallStatus } from '../../src/sdk/index.ts';
import { type PlayedGame, until } from './played-game.ts';

/** Begins a call, which has to be one; what its callbacks hear. */
export function starts({ client }: PlayedGame, lobbyId: bigint) {
  const call = client.StartCall(lobbyId);
  if (call === undefined) throw new Error('no call');
  const statuses: number[][] = [];
  const people: unknown[] = [];
  const changed: bigint[] = [];
  call.SetStatusChangedCallback((...status) => statuses.push(status));
  call.SetParticipantChangedCallback((...who) => people.push(who));
  call.SetOnVoiceStateChangedCallback((user) => changed.push(user));
  return {
    call,
    statuses,
    people,
    changed,
    is: (status: CallStatus) => until(() => call.GetStatus() === status),
  };
}

/** Who is in a call as somebody else is told. */
export const inCall = ({ client }: PlayedGame, lobbyId: bigint): bigint[] =>
  client.GetLobbyHandle(lobbyId)?.GetCallInfoHandle()?.GetParticipants() ?? [];
