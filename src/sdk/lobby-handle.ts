import { CallInfoHandle } from './call-info.ts';
import { UserHandle } from './handles.ts';
import { idOf, member, numberOf, objectsOf, text, textsOf } from './raw.ts';
import type { Raw } from './service.ts';

const CAN_LINK_LOBBY = 1;

/** Somebody in a lobby, as was told; it does not change later. */
export class LobbyMemberHandle {
  readonly #member: Raw;
  readonly #user: object | undefined;
  readonly #connected: boolean;

  constructor(of: Raw, user: object | undefined, connected: boolean) {
    this.#member = of;
    this.#user = user;
    this.#connected = connected;
  }

  Id(): bigint {
    return idOf(this.#member['id']);
  }

  Metadata(): Readonly<Record<string, string>> {
    return textsOf(this.#member['metadata']);
  }

  /** Whether they may link a channel to the lobby. */
  CanLinkLobby(): boolean {
    return (numberOf(this.#member['flags']) & CAN_LINK_LOBBY) !== 0;
  }

  /** Whether they are in the lobby's call. */
  Connected(): boolean {
    return this.#connected;
  }

  /** Undefined for somebody of whom nothing was told but the id. */
  User(): UserHandle | undefined {
    return this.#user && new UserHandle(this.#user);
  }
}

/** A guild channel that a lobby is linked to. */
export class LinkedChannel {
  readonly #channel: Raw;

  constructor(channel: Raw) {
    this.#channel = channel;
  }

  Id(): bigint {
    return idOf(this.#channel['id']);
  }

  Name(): string {
    return text(this.#channel['name']);
  }

  GuildId(): bigint {
    return idOf(this.#channel['guild_id']);
  }
}

/** A lobby that the player is in, as was told; it does not change later. */
export class LobbyHandle {
  readonly #lobby: Raw;
  readonly #userOf: (id: string) => object | undefined;

  constructor(lobby: Raw, userOf: (id: string) => object | undefined) {
    this.#lobby = lobby;
    this.#userOf = userOf;
  }

  Id(): bigint {
    return idOf(this.#lobby['id']);
  }

  Metadata(): Readonly<Record<string, string>> {
    return textsOf(this.#lobby['metadata']);
  }

  LobbyMemberIds(): bigint[] {
    return objectsOf(this.#lobby['members']).map(({ id }) => idOf(id));
  }

  LobbyMembers(): LobbyMemberHandle[] {
    return objectsOf(this.#lobby['members']).map((of) => this.#memberHandle(of));
  }

  GetLobbyMemberHandle(memberId: bigint): LobbyMemberHandle | undefined {
    const found = objectsOf(this.#lobby['members']).find(({ id }) => idOf(id) === memberId);
    return found && this.#memberHandle(found);
  }

  LinkedChannel(): LinkedChannel | undefined {
    const channel = this.#lobby['linked_channel'];
    return typeof channel === 'object' && channel !== null ? new LinkedChannel(channel as Raw) : undefined;
  }

  /** The call of the lobby; undefined when nobody is in it. */
  GetCallInfoHandle(): CallInfoHandle | undefined {
    const states = objectsOf(this.#lobby['voice_states']).filter((state) => state['channel_id'] !== null);
    return states.length === 0 ? undefined : new CallInfoHandle(this.Id(), states);
  }

  #memberHandle(of: Raw): LobbyMemberHandle {
    const inCall = objectsOf(this.#lobby['voice_states']).some(
      (state) => state['user_id'] === of['id'] && member(state, 'channel_id') !== null,
    );
    return new LobbyMemberHandle(of, this.#userOf(text(of['id'])), inCall);
  }
}
