import { Callbacks } from './callbacks.ts';
import { Calls } from './calls.ts';
import { Channels } from './channels.ts';
import { ChatClient } from './chat-client.ts';
import { ClientStatus, type ConnectionError, ErrorType, LoggingSeverity } from './enums.ts';
import { Friends } from './friends.ts';
import { Gateway, type Told } from './gateway.ts';
import type { ActivityInvite } from './handles.ts';
import type { Host } from './host.ts';
import { ABSENT, CDN, hostOf, type Known, type Presence } from './known.ts';
import { Lobbies } from './lobbies.ts';
import { Log } from './log.ts';
import { Merge } from './merge.ts';
import { Messages } from './messages.ts';
import { Failed, type Outcome, settle } from './outcome.ts';
import { objectsOf, text as textOf } from './raw.ts';
import { Relationships } from './relationships.ts';
import { ValidationError } from './result.ts';
import { Service } from './service.ts';
import type { ClientSettings } from './settings.ts';
import { TokenEnds } from './token-ends.ts';
import { Users } from './users.ts';
import { optionalCallable } from './values.ts';

/** Events of the chat client that a game may ask for. */
type Wanted = 'AUTHORIZE_REQUEST' | 'ACTIVITY_INVITE' | 'VOICE_SETTINGS_UPDATE';

/** Invites that are remembered, so that one that comes by two ways is told once. */
const INVITES_KEPT = 256;

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
  readonly messages = new Messages(this.callbacks, this, (invite) => this.invited(invite));
  readonly merge = new Merge();
  readonly relationships = new Relationships(this.callbacks, this.users);
  readonly calls = new Calls(this.lobbies, this.users, this.callbacks);
  readonly service: Service;
  readonly gateway: Gateway;
  /** Kept for each chat client that is started anew, because it outlives the connection. */
  readonly #events = new Map<Wanted, (data: object) => void>();
  readonly #invites = new Set<bigint>();
  /** The token that the chat client does not take. */
  #foreign: string | undefined;
  readonly #ends = new TokenEnds();
  applicationId = 0n;
  chat: ChatClient | undefined;
  token: string | undefined;
  status: ClientStatus = ClientStatus.Disconnected;
  /** What is to be shown, in the end. */
  presence: object | undefined;
  /** How the player is there, in the gateway's words. */
  onlineStatus = 'online';
  timeoutMs = 30_000;
  isDestroyed = false;
  #expiry: ReturnType<typeof setTimeout> | undefined;

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
      presence: () => this.presenceForGateway(),
      onlineStatus: () => this.onlineStatus,
      status: (status, error, detail) => this.#status(status, error, detail),
      dispatch: (event, data) => this.#hear(event, data),
      refused: () => this.token !== undefined && this.refused(this.token),
    });
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
      if (this.isDestroyed) throw new Failed(ErrorType.ClientDestroyed, 'The client was disconnected');
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

  needChat(): ChatClient {
    if (this.chat) return this.chat;
    throw new ValidationError('applicationId: is unset; call SetApplicationId first');
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
      token: () => (this.token === this.#foreign ? undefined : this.token),
      onTokenRefused: () => {
        this.friends.forget();
        if (this.token !== undefined) void this.#refusedByChat(this.token);
      },
      onReady: () => {
        if (this.token !== undefined && this.token !== this.#foreign) void this.friends.load(chat);
      },
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

  /** An invite of the chat client or the service: the same may come from both. */
  invited(invite: ActivityInvite): void {
    const id = invite.MessageId();
    if (id !== 0n && this.#invites.has(id)) return;
    this.#invites.add(id);
    if (this.#invites.size > INVITES_KEPT)
      for (const oldest of this.#invites) {
        this.#invites.delete(oldest);
        break;
      }
    this.callbacks.tell('SetActivityInviteCreatedCallback', invite);
  }

  /** This token is not taken any more: it is forgotten, and the game is asked for another. */
  refused(token: string): void {
    if (this.token !== token) return;
    this.token = undefined;
    const message = 'The access token is not valid any more; call RefreshToken and UpdateToken';
    this.log.tell(LoggingSeverity.Warning, message);
    this.callbacks.tell('SetTokenExpirationCallback');
  }

  /**
   * Whether the service takes the token that a chat client has refused: then it is of somebody else than the user of that, such
   * as a provisional account, and the chat client is not asked with it again.
   */
  async isForeign(token: string): Promise<boolean> {
    this.#foreign = token;
    if (this.status === ClientStatus.Ready) return true;
    const me = await this.service.object('GET', '/users/@me').catch(() => undefined);
    return me !== undefined && this.token === token;
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
    this.token = token;
    if (isOther) this.gateway.renew();
    this.expiresIn(this.#ends.of(token));
  }

  /** The token that was presented ends in so many seconds; undefined where nobody said. */
  expiresIn(seconds: number | undefined): void {
    clearTimeout(this.#expiry);
    if (seconds === undefined) return;
    const ms = Math.min(seconds * 1000, 2 ** 31 - 1);
    this.#expiry = setTimeout(() => this.callbacks.tell('SetTokenExpirationCallback'), ms);
    // A browser's timer is a number, and keeps nothing alive.
    (this.#expiry as { unref?: () => void }).unref?.();
  }

  /** The activity as the gateway takes it. */
  presenceForGateway(): object | undefined {
    if (this.presence === undefined) return undefined;
    return { name: '', type: 0, application_id: String(this.applicationId), ...this.presence };
  }

  /** What is known of somebody besides their account. */
  #known(id: string): Known {
    const { relationships, friends } = this;
    const { state, config, user } = this.chat?.rpc ?? {};
    const isMe = id === (this.users.myId ?? (state === 'ready' ? user?.id : undefined));
    const told = (): Presence => relationships.presence(id) ?? friends.presence(id) ?? ABSENT;
    return {
      bond: (relationships.isLoaded ? relationships : friends).bond(id),
      presence: isMe ? this.#ownPresence() : told(),
      applicationId: this.applicationId,
      cdn: hostOf(config?.cdn_host) ?? CDN,
    };
  }

  /** Without a session it is the chat client's, which does not tell how the player is there. */
  #ownPresence(): Presence {
    const status = this.users.me === undefined ? 'unknown' : this.onlineStatus;
    return { status, activities: objectsOf([this.presenceForGateway()]) };
  }

  #status(status: ClientStatus, error: ConnectionError, detail: number): void {
    this.status = status;
    if (status === ClientStatus.Disconnected) this.#forget();
    this.calls.connection(status);
    this.callbacks.tell('SetStatusChangedCallback', status, error, detail);
  }

  #forget(): void {
    this.lobbies.forget();
    this.channels.forget();
    this.messages.forget();
    this.relationships.forget();
    this.users.forget();
  }

  #hear(event: string, data: Told): void {
    if (event === 'READY') {
      this.users.me = data['user'] as object;
      this.users.take(data['user']);
      this.lobbies.replace(data['lobbies']);
      void this.relationships.load(this.service);
      return;
    }
    this.lobbies.hear(event, data);
    this.channels.hear(event, data);
    this.messages.hear(event, data);
    this.relationships.hear(event, data);
    this.calls.hear(event, data);
  }
}
