import { ApiError, generalError, invalidForm, missingAccess } from '../api/api-error.ts';
import type { Reading } from '../api/world.ts';
import type { Lobby, LobbyMember } from './records.ts';

/** Error with status 400 and the general code, because the platform has no specific code for the refusal. */
export function refused(message: string): ApiError {
  return generalError(400, message);
}

/** A lobby of an application. @throws ApiError 10031 for an unknown id, 50001 for a lobby of another application. */
export function lobbyOf({ lobbies }: Reading, application: string, lobbyId: string): Lobby {
  const lobby = lobbies.get(lobbyId);
  if (lobby === undefined) throw new ApiError('UnknownLobby');
  if (lobby.application !== application) throw missingAccess();
  return lobby;
}

/**
 * A lobby and the user's membership in it. @throws ApiError 50001 for a user who is not a member, and the errors of
 * {@link lobbyOf}.
 */
export function lobbyWith(
  tables: Reading,
  { clientId, userId }: { readonly clientId: string; readonly userId: string },
  lobbyId: string,
): { readonly lobby: Lobby; readonly member: LobbyMember } {
  const lobby = lobbyOf(tables, clientId, lobbyId);
  const member = tables.lobby_members.get(lobby.id, userId);
  if (member === undefined) throw missingAccess();
  return { lobby, member };
}

/** Metadata of a request, and the path of the metadata in the body. */
type Sent = readonly [
  value: Readonly<Record<string, string>> | null | undefined,
  ...path: (string | number)[],
];

/**
 * Checks metadata of a request. @throws ApiError 50035 when the keys and values of one metadata object together exceed
 * the limit.
 */
export function checkMetadata({ lobby_metadata_limit: limit }: Reading, ...sent: readonly Sent[]): void {
  const faults = sent.flatMap(([value, ...path]) => {
    const length = Object.entries(value ?? {}).reduce(
      (sum, [key, text]) => sum + key.length + text.length,
      0,
    );
    if (length <= limit.value) return [];
    const message = `Must be ${limit.value} or fewer in total length.`;
    return [{ path, code: 'BASE_TYPE_MAX_LENGTH', message }];
  });
  if (faults.length > 0) throw invalidForm(faults);
}
