import { SettingError } from '../kernel/errors.ts';
import type { Messages } from '../messages/messages.ts';
import { asSettingError, checkText } from '../messages/refusal-text.ts';
import { joinCall } from './calls.ts';
import { goOut, joinBySecret } from './members.ts';
import { type LobbyPlatform, sendLobbyMessage } from './messages.ts';
import {
  type Lobby,
  type LobbyMember,
  type LobbyMessage,
  type LobbyVoiceState,
  MAX_SECRET_LENGTH,
  rewritten,
} from './records.ts';

/** Lobby actions of other users' games, for tests that simulate them. */
export class Lobbies {
  readonly #platform: LobbyPlatform;
  readonly #messages: Messages;

  constructor(platform: LobbyPlatform, messages: Messages) {
    this.#platform = platform;
    this.#messages = messages;
  }

  /** Adds a user to the lobby with a secret; creates the lobby when none has this secret. @throws SettingError */
  join(application: string, secret: string, userId: string): Lobby {
    if (secret.length < 1 || secret.length > MAX_SECRET_LENGTH) {
      throw new SettingError('secret', `must be of 1 to ${MAX_SECRET_LENGTH} characters`);
    }
    return asSettingError(
      () => joinBySecret(this.#platform, { application, secret, member: { id: userId } }),
      'user',
    );
  }

  /**
   * Removes a member from a lobby, whatever created the lobby. @throws SettingError for a user who is not in the lobby.
   */
  leave(lobbyId: string, userId: string): void {
    const { lobby } = this.#in(lobbyId, userId);
    this.#platform.world.transaction((tables) => goOut(tables, lobby, userId));
  }

  /**
   * Adds a member to the call of a lobby, or changes their voice state. The call has no gateway session, so the member
   * does not leave when a session ends. @throws SettingError
   */
  joinCall(
    lobbyId: string,
    userId: string,
    { mute = false, deaf = false }: { readonly mute?: boolean; readonly deaf?: boolean } = {},
  ): Omit<LobbyVoiceState, 'session'> {
    const state = {
      lobby: this.#in(lobbyId, userId).lobby.id,
      user: userId,
      self_mute: mute,
      self_deaf: deaf,
    };
    this.#platform.world.transaction((tables) => joinCall(tables, { ...state, session: null }));
    return state;
  }

  /** Removes a member from the call of a lobby; false when the member is not in the call. @throws SettingError */
  leaveCall(lobbyId: string, userId: string): boolean {
    this.#in(lobbyId, userId);
    return this.#platform.world.transaction(({ lobby_voice_states }) =>
      lobby_voice_states.remove(`${lobbyId} ${userId}`),
    );
  }

  /** Sends a message as a member. @throws SettingError */
  send(lobbyId: string, userId: string, content: string): LobbyMessage {
    checkText(content);
    const location = this.#in(lobbyId, userId);
    return asSettingError(() => sendLobbyMessage(this.#platform, location, { content }));
  }

  /** Changes the content of a message in the lobby and in the linked channel. @throws SettingError */
  edit(id: string, content: string): LobbyMessage {
    const message = this.#find(id);
    checkText(content);
    const { world, clock } = this.#platform;
    if (this.#isInChannel(message)) {
      // A state rule copies the changed channel message to the lobby.
      this.#messages.edit(id, content);
      return this.#find(id);
    }
    const edited_timestamp = new Date(clock.now()).toISOString();
    return world.transaction(({ lobby_messages }) =>
      lobby_messages.replace(rewritten(message, { content, edited_timestamp })),
    );
  }

  /** Deletes a message in the lobby and in the linked channel. @throws SettingError */
  remove(id: string): LobbyMessage {
    const message = this.#find(id);
    if (this.#isInChannel(message)) this.#messages.remove(id);
    else this.#platform.world.transaction(({ lobby_messages }) => lobby_messages.remove(id));
    return message;
  }

  #isInChannel({ id, channel }: LobbyMessage): boolean {
    const channelCopy = this.#platform.world.tables.messages.get(id);
    return channelCopy !== undefined && channelCopy.channel === channel;
  }

  #in(lobbyId: string, userId: string): { readonly lobby: Lobby; readonly member: LobbyMember } {
    const { lobbies, lobby_members, users } = this.#platform.world.tables;
    const lobby = lobbies.get(lobbyId);
    if (lobby === undefined)
      throw new SettingError('lobby', `there is no lobby ${JSON.stringify(lobbyId.slice(0, 20))}`);
    const member = lobby_members.get(lobbyId, userId);
    if (member !== undefined) return { lobby, member };
    throw new SettingError('user', `${users.get(userId)?.username ?? userId} is not in the lobby`);
  }

  #find(id: string): LobbyMessage {
    const message = this.#platform.world.tables.lobby_messages.get(id);
    if (message !== undefined) return message;
    throw new SettingError('', `there is no message ${JSON.stringify(id.slice(0, 20))} of a lobby`);
  }
}
