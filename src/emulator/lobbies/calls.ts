import type { Reading, Writing } from '../api/world.ts';
import type { LobbyVoiceState } from './call-records.ts';

/**
 * Puts somebody into the call of a lobby, or changes how they are in it, in this transaction; undefined for whoever is not in the
 * lobby. Their session is that of the gateway by which they come, null for an operation. A person is in one call of a game: the one
 * before, whichever session began it, is left, unless an operation began it, which lasts until the game leaves.
 */
export function joinCall(tables: Writing, joining: LobbyVoiceState): LobbyVoiceState | undefined {
  const { lobby, user, session } = joining;
  const application = tables.lobbies.get(lobby)?.application;
  if (application === undefined || !tables.lobby_members.has(lobby, user)) return undefined;
  const others = callsOf(tables, user, application).filter((call) => call.lobby !== lobby);
  leaveCalls(
    tables,
    others.filter((call) => call.session !== null),
  );
  const before = tables.lobby_voice_states.get(lobby, user);
  return tables.lobby_voice_states.put({
    ...joining,
    // One that an operation began stays without a session, and one of a session stays with the last that spoke of it.
    session: before === undefined ? session : before.session === null ? null : (session ?? before.session),
  });
}

/** The calls of a game that a user is in. */
export function callsOf(
  { lobby_voice_states, lobbies }: Reading,
  user: string,
  application: string,
): LobbyVoiceState[] {
  return [...lobby_voice_states.by('user', user)].filter(
    ({ lobby }) => lobbies.get(lobby)?.application === application,
  );
}

/** Takes members out of calls, in this transaction. */
export function leaveCalls({ lobby_voice_states }: Writing, calls: readonly LobbyVoiceState[]): void {
  for (const { lobby, user } of calls) lobby_voice_states.remove(`${lobby} ${user}`);
}
