import { Callbacks } from './callbacks.ts';
import { Calls } from './calls.ts';
import { Channels } from './channels.ts';
import { ChatClient } from './chat-client.ts';
import { ClientStatus, type ConnectionError, LoggingSeverity } from './enums.ts';
import { Friends } from './friends.ts';
import { Gateway, type Told } from './gateway.ts';
import type { Host } from './host.ts';
import { Invites } from './invites.ts';
import { ABSENT, CDN, hostOf, type Known, type Presence as ToldPresence } from './known.ts';
import { Lobbies } from './lobbies.ts';
import { Log } from './log.ts';
import { Merge } from './merge.ts';
import { Messages } from './messages.ts';
import { type Outcome, settle, wasLeft } from './outcome.ts';
import { inPatience, LastWord } from './patience.ts';
import { Presence } from './presence.ts';
import { member, objectsOf, text as textOf } from './raw.ts';
import { Relationships } from './relationships.ts';
import { ValidationError } from './result.ts';
import { Service } from './service.ts';
import type { ClientSettings } from './settings.ts';
import { TokenEnds } from './token-ends.ts';
import { Users } from './users.ts';
import { optionalCallable } from './values.ts';

/** Events of the chat client that a game may ask for. */
type Wanted =
  | 'AUTHORIZE_REQUEST'
  | 'ACTIVITY_INVITE'
  | 'ACTIVITY_JOIN_REQUEST'
  | 'ACTIVITY_JOIN'
  | 'VOICE_SETTINGS_UPDATE';

/** What all entry points of one client share. */
export class Core {
  /** Where the game runs. */
  readonly host: Host;
  readonly api: string;
  /** The service's web site. */
  readonly webBase: string;
  readonly settings: ClientSettings;
  readonly log = new Log();
  readonly callbacks = new Callbacks();
  readonly friends = new Friends(this.log, (id) =>
    this.callbacks.tell('SetRelationshipGroupsUpdatedCallback', id),
  );
  readonly users = new Users({
    changed: (id) => this.callbacks.tell('SetUserUpdatedCallback', id),
    known: (id) => this.#known(id),
  });
  readonly lobbies = new Lobbies(this.callbacks, this.users);
  readonly channels = new Channels(this.lobbies);
  readonly invites = new Invites(this.callbacks);
  readonly messages = new Messages(this.callbacks, this, (invite) => this.invites.take(invite));
  readonly merge = new Merge();
  readonly relationships = new Relationships(this.callbacks, this.users, this.log);
  readonly calls = new Calls({
    log: this.log,
    lobbies: this.lobbies,
    users: this.users,
    callbacks: this.callbacks,
    status: () => this.status,
    timeoutMs: () => this.timeoutMs,
    say: (channelId, self) => this.gateway.speak(channelId, self),
  });
  readonly service: Service;
  readonly gateway: Gateway;
  readonly presence: Presence;
  /** Kept for each chat client that is started anew, because it outlives the connection. */
  readonly #events = new Map<Wanted, (data: object) => void>();
  /** The token that the chat client does not take. */
  #foreign: string | undefined;
  readonly #ends = new TokenEnds(() => this.callbacks.tell('SetTokenExpirationCallback'));
  applicationId = 0n;
  chat: ChatClient | undefined;
  token: string | undefined;
  status: ClientStatus = ClientStatus.Disconnected;
  /** How the player is there, in the gateway's words. */
  onlineStatus = 'online';
  timeoutMs = 30_000;
  isDestroyed = false;
  /** How often all was forgotten that was told to a player: somebody else may be there. */
  age = 0;
  /** A token was presented, by which a connection to the chat client may be bound. */
  wasPresented = false;
  /** Until it is known once who the player's friends are. */
  #loading: Promise<void> | undefined;
  /** How far the session is said to be. */
  readonly #word = new LastWord();

  constructor(host: Host, api: string, webBase: string, settings: ClientSettings) {
    this.host = host;
    this.api = api;
    this.webBase = webBase;
    this.settings = settings;
    this.service = new Service({
      api,
      timeoutMs: () => this.timeoutMs,
      token: () => this.token,
      refused: (token) => this.refused(token),
    });
    this.gateway = new Gateway({
      log: this.log,
      address: async () => textOf((await this.service.object('GET', '/gateway'))['url']),
      openSocket: (address) => host.openSocket(address),
      timeoutMs: () => this.timeoutMs,
      token: () => this.token,
      presence: () => this.presence.forSession(),
      onlineStatus: () => this.onlineStatus,
      status: (status, error, detail) => this.#session(status, error, detail),
      dispatch: (event, data) => this.#hear(event, data),
      refused: (token) => void this.#noSession(token),
      isOfSomebodyElse: (token) => this.#isOfSomebodyElse(token),
    });
    this.presence = new Presence(this);
  }

  /**
   * Runs an entry point of a client that was not disconnected. Throws TypeError for a callback that is no function; whatever else
   * goes wrong is told by the outcome.
   */
  settle<T extends object, Callback>(
    name: string,
    empty: T,
    work: () => Promise<T>,
    callback: Callback | undefined,
    report: (callback: Callback, outcome: Outcome<T>) => void,
  ): Promise<Outcome<T>> {
    const alive = async (): Promise<T> => {
      if (this.isDestroyed) throw wasLeft();
      return work();
    };
    return this.settleToken(name, empty, alive, callback, report);
  }

  /** The same of one about tokens, which are also got and presented for the next `Connect`. */
  settleToken<T extends object, Callback>(
    name: string,
    empty: T,
    work: () => Promise<T>,
    callback: Callback | undefined,
    report: (callback: Callback, outcome: Outcome<T>) => void,
  ): Promise<Outcome<T>> {
    const call = optionalCallable('callback', callback);
    return settle(this.log, name, empty, work, (outcome) => {
      if (call !== undefined) report(call, outcome);
    });
  }

  /** Ends what is under way, and what is shown and connected. */
  async leave(): Promise<void> {
    const { chat } = this;
    this.isDestroyed = true;
    this.presence.disconnected();
    this.service.giveUp(wasLeft());
    this.merge.giveUp(wasLeft());
    this.#ends.watch(undefined);
    this.gateway.disconnect();
    this.#forget();
    await chat?.close();
  }

  /** Takes up again what `leave` has ended. */
  comeBack(): void {
    if (!this.isDestroyed) return;
    if (this.applicationId !== 0n) this.startChat();
    this.isDestroyed = false;
    this.#ends.watch(this.token);
  }

  needChat(): ChatClient {
    if (this.chat) return this.chat;
    throw new ValidationError('applicationId: is unset; call SetApplicationId first');
  }

  /** What was shown, and whose token it was, is of another application. */
  otherGame(): void {
    this.presence.clear();
    this.gateway.disconnect();
    this.#forget();
    this.token = undefined;
    this.#ends.watch(undefined);
  }

  /** Looks for the chat client of the application from now on. */
  startChat(): void {
    void this.chat?.close();
    this.friends.forget();
    const chat = new ChatClient({
      createRpc: (options) => this.host.createRpc(options),
      applicationId: this.applicationId,
      place: this.settings,
      log: this.log,
      timeoutMs: () => this.timeoutMs,
      token: () => (this.isChatForeign ? undefined : this.token),
      onTokenRefused: () => {
        this.friends.forget();
        if (this.token !== undefined) void this.#refusedByChat(this.token);
      },
      onReady: () => {
        if (this.token !== undefined && !this.isChatForeign) void this.friends.load(chat);
        void this.presence.chatReady(chat);
      },
      onGone: () => this.presence.chatGone(),
    });
    for (const [event, handler] of this.#events) chat.want(event, handler as (data: unknown) => void);
    this.chat = chat;
  }

  /** Wants an event of the chat client from now on; without a handler no more. */
  want(event: Wanted, handler: ((data: object) => void) | undefined): void {
    if (handler === undefined) {
      this.#events.delete(event);
      this.chat?.unwant(event);
      return;
    }
    this.#events.set(event, handler);
    this.chat?.want(event, handler as (data: unknown) => void);
  }

  /** This token is not taken any more: it is forgotten, and the game is asked for another. */
  refused(token: string): void {
    if (this.token !== token) return;
    this.token = undefined;
    this.#ends.watch(undefined);
    this.presence.leave();
    this.gateway.refuse(401);
    const message =
      'The access token is not valid any more; call RefreshToken and UpdateToken, then Connect for a session';
    this.log.tell(LoggingSeverity.Warning, message);
    this.#ends.ended(token);
  }

  /**
   * Whether the service takes the token that a chat client has refused: then it is of somebody else than the user of that, such
   * as a provisional account, and the chat client is not asked with it again.
   */
  async isForeign(token: string): Promise<boolean> {
    this.#foreign = token;
    const isTaken = this.status === ClientStatus.Ready || (await this.service.takes(token)) === true;
    if (!isTaken || this.token !== token) return false;
    this.presence.leaveChat();
    return true;
  }

  /** Whether the chat client is somebody else's than whose token it is: then it shows and invites for them alone. */
  get isChatForeign(): boolean {
    if (this.token === undefined) return false;
    const { state, user } = this.chat?.rpc ?? {};
    const { myId } = this.users;
    return this.token === this.#foreign || (state === 'ready' && myId !== undefined && user?.id !== myId);
  }

  /** The gateway takes no session by this token, which may be for its scopes alone. */
  async #noSession(token: string): Promise<void> {
    if (this.isDestroyed) return;
    const isTaken = (await this.service.takes(token)) === true;
    if (this.isDestroyed) return;
    if (isTaken) {
      const message = 'Connect: the token opens no session; it needs the scopes gateway.connect and identify';
      this.log.tell(LoggingSeverity.Error, message);
    } else this.refused(token);
  }

  async #refusedByChat(token: string): Promise<void> {
    if (!(await this.isForeign(token))) this.refused(token);
  }

  /** A token was issued that ends in so many seconds: should it be presented, its end is known. */
  issued(token: string, seconds: number): void {
    this.#ends.issued(token, seconds);
  }

  /** Takes a token for all that is asked from now on. */
  present(token: string): void {
    const isOther = this.token !== token;
    if (isOther) this.presence.leave();
    // Without a session nobody says whose token it is.
    if (isOther && this.users.myId === undefined) this.#forget();
    this.token = token;
    if (isOther) {
      void this.presence.again();
      this.gateway.renew();
    }
    this.wasPresented = true;
    this.#ends.presented(token);
  }

  /** What is known of somebody besides their account. */
  #known(id: string): Known {
    const { relationships, friends } = this;
    const { state, config, user } = this.chat?.rpc ?? {};
    const isMe = id === (this.users.myId ?? (state === 'ready' ? user?.id : undefined));
    const told = (): ToldPresence => relationships.presence(id) ?? friends.presence(id) ?? ABSENT;
    return {
      bond: (relationships.isLoaded ? relationships : friends).bond(id),
      presence: isMe ? this.#ownPresence() : told(),
      applicationId: this.applicationId,
      cdn: hostOf(config?.cdn_host) ?? CDN,
    };
  }

  /** Without a session it is the chat client's, which does not tell how the player is there. */
  #ownPresence(): ToldPresence {
    const status = this.users.me === undefined ? 'unknown' : this.onlineStatus;
    return { status, activities: objectsOf([this.presence.activity]) };
  }

  async #isOfSomebodyElse(token: string): Promise<boolean> {
    const { myId } = this.users;
    const id = await inPatience(this.service.whose(token));
    return id !== undefined && id !== myId;
  }

  /** The session is further or less far. It is ready once it is known who the player's friends are, or nobody says. */
  #session(status: ClientStatus, error: ConnectionError, detail: number): void {
    const tell = (): void => this.#status(status, error, detail);
    this.#word.say(tell, status === ClientStatus.Ready ? this.#loading : undefined);
  }

  #status(status: ClientStatus, error: ConnectionError, detail: number): void {
    const isSame = this.status === status && status === ClientStatus.Reconnecting;
    this.status = status;
    if (status === ClientStatus.Disconnected) this.#forget();
    if (status === ClientStatus.Ready) this.presence.sessionReady();
    if (status === ClientStatus.Disconnected) this.presence.sessionGone();
    this.calls.connection(status);
    // Each try in vain is no news.
    if (!isSame) this.callbacks.tell('SetStatusChangedCallback', status, error, detail);
  }

  #forget(): void {
    this.age += 1;
    this.invites.forget();
    this.lobbies.forget();
    this.channels.forget();
    this.messages.forget();
    this.relationships.forget();
    this.users.forget();
  }

  #hear(event: string, data: Told): void {
    if (event === 'READY') {
      // Of somebody else nothing is left.
      const { myId } = this.users;
      if (myId !== undefined && myId !== member(data['user'], 'id')) this.#forget();
      this.users.me = data['user'] as object;
      this.users.take(data['user']);
      this.relationships.presences(data['presences']);
      if (this.isChatForeign) this.presence.leaveChat();
      const { age } = this;
      this.lobbies.replace(data['lobbies']);
      // Whoever was told of a lobby may have left.
      if (this.age !== age) return;
      const loading = this.relationships
        .load(this.service, () => this.status === ClientStatus.Ready)
        .finally(() => {
          if (this.#loading === loading) this.#loading = undefined;
        });
      this.#loading = loading;
      return;
    }
    for (const one of [
      this.lobbies,
      this.channels,
      this.messages,
      this.relationships,
      this.invites,
      this.calls,
    ]) {
      // Whoever was told may have left.
      if (this.status === ClientStatus.Disconnected) return;
      one.hear(event, data);
    }
  }
}
