import { mayKnowLobbies } from '../lobbies/listening.ts';
import type { Platform } from '../platform.ts';
import type { Writing } from '../world.ts';
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
 * Lets a person come into the call of a lobby, be silent there, or leave; why not, where they may not. A session is in one call: who
 * comes into another leaves it.
 */
export function changeCall(
  { id: session, listener }: Session,
  { guild_id, channel_id, self_mute, self_deaf }: CallStateAsked,
  { world }: Platform,
): string | undefined {
  const { user, application } = listener;
  if (!mayKnowLobbies(listener)) return 'the token lacks lobbies.write';
  if (typeof guild_id === 'string') return 'people are in calls of lobbies alone, which are in no guild';
  if (channel_id === null) {
    world.transaction((tables) => {
      leaveCalls(tables, session);
      // Whom an operation put into a call leaves it by any session of the game: the payload names none.
      for (const state of [...tables.lobby_voice_states.by('user', user)]) {
        const isOfGame = tables.lobbies.get(state.lobby)?.application === application.id;
        if (isOfGame && state.session === null)
          tables.lobby_voice_states.remove(`${state.lobby} ${state.user}`);
      }
    });
    return undefined;
  }
  const { lobbies, lobby_members } = world.tables;
  const isMember =
    lobbies.get(channel_id)?.application === application.id && lobby_members.has(channel_id, user);
  if (!isMember) return `${channel_id} is no lobby of the game that its user is in`;
  world.transaction((tables) => {
    const before = tables.lobby_voice_states.get(channel_id, user);
    leaveCalls(tables, session, channel_id);
    tables.lobby_voice_states.put({
      lobby: channel_id,
      user,
      // One that an operation began stays without a session; of another session of the user it is taken over.
      session: before?.session === null ? null : session,
      self_mute,
      self_deaf,
    });
  });
  return undefined;
}

/** A session is over for good: its user is in the call no more that they were in by it. */
export function hangUp({ id }: Session, { world }: Platform): void {
  if (world.tables.lobby_voice_states.by('session', id).size === 0) return;
  world.transaction((tables) => leaveCalls(tables, id));
}

function leaveCalls({ lobby_voice_states }: Writing, session: string, except?: string): void {
  for (const { lobby, user } of [...lobby_voice_states.by('session', session)]) {
    if (lobby !== except) lobby_voice_states.remove(`${lobby} ${user}`);
  }
}
