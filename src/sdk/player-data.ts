import type { Callbacks } from './callbacks.ts';
import { Calls } from './calls.ts';
import { Channels } from './channels.ts';
import { ClientStatus } from './enums.ts';
import type { Gateway, Told } from './gateway.ts';
import { Invites } from './invites.ts';
import type { Known } from './known.ts';
import { Lobbies } from './lobbies.ts';
import type { Log } from './log.ts';
import { Messages } from './messages.ts';
import type { Presence } from './presence.ts';
import { member } from './raw.ts';
import { Relationships } from './relationships.ts';
import type { Service } from './service.ts';
import { Users } from './users.ts';

/** What the data of a player need of the client. */
export interface PlayerDataHost {
  readonly log: Log;
  readonly callbacks: Callbacks;
  readonly service: Service;
  /** How far the session is. */
  readonly status: ClientStatus;
  readonly timeoutMs: number;
  /** What is known of somebody besides their account. */
  known(id: string): Known;
  readonly session: { readonly gateway: Pick<Gateway, 'speak'> };
  readonly chat: { readonly isForeign: boolean };
  readonly presence: Pick<Presence, 'leaveChat'>;
}

/** What the service has sent for one player: forgotten as a whole when somebody else may be there. */
export class PlayerData {
  readonly users: Users;
  readonly lobbies: Lobbies;
  readonly channels: Channels;
  readonly invites: Invites;
  readonly messages: Messages;
  readonly relationships: Relationships;
  readonly calls: Calls;
  readonly #host: PlayerDataHost;
  #age = 0;

  constructor(host: PlayerDataHost) {
    const { callbacks, log } = host;
    this.#host = host;
    this.users = new Users({
      changed: (id) => callbacks.tell('SetUserUpdatedCallback', id),
      known: (id) => host.known(id),
    });
    this.lobbies = new Lobbies(callbacks, this.users);
    this.channels = new Channels(this.lobbies);
    this.invites = new Invites(callbacks);
    this.messages = new Messages(callbacks, this, (invite) => this.invites.take(invite));
    this.relationships = new Relationships(callbacks, this.users, log);
    this.calls = new Calls({
      log,
      lobbies: this.lobbies,
      users: this.users,
      callbacks,
      status: () => host.status,
      timeoutMs: () => host.timeoutMs,
      say: (channelId, self) => host.session.gateway.speak(channelId, self),
    });
  }

  /** How often everything was forgotten: an answer to a request from before is for somebody else. */
  get age(): number {
    return this.#age;
  }

  /** Takes what READY holds. Resolves once it is known who the player's friends are; undefined when the game has left meanwhile. */
  begin(ready: Told): Promise<void> | undefined {
    const { users, lobbies, relationships } = this;
    const user = ready['user'];
    if (users.myId !== undefined && users.myId !== member(user, 'id')) this.forget();
    users.me = user as object;
    users.take(user);
    relationships.presences(ready['presences']);
    if (this.#host.chat.isForeign) this.#host.presence.leaveChat();
    const age = this.#age;
    lobbies.replace(ready['lobbies']);
    // The game's callback for a lobby may have left.
    if (this.#age !== age) return undefined;
    return relationships.load(this.#host.service, () => this.#host.status === ClientStatus.Ready);
  }

  /** Takes an event of the session. */
  take(event: string, data: Told): void {
    const { lobbies, channels, messages, relationships, invites, calls } = this;
    for (const one of [lobbies, channels, messages, relationships, invites, calls]) {
      // The game's callback for the one before may have left.
      if (this.#host.status === ClientStatus.Disconnected) return;
      one.hear(event, data);
    }
  }

  /** Somebody else may be there from now on. Calls end with their session. */
  forget(): void {
    this.#age += 1;
    const { invites, lobbies, channels, messages, relationships, users } = this;
    for (const one of [invites, lobbies, channels, messages, relationships, users]) one.forget();
  }
}
