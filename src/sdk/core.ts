import { Authorization } from './authorization.ts';
import { Callbacks } from './callbacks.ts';
import { followEvents } from './chat-events.ts';
import { ChatLink } from './chat-link.ts';
import { Credentials } from './credentials.ts';
import type { ClientStatus } from './enums.ts';
import { Friends } from './friends.ts';
import type { Host } from './host.ts';
import { ABSENT, CDN, hostOf, type Known, type Presence as ReceivedPresence } from './known.ts';
import { Log } from './log.ts';
import { Merge } from './merge.ts';
import { wasLeft } from './outcome.ts';
import { PlayerData } from './player-data.ts';
import { Presence } from './presence.ts';
import { objectsOf } from './raw.ts';
import { Service } from './service.ts';
import { Session } from './session.ts';
import type { ClientSettings } from './settings.ts';
import { TokenService } from './tokens.ts';

/** The parts of one client that all entry points share; starts and ends them. */
export class Core {
  /** Node or a page. */
  readonly host: Host;
  readonly api: string;
  /** The service's web site. */
  readonly webBase: string;
  readonly settings: ClientSettings;
  readonly log = new Log();
  readonly callbacks: Callbacks = new Callbacks((name) => followEvents(this, name));
  /** Friends from the chat client. */
  readonly friends: Friends;
  readonly service: Service;
  readonly tokens: TokenService;
  readonly authorization: Authorization;
  readonly merge = new Merge();
  readonly credentials: Credentials;
  readonly player: PlayerData;
  readonly presence: Presence;
  readonly session: Session;
  readonly chat: ChatLink;
  timeoutMs = 30_000;
  #applicationId = 0n;
  #isDestroyed = false;

  constructor(host: Host, api: string, webBase: string, settings: ClientSettings) {
    this.host = host;
    this.api = api;
    this.webBase = webBase;
    this.settings = settings;
    this.friends = new Friends(this.log, (id) =>
      this.callbacks.notify('SetRelationshipGroupsUpdatedCallback', id),
    );
    this.service = new Service({
      api,
      timeoutMs: () => this.timeoutMs,
      token: () => this.token,
      refused: (token) => this.credentials.refused(token),
    });
    this.tokens = new TokenService(() => ({ api, timeoutMs: this.timeoutMs }), this.log);
    this.player = new PlayerData(this);
    this.presence = new Presence(this);
    this.session = new Session(this);
    this.credentials = new Credentials(this);
    this.chat = new ChatLink(this);
    this.authorization = new Authorization({
      log: this.log,
      host,
      settings,
      webBase,
      applicationId: () => this.applicationId,
      chat: () => this.chat.need(),
      authenticated: () => this.credentials.wasPresented,
    });
  }

  /** Value of `SetApplicationId`; 0n before the first call. */
  get applicationId(): bigint {
    return this.#applicationId;
  }

  /** Whether the game has called `Disconnect`, without `Connect` since. */
  get isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  get token(): string | undefined {
    return this.credentials.token;
  }

  get status(): ClientStatus {
    return this.session.status;
  }

  /** Sets the game's application; ends the presence and the token of the previous one. */
  useApplication(id: bigint): void {
    this.#applicationId = id;
    this.presence.clear();
    this.session.gateway.disconnect();
    this.player.forget();
    this.credentials.clear();
    if (!this.#isDestroyed) this.chat.start();
  }

  /** Ends pending requests, the presence and the connections. */
  async leave(): Promise<void> {
    const { client } = this.chat;
    this.#isDestroyed = true;
    this.presence.disconnected();
    this.service.giveUp(wasLeft());
    this.merge.giveUp(wasLeft());
    this.credentials.pause();
    this.session.gateway.disconnect();
    this.player.forget();
    await client?.close();
  }

  /** Restores the connections and the presence that `leave` ended. */
  comeBack(): void {
    if (!this.#isDestroyed) return;
    if (this.#applicationId !== 0n) this.chat.start();
    this.#isDestroyed = false;
    this.credentials.resume();
  }

  /** Data of a user besides the account. */
  known(id: string): Known {
    const { chat, friends, player, applicationId } = this;
    const { relationships, users } = player;
    const { state, config, user } = chat.client?.rpc ?? {};
    const isMe = id === (users.myId ?? (state === 'ready' ? user?.id : undefined));
    const receivedPresence = (): ReceivedPresence =>
      relationships.presence(id) ?? friends.presence(id) ?? ABSENT;
    return {
      bond: (relationships.isLoaded ? relationships : friends).bond(id),
      presence: isMe ? this.#ownPresence() : receivedPresence(),
      applicationId,
      cdn: hostOf(config?.cdn_host) ?? CDN,
    };
  }

  /**
   * Presence of the player. Without a session it comes from the chat client, which does not send the player's own
   * status.
   */
  #ownPresence(): ReceivedPresence {
    const status = this.player.users.me === undefined ? 'unknown' : this.session.onlineStatus;
    return { status, activities: objectsOf([this.presence.activity]) };
  }
}
