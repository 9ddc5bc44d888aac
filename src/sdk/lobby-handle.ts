import { CallInfoHandle } from './call-info.ts';
import { UserHandle } from './handles.ts';
import { idOf, member, numberOf, objectsOf, type Raw, text, textsOf } from './raw.ts';
import { NamedHandle, SnapshotHandle } from './snapshot-handle.ts';
import { type Id, uint64 } from './values.ts';

const CAN_LINK_LOBBY = 1;

/** Snapshot of a member of a lobby; the snapshot does not change later. */
export class LobbyMemberHandle extends SnapshotHandle {
  readonly #user: object | undefined;
  readonly #connected: boolean;

  constructor(raw: Raw, user: object | undefined, connected: boolean) {
    super(raw);
    this.#user = user;
    this.#connected = connected;
  }

  Metadata(): Readonly<Record<string, string>> {
    return textsOf(this.snapshot['metadata']);
  }

  /** Whether the member may link a channel to the lobby. */
  CanLinkLobby(): boolean {
    return (numberOf(this.snapshot['flags']) & CAN_LINK_LOBBY) !== 0;
  }

  /** Whether the member is in the lobby's call. */
  Connected(): boolean {
    return this.#connected;
  }

  /** The user; undefined when the client knows only the user's id. */
  User(): UserHandle | undefined {
    return this.#user && new UserHandle(this.#user);
  }

  override toJSON(): object {
    const user = this.User()?.toJSON();
    return { ...this.snapshot, connected: this.#connected, ...(user && { user }) };
  }
}

/** The guild channel that a lobby is linked to. */
export class LinkedChannel extends NamedHandle {
  GuildId(): bigint {
    return idOf(this.snapshot['guild_id']);
  }
}

/** Snapshot of a lobby that the player is in; the snapshot does not change later. */
export class LobbyHandle extends SnapshotHandle {
  readonly #userOf: (id: string) => object | undefined;

  constructor(raw: Raw, userOf: (id: string) => object | undefined) {
    super(raw);
    this.#userOf = userOf;
  }

  Metadata(): Readonly<Record<string, string>> {
    return textsOf(this.snapshot['metadata']);
  }

  LobbyMemberIds(): bigint[] {
    return objectsOf(this.snapshot['members']).map(({ id }) => idOf(id));
  }

  LobbyMembers(): LobbyMemberHandle[] {
    return objectsOf(this.snapshot['members']).map((of) => this.#memberHandle(of));
  }

  GetLobbyMemberHandle(memberId: Id): LobbyMemberHandle | undefined {
    const wanted = uint64('memberId', memberId);
    const found = objectsOf(this.snapshot['members']).find(({ id }) => idOf(id) === wanted);
    return found && this.#memberHandle(found);
  }

  LinkedChannel(): LinkedChannel | undefined {
    const channel = this.snapshot['linked_channel'];
    return typeof channel === 'object' && channel !== null ? new LinkedChannel(channel as Raw) : undefined;
  }

  /** The call of the lobby; undefined while nobody is in the call. */
  GetCallInfoHandle(): CallInfoHandle | undefined {
    const states = objectsOf(this.snapshot['voice_states']).filter((state) => state['channel_id'] !== null);
    return states.length === 0 ? undefined : new CallInfoHandle(this.Id(), states);
  }

  #memberHandle(of: Raw): LobbyMemberHandle {
    const inCall = objectsOf(this.snapshot['voice_states']).some(
      (state) => state['user_id'] === of['id'] && member(state, 'channel_id') !== null,
    );
    return new LobbyMemberHandle(of, this.#userOf(text(of['id'])), inCall);
  }
}
