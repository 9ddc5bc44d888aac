import type { Base } from '../../api/world.ts';
import { callsOf, joinCall, leaveCalls } from '../../lobbies/calls.ts';
import { mayKnowLobbies } from '../../lobbies/gateway-audience.ts';
import type { Session } from './session.ts';

/** A user's own state in a call. */
interface CallStateRequest {
  readonly guild_id?: string | null | undefined;
  /** Id of a lobby, which its voice states have as the channel id. */
  readonly channel_id: string | null;
  readonly self_mute: boolean;
  readonly self_deaf: boolean;
}

/**
 * Lets a user join the call of a lobby, change mute and deaf there, or leave; returns the reason where that is not
 * permitted. A user is in one call per game, through the session that joined last: joining another call leaves the previous
 * one, whichever session began it.
 */
export function changeCall(
  { id: session, listener }: Session,
  { guild_id, channel_id, self_mute, self_deaf }: CallStateRequest,
  { world }: Base,
): string | undefined {
  const { user, application } = listener;
  if (!mayKnowLobbies(listener)) return 'the token lacks lobbies.write';
  if (typeof guild_id === 'string') return 'people are in calls of lobbies alone, which are in no guild';
  if (channel_id === null) {
    // Leaves the calls of all sessions of the game, because the payload names no call: also a call that an operation began,
    // and one of a killed game whose session has not expired.
    world.transaction((tables) => leaveCalls(tables, callsOf(tables, user, application.id)));
    return undefined;
  }
  const isOfGame = world.tables.lobbies.get(channel_id)?.application === application.id;
  const joining = { lobby: channel_id, user, session, self_mute, self_deaf };
  const joined = isOfGame ? world.transaction((tables) => joinCall(tables, joining)) : undefined;
  return joined === undefined ? `${channel_id} is no lobby of the game that its user is in` : undefined;
}

/** Removes the user from the calls of a session that has ended. */
export function hangUp({ id }: Session, { world }: Base): void {
  if (world.tables.lobby_voice_states.by('session', id).size === 0) return;
  world.transaction((tables) => leaveCalls(tables, [...tables.lobby_voice_states.by('session', id)]));
}
