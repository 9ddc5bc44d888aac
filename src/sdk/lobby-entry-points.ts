import type { CallbackOf } from './callbacks.ts';
import { idText, metadataOf, needText } from './checks.ts';
import type { Core } from './core.ts';
import type { LobbyHandle } from './lobby-handle.ts';
import type { MessageHandle } from './message-handle.ts';
import type { Outcome } from './outcome.ts';
import { idOf } from './raw.ts';
import { type ClientResult, type ResultCallback, ValidationError } from './result.ts';
import { type Id, uint64 } from './values.ts';

/** Gets the lobby; 0 on failure. */
export type LobbyCallback = (result: ClientResult, lobbyId: bigint) => void;
/** Gets the message's id; 0 on failure. */
export type SendMessageCallback = (result: ClientResult, messageId: bigint) => void;
/** Gets messages, newest first; none on failure. */
export type MessagesCallback = (result: ClientResult, messages: MessageHandle[]) => void;

type Texts = Readonly<Record<string, string>>;

/** Most messages that the service tells at once. */
const MOST_MESSAGES = 200;

/** Lobbies, and what is said in them. */
export class LobbyEntryPoints {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  /** Joins the lobby behind a secret, which is made when there is none. */
  CreateOrJoinLobby(
    secret: string,
    callback?: LobbyCallback,
  ): Promise<Outcome<{ readonly lobbyId: bigint }>> {
    return this.#join('CreateOrJoinLobby', () => ({ secret: needText('secret', secret) }), callback);
  }

  /**
   * The same, with what is said of the lobby and of the player in it. What is said of a lobby that is there already takes the place
   * of all that was: to leave it as it is, join by `CreateOrJoinLobby`.
   */
  CreateOrJoinLobbyWithMetadata(
    secret: string,
    lobbyMetadata: Texts,
    memberMetadata: Texts,
    callback?: LobbyCallback,
  ): Promise<Outcome<{ readonly lobbyId: bigint }>> {
    const body = (): object => ({
      secret: needText('secret', secret),
      lobby_metadata: metadataOf('lobbyMetadata', lobbyMetadata),
      member_metadata: metadataOf('memberMetadata', memberMetadata),
    });
    return this.#join('CreateOrJoinLobbyWithMetadata', body, callback);
  }

  LeaveLobby(lobbyId: Id, callback?: ResultCallback): Promise<Outcome> {
    const work = async (): Promise<object> => {
      const id = idText('lobbyId', lobbyId);
      const { lobbies, calls, service } = this.#core;
      const left = lobbies.leaving(id);
      await service.ask('DELETE', `/lobbies/${id}/members/@me`);
      if (left()) calls.hear('LOBBY_DELETE', { id });
      return {};
    };
    return this.#core.settle('LeaveLobby', {}, work, callback, (call, { result }) => call(result));
  }

  /** A lobby that the player is in; undefined for any other. */
  GetLobbyHandle(lobbyId: Id): LobbyHandle | undefined {
    return this.#core.lobbies.get(uint64('lobbyId', lobbyId));
  }

  /** The lobbies that the player is in. */
  GetLobbyIds(): bigint[] {
    return this.#core.lobbies.ids();
  }

  SendLobbyMessage(
    lobbyId: Id,
    content: string,
    callback?: SendMessageCallback,
  ): Promise<Outcome<{ readonly messageId: bigint }>> {
    return this.#send('SendLobbyMessage', lobbyId, content, {}, callback);
  }

  /** The same, with texts of the game that nobody is shown. */
  SendLobbyMessageWithMetadata(
    lobbyId: Id,
    content: string,
    metadata: Texts,
    callback?: SendMessageCallback,
  ): Promise<Outcome<{ readonly messageId: bigint }>> {
    return this.#send('SendLobbyMessageWithMetadata', lobbyId, content, metadata, callback);
  }

  /** The last messages of a lobby, of 72 hours, newest first; 200 at most. */
  GetLobbyMessagesWithLimit(
    lobbyId: Id,
    limit: number,
    callback?: MessagesCallback,
  ): Promise<Outcome<{ readonly messages: MessageHandle[] }>> {
    const work = async (): Promise<{ messages: MessageHandle[] }> => {
      const path = `/lobbies/${idText('lobbyId', lobbyId)}/messages?limit=${limitOf(limit)}`;
      const { messages, service } = this.#core;
      const take = messages.taking();
      return { messages: (await service.list(path)).map(take) };
    };
    const empty = { messages: [] as MessageHandle[] };
    return this.#core.settle(
      'GetLobbyMessagesWithLimit',
      empty,
      work,
      callback,
      (call, { result, messages }) => call(result, messages),
    );
  }

  /** Called with each lobby that the player comes into. Undefined ends it, here and below. */
  SetLobbyCreatedCallback(callback: CallbackOf<'SetLobbyCreatedCallback'> | undefined): void {
    this.#core.callbacks.set('SetLobbyCreatedCallback', callback);
  }

  SetLobbyUpdatedCallback(callback: CallbackOf<'SetLobbyUpdatedCallback'> | undefined): void {
    this.#core.callbacks.set('SetLobbyUpdatedCallback', callback);
  }

  /** Called when a lobby is no more, or the player is in it no more. */
  SetLobbyDeletedCallback(callback: CallbackOf<'SetLobbyDeletedCallback'> | undefined): void {
    this.#core.callbacks.set('SetLobbyDeletedCallback', callback);
  }

  SetLobbyMemberAddedCallback(callback: CallbackOf<'SetLobbyMemberAddedCallback'> | undefined): void {
    this.#core.callbacks.set('SetLobbyMemberAddedCallback', callback);
  }

  SetLobbyMemberUpdatedCallback(callback: CallbackOf<'SetLobbyMemberUpdatedCallback'> | undefined): void {
    this.#core.callbacks.set('SetLobbyMemberUpdatedCallback', callback);
  }

  SetLobbyMemberRemovedCallback(callback: CallbackOf<'SetLobbyMemberRemovedCallback'> | undefined): void {
    this.#core.callbacks.set('SetLobbyMemberRemovedCallback', callback);
  }

  #join(
    name: string,
    body: () => object,
    callback: LobbyCallback | undefined,
  ): Promise<Outcome<{ readonly lobbyId: bigint }>> {
    const work = async (): Promise<{ lobbyId: bigint }> => {
      const { lobbies, service } = this.#core;
      const take = lobbies.taking();
      const lobby = await service.made('PUT', '/lobbies', body());
      take(lobby);
      return { lobbyId: idOf(lobby['id']) };
    };
    return this.#core.settle(name, { lobbyId: 0n }, work, callback, (call, { result, lobbyId }) =>
      call(result, lobbyId),
    );
  }

  #send(
    name: string,
    lobbyId: Id,
    content: string,
    metadata: Texts,
    callback: SendMessageCallback | undefined,
  ): Promise<Outcome<{ readonly messageId: bigint }>> {
    const work = async (): Promise<{ messageId: bigint }> => {
      const said = metadataOf('metadata', metadata);
      const body = {
        content: needText('content', content),
        ...(Object.keys(said).length > 0 ? { metadata: said } : {}),
      };
      const path = `/lobbies/${idText('lobbyId', lobbyId)}/messages`;
      const { messages, service } = this.#core;
      const take = messages.taking();
      return { messageId: take(await service.made('POST', path, body)).Id() };
    };
    return this.#core.settle(name, { messageId: 0n }, work, callback, (call, { result, messageId }) =>
      call(result, messageId),
    );
  }
}

/** How many messages are asked for. Throws ValidationError. */
export function limitOf(limit: number): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= MOST_MESSAGES) return limit;
  throw new ValidationError(`limit: must be a whole number from 1 to ${MOST_MESSAGES}`);
}
