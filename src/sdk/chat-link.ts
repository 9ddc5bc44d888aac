import { ChatClient } from './chat-client.ts';
import type { Credentials } from './credentials.ts';
import type { Friends } from './friends.ts';
import type { Host } from './host.ts';
import type { Log } from './log.ts';
import type { PlayerData } from './player-data.ts';
import type { Presence } from './presence.ts';
import { ValidationError } from './result.ts';
import type { ClientSettings } from './settings.ts';

/** Events of the chat client that a game may subscribe to. */
export type ChatEvent =
  | 'AUTHORIZE_REQUEST'
  | 'ACTIVITY_INVITE'
  | 'ACTIVITY_JOIN_REQUEST'
  | 'ACTIVITY_JOIN'
  | 'VOICE_SETTINGS_UPDATE';

/** Parts of the client that the link to the chat client needs. */
export interface ChatLinkHost {
  readonly host: Pick<Host, 'createRpc'>;
  readonly settings: ClientSettings;
  readonly log: Log;
  readonly friends: Friends;
  readonly presence: Pick<Presence, 'chatReady' | 'chatLost' | 'leaveChat'>;
  readonly applicationId: bigint;
  readonly token: string | undefined;
  readonly timeoutMs: number;
  readonly credentials: Pick<Credentials, 'isTaken' | 'refused'>;
  readonly player: Pick<PlayerData, 'users'>;
}

/**
 * The chat client of the current application with its subscribed events. Also knows whether the chat client belongs to
 * the player.
 */
export class ChatLink {
  readonly #host: ChatLinkHost;
  /** Event handlers; they outlive the connection, and each new chat client receives them. */
  readonly #events = new Map<ChatEvent, (data: object) => void>();
  #client: ChatClient | undefined;
  /** The token that the chat client rejects. */
  #foreign: string | undefined;

  constructor(host: ChatLinkHost) {
    this.#host = host;
  }

  /** The chat client; undefined until the game has set its application. */
  get client(): ChatClient | undefined {
    return this.#client;
  }

  /** Returns the chat client. Throws ValidationError when no application is set. */
  need(): ChatClient {
    if (this.#client) return this.#client;
    throw new ValidationError('applicationId: is unset; call SetApplicationId first');
  }

  /** Starts the search for the application's chat client. */
  start(): void {
    const { host, friends, presence, applicationId, settings, log } = this.#host;
    void this.#client?.close();
    friends.forget();
    const chat = new ChatClient({
      createRpc: (options) => host.createRpc(options),
      applicationId,
      endpoint: settings,
      log,
      timeoutMs: () => this.#host.timeoutMs,
      token: () => (this.isForeign ? undefined : this.#host.token),
      onTokenRefused: () => {
        friends.forget();
        if (this.#host.token !== undefined) void this.#refused(this.#host.token);
      },
      onReady: () => {
        if (this.#host.token !== undefined && !this.isForeign) void friends.load(chat);
        void presence.chatReady(chat);
      },
      onLost: () => presence.chatLost(),
    });
    for (const [event, handler] of this.#events) chat.want(event, handler as (data: unknown) => void);
    this.#client = chat;
  }

  /** Subscribes to an event of the chat client; an undefined handler unsubscribes. */
  want(event: ChatEvent, handler: ((data: object) => void) | undefined): void {
    if (handler === undefined) {
      this.#events.delete(event);
      this.#client?.unwant(event);
      return;
    }
    this.#events.set(event, handler);
    this.#client?.want(event, handler as (data: unknown) => void);
  }

  /**
   * Whether the chat client's user differs from the token's user. Such a chat client would show activities and send
   * invites only for its own user.
   */
  get isForeign(): boolean {
    const { token, player } = this.#host;
    if (token === undefined) return false;
    const { state, user } = this.#client?.rpc ?? {};
    const { myId } = player.users;
    return token === this.#foreign || (state === 'ready' && myId !== undefined && user?.id !== myId);
  }

  /**
   * Whether the service accepts a token that the chat client rejected: the token then belongs to another user than the
   * chat client's, such as a provisional account, and is not presented to the chat client again.
   */
  async isOfSomebodyElse(token: string): Promise<boolean> {
    this.#foreign = token;
    if (!(await this.#host.credentials.isTaken(token)) || this.#host.token !== token) return false;
    this.#host.presence.leaveChat();
    return true;
  }

  async #refused(token: string): Promise<void> {
    if (!(await this.isOfSomebodyElse(token))) this.#host.credentials.refused(token);
  }
}
