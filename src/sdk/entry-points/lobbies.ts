import { idText, metadataOf, needText } from '../checks.ts';
import type { Core } from '../core.ts';
import type { LobbyHandle } from '../lobby-handle.ts';
import { idOf } from '../raw.ts';
import type { ClientResult } from '../result.ts';
import { type Id, uint64 } from '../values.ts';
import { limitOf, MESSAGE, MESSAGES, messageBody, type Texts } from './message-values.ts';
import { action, callbackValues, method, request } from './row.ts';

/** Gets the lobby; 0 on failure. */
export type LobbyCallback = (result: ClientResult, lobbyId: bigint) => void;

const LOBBY = callbackValues({ lobbyId: 0n }, (call: LobbyCallback, { result, lobbyId }) =>
  call(result, lobbyId),
);

/** Entry points for lobbies and the messages in them. */
export const LOBBIES = {
  /** Joins the lobby with a secret; the service creates a missing lobby. */
  CreateOrJoinLobby: request(LOBBY, async (core, secret: string) =>
    join(core, { secret: needText('secret', secret) }),
  ),

  /**
   * Joins a lobby like `CreateOrJoinLobby`, and sets metadata of the lobby and of the player as a member. The metadata
   * replaces all metadata of an existing lobby: use `CreateOrJoinLobby` to keep the metadata unchanged.
   */
  CreateOrJoinLobbyWithMetadata: request(
    LOBBY,
    async (core, secret: string, lobbyMetadata: Texts, memberMetadata: Texts) =>
      join(core, {
        secret: needText('secret', secret),
        lobby_metadata: metadataOf('lobbyMetadata', lobbyMetadata),
        member_metadata: metadataOf('memberMetadata', memberMetadata),
      }),
  ),

  LeaveLobby: action(async ({ player, service }, lobbyId: Id) => {
    const id = idText('lobbyId', lobbyId);
    const left = player.lobbies.leaving(id);
    await service.request('DELETE', `/lobbies/${id}/members/@me`);
    if (left()) player.calls.handleEvent('LOBBY_DELETE', { id });
  }),

  /** Returns a lobby that the player is in; undefined for any other lobby. */
  GetLobbyHandle: method(({ player }, lobbyId: Id): LobbyHandle | undefined =>
    player.lobbies.get(uint64('lobbyId', lobbyId)),
  ),

  /** The lobbies that the player is in. */
  GetLobbyIds: method(({ player }): bigint[] => player.lobbies.ids()),

  SendLobbyMessage: request(MESSAGE, async (core, lobbyId: Id, content: string) =>
    send(core, lobbyId, content, {}),
  ),

  /** Sends a message like `SendLobbyMessage`, with metadata of the game, which chat clients do not display. */
  SendLobbyMessageWithMetadata: request(
    MESSAGE,
    async (core, lobbyId: Id, content: string, metadata: Texts) => send(core, lobbyId, content, metadata),
  ),

  /** Messages of a lobby in the last 72 hours, newest first; at most 200. */
  GetLobbyMessagesWithLimit: request(MESSAGES, async ({ player, service }, lobbyId: Id, limit: number) => {
    const path = `/lobbies/${idText('lobbyId', lobbyId)}/messages?limit=${limitOf(limit)}`;
    const take = player.messages.taking();
    return { messages: (await service.list(path)).map(take) };
  }),
};

async function join({ player, service }: Core, body: object): Promise<{ lobbyId: bigint }> {
  const take = player.lobbies.taking();
  const lobby = await service.made('PUT', '/lobbies', body);
  take(lobby);
  return { lobbyId: idOf(lobby['id']) };
}

async function send(
  { player, service }: Core,
  lobbyId: Id,
  content: string,
  metadata: Texts,
): Promise<{ messageId: bigint }> {
  const body = messageBody(content, metadata);
  const path = `/lobbies/${idText('lobbyId', lobbyId)}/messages`;
  const take = player.messages.taking();
  return { messageId: take(await service.made('POST', path, body)).Id() };
}
