import type { Callbacks } from './callbacks.ts';
import { Calls } from './calls.ts';
import { Channels } from './channels.ts';
import { ClientStatus } from './enums.ts';
import type { DispatchData, Gateway } from './gateway.ts';
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

/** Parts of the client that the data of a player need. */
export interface PlayerDataHost {
  readonly log: Log;
  readonly callbacks: Callbacks;
  readonly service: Service;
  readonly status: ClientStatus;
  readonly timeoutMs: number;
  /** Data of a user in addition to the account. */
  known(id: string): Known;
  readonly session: { readonly gateway: Pick<Gateway, 'speak'> };
  readonly chat: { readonly isForeign: boolean };
  readonly presence: Pick<Presence, 'leaveChat'>;
}

/** Data from the service for one player, cleared as a whole when the player may have changed. */
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
      changed: (id) => callbacks.notify('SetUserUpdatedCallback', id),
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
      sendVoiceState: (channelId, self) => host.session.gateway.speak(channelId, self),
    });
  }

  /** Number of times the data was cleared. An answer to a request from an earlier age may belong to another player. */
  get age(): number {
    return this.#age;
  }

  /**
   * Handles READY. Resolves when the player's friends are loaded; undefined when the game called `Disconnect` in a
   * callback.
   */
  begin(ready: DispatchData): Promise<void> | undefined {
    const { users, lobbies, relationships } = this;
    const user = ready['user'];
    if (users.myId !== undefined && users.myId !== member(user, 'id')) this.forget();
    users.me = user as object;
    users.take(user);
    relationships.presences(ready['presences']);
    if (this.#host.chat.isForeign) this.#host.presence.leaveChat();
    const age = this.#age;
    lobbies.replace(ready['lobbies']);
    // A callback for a lobby may have called `Disconnect`.
    if (this.#age !== age) return undefined;
    return relationships.load(this.#host.service, () => this.#host.status === ClientStatus.Ready);
  }

  /** Handles an event of the session. */
  take(event: string, data: DispatchData): void {
    const { lobbies, channels, messages, relationships, invites, calls } = this;
    for (const one of [lobbies, channels, messages, relationships, invites, calls]) {
      // A callback of the previous handler may have called `Disconnect`.
      if (this.#host.status === ClientStatus.Disconnected) return;
      one.handleEvent(event, data);
    }
  }

  /** Clears all data except the calls, because the player may change. A call ends with its session. */
  forget(): void {
    this.#age += 1;
    const { invites, lobbies, channels, messages, relationships, users } = this;
    for (const one of [invites, lobbies, channels, messages, relationships, users]) one.forget();
  }
}
