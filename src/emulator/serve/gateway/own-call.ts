import type { Base } from '../../api/world.ts';
import { callsOf, joinCall, leaveCalls } from '../../lobbies/calls.ts';
import { mayKnowLobbies } from '../../lobbies/listening.ts';
import type { Session } from './session.ts';

/** What a person says of themselves in a call. */
interface CallStateAsked {
  readonly guild_id?: string | null | undefined;
  /** Of a lobby: its voice states have its id for that of the channel. */
  readonly channel_id: string | null;
  readonly self_mute: boolean;
  readonly self_deaf: boolean;
}

/**
 * Lets a person come into the call of a lobby, be silent there, or leave; why not, where they may not. A person is in one call of a
 * game, by the session that spoke of it last: who comes into another leaves the one before, whichever session that was begun by.
 */
export function changeCall(
  { id: session, listener }: Session,
  { guild_id, channel_id, self_mute, self_deaf }: CallStateAsked,
  { world }: Base,
): string | undefined {
  const { user, application } = listener;
  if (!mayKnowLobbies(listener)) return 'the token lacks lobbies.write';
  if (typeof guild_id === 'string') return 'people are in calls of lobbies alone, which are in no guild';
  if (channel_id === null) {
    // By any session of the game, because the payload names no call: also one that an operation began, and one of a game that
    // was killed, whose session is not over yet.
    world.transaction((tables) => leaveCalls(tables, callsOf(tables, user, application.id)));
    return undefined;
  }
  const isOfGame = world.tables.lobbies.get(channel_id)?.application === application.id;
  const joining = { lobby: channel_id, user, session, self_mute, self_deaf };
  const joined = isOfGame ? world.transaction((tables) => joinCall(tables, joining)) : undefined;
  return joined === undefined ? `${channel_id} is no lobby of the game that its user is in` : undefined;
}

/** A session is over for good: its user is in the call no more that they were in by it. */
export function hangUp({ id }: Session, { world }: Base): void {
  if (world.tables.lobby_voice_states.by('session', id).size === 0) return;
  world.transaction((tables) => leaveCalls(tables, [...tables.lobby_voice_states.by('session', id)]));
}
