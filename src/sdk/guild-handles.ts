import { Printed } from './printed.ts';
import { idOf, member, numberOf } from './raw.ts';
import { NamedHandle } from './snapshot-handle.ts';

/** A guild, as an entry in a list of guilds. */
export class GuildMinimal extends NamedHandle {}

/** The lobby that a channel is linked to. */
export class LinkedLobby extends Printed {
  readonly #linked: object;

  constructor(linked: object) {
    super();
    this.#linked = linked;
  }

  ApplicationId(): bigint {
    return idOf(member(this.#linked, 'application_id'));
  }

  LobbyId(): bigint {
    return idOf(member(this.#linked, 'lobby_id'));
  }

  override toJSON(): object {
    return this.#linked;
  }
}

/** A channel of a guild, which a lobby may be linked to. */
export class GuildChannel extends NamedHandle {
  /** The platform's number of the channel type: 0 is a text channel, 2 a voice channel. */
  Type(): number {
    return numberOf(this.snapshot['type']);
  }

  Position(): number {
    return numberOf(this.snapshot['position']);
  }

  ParentId(): bigint | undefined {
    const id = idOf(this.snapshot['parent_id']);
    return id === 0n ? undefined : id;
  }

  /** Whether a lobby may be linked to this channel: it is a text channel without a linked lobby. */
  IsLinkable(): boolean {
    const linkable = this.snapshot['is_linkable'];
    return typeof linkable === 'boolean' ? linkable : this.Type() === 0 && this.LinkedLobby() === undefined;
  }

  /**
   * Whether all members of the guild can view this channel and write in it; true when the service does not send this.
   */
  IsViewableAndWriteableByAllMembers(): boolean {
    return this.snapshot['is_viewable_and_writeable_by_all_members'] !== false;
  }

  LinkedLobby(): LinkedLobby | undefined {
    const linked = this.snapshot['linked_lobby'];
    return typeof linked === 'object' && linked !== null ? new LinkedLobby(linked) : undefined;
  }
}
