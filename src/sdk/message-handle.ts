import { type AdditionalContent, additionalContentOf } from './additional-content.ts';
import type { ChannelHandle } from './channels.ts';
import type { DisclosureTypes } from './enums.ts';
import type { UserHandle } from './handles.ts';
import type { LobbyHandle } from './lobby-handle.ts';
import { Printed } from './printed.ts';
import { idOf, member, text, textsOf, timeOf } from './raw.ts';
import type { Raw } from './service.ts';
import { ToldHandle } from './told-handle.ts';

/** Message flag: a game wrote it, not a chat client. */
const SENT_BY_GAME = 1 << 16;

/** Context of a message that its payload lacks. */
export interface MessagePlace {
  /** The other user of a direct message; undefined in lobbies and where it is not known yet. */
  readonly recipientId?: string | undefined;
  readonly author?: UserHandle | undefined;
  /** The recipient's data. */
  readonly recipient?: UserHandle | undefined;
  readonly channel?: ChannelHandle | undefined;
  readonly lobby?: LobbyHandle | undefined;
}

/** Snapshot of a message of a lobby or between two players; it does not change later. */
export class MessageHandle extends ToldHandle {
  readonly #place: MessagePlace;

  constructor(told: Raw, place: MessagePlace = {}) {
    super(told);
    this.#place = place;
  }

  Content(): string {
    return text(this.told['content']);
  }

  /** Same as `Content`: nothing is rendered here. */
  RawContent(): string {
    return this.Content();
  }

  AuthorId(): bigint {
    return idOf(member(this.told['author'], 'id'));
  }

  Author(): UserHandle | undefined {
    return this.#place.author;
  }

  /** The lobby or private channel of the message. Undefined for a channel that this client does not know. */
  Channel(): ChannelHandle | undefined {
    return this.#place.channel;
  }

  /** The lobby of the message; undefined for a direct message, and when the player has left the lobby. */
  Lobby(): LobbyHandle | undefined {
    return this.#place.lobby;
  }

  /** The recipient of a direct message; undefined in lobbies, and for a user without received data. */
  Recipient(): UserHandle | undefined {
    return this.#place.recipient;
  }

  /** Content besides text; undefined where there is none. */
  AdditionalContent(): AdditionalContent | undefined {
    return additionalContentOf(this.told);
  }

  /** Kind of a message that the SDK itself inserts. This client inserts none: always undefined. */
  DisclosureType(): DisclosureTypes | undefined {
    return undefined;
  }

  /** The lobby, the channel that it is linked to, or the private channel. */
  ChannelId(): bigint {
    return idOf(this.told['channel_id']);
  }

  /** The lobby of the message; 0 for a direct message. */
  LobbyId(): bigint {
    return idOf(this.told['lobby_id']);
  }

  /** The recipient of a direct message; 0 in lobbies. */
  RecipientId(): bigint {
    return idOf(this.#place.recipientId);
  }

  /** Metadata that the game sent with the message. */
  Metadata(): Readonly<Record<string, string>> {
    return textsOf(this.told['metadata']);
  }

  /** Metadata from the game's moderation. */
  ModerationMetadata(): Readonly<Record<string, string>> {
    return textsOf(this.told['moderation_metadata']);
  }

  /** Additional name of a member of a lobby, set by the game's server; undefined where unset. */
  AdditionalName(): string | undefined {
    const name = member(this.told['lobby_member'], 'additional_name');
    return typeof name === 'string' ? name : undefined;
  }

  /** The game that sent the message, possibly a sibling. Undefined for a message from a chat client. */
  ApplicationId(): bigint | undefined {
    const id = idOf(this.told['application_id']);
    return id === 0n ? undefined : id;
  }

  /** Milliseconds since the Unix epoch. */
  SentTimestamp(): bigint {
    const said = Date.parse(text(this.told['timestamp']));
    return BigInt(Number.isNaN(said) ? timeOf(this.Id()) : said);
  }

  /** Milliseconds since the Unix epoch; 0 for a message without edits. */
  EditedTimestamp(): bigint {
    const said = Date.parse(text(this.told['edited_timestamp']));
    return Number.isNaN(said) ? 0n : BigInt(said);
  }

  SentFromGame(): boolean {
    const { flags } = this.told as { readonly flags?: unknown };
    return typeof flags === 'number' && (flags & SENT_BY_GAME) !== 0;
  }
}

/** The last message with a player. */
export class UserMessageSummary extends Printed {
  readonly #userId: bigint;
  readonly #lastMessageId: bigint;

  constructor(userId: bigint, lastMessageId: bigint) {
    super();
    this.#userId = userId;
    this.#lastMessageId = lastMessageId;
  }

  UserId(): bigint {
    return this.#userId;
  }

  LastMessageId(): bigint {
    return this.#lastMessageId;
  }

  override toJSON(): object {
    return { user_id: String(this.#userId), last_message_id: String(this.#lastMessageId) };
  }
}
