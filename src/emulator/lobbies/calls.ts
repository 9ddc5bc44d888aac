import type { Reading, Writing } from '../api/world.ts';
import type { LobbyVoiceState } from './records.ts';

/**
 * Adds a member to the call of a lobby, or changes their voice state, within the current transaction; undefined for a
 * user who is not in the lobby. `session` is the gateway session, or null for an operator operation. A user is in one
 * call of a game at a time, so the previous call ends. A call that an operation began does not end then; it lasts until
 * the game leaves the call.
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
    // A call that an operation began stays without a session. Any other call has the session of its last change.
    session: before === undefined ? session : before.session === null ? null : (session ?? before.session),
  });
}

/** The calls that a user is in within one game. */
export function callsOf(
  { lobby_voice_states, lobbies }: Reading,
  user: string,
  application: string,
): LobbyVoiceState[] {
  return [...lobby_voice_states.by('user', user)].filter(
    ({ lobby }) => lobbies.get(lobby)?.application === application,
  );
}

/** Removes members from calls, within the current transaction. */
export function leaveCalls({ lobby_voice_states }: Writing, calls: readonly LobbyVoiceState[]): void {
  for (const { lobby, user } of calls) lobby_voice_states.remove(`${lobby} ${user}`);
}
