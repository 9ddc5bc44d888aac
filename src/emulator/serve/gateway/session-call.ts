import type { Base } from '../../api/world.ts';
import { callsOf, joinCall, leaveCalls } from '../../lobbies/calls.ts';
import { mayKnowLobbies } from '../../lobbies/gateway-audience.ts';
import type { Session } from './session.ts';

/** A user's own state in a call. */
interface CallStateRequest {
  readonly guild_id?: string | null | undefined;
  /** Id of a lobby. Voice states in lobbies use it as their channel id. */
  readonly channel_id: string | null;
  readonly self_mute: boolean;
  readonly self_deaf: boolean;
}

/**
 * Lets a user join the call of a lobby, change mute and deaf there, or leave it. Returns the reason when the request is
 * not permitted. A user is in one call per game, through the session that joined last. Joining another call leaves the
 * previous one, whichever session joined it.
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
    // The payload names no call, so the user leaves all calls in the game. This includes a call that an operation
    // began, and a call of a killed game whose session has not expired.
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
