import { type AdditionalContent, additionalContentOf } from './additional-content.ts';
import type { DisclosureTypes } from './enums.ts';
import type { ChannelHandle, UserHandle } from './handles.ts';
import type { LobbyHandle } from './lobby-handle.ts';
import { Printed } from './printed.ts';
import { idOf, member, type Raw, text, textsOf, timeOf } from './raw.ts';
import { SnapshotHandle } from './snapshot-handle.ts';

/** Message flag: a game sent the message, not a chat client. */
const SENT_BY_GAME = 1 << 16;

/** Facts about a message that its payload does not contain. */
export interface MessageContext {
  /** The other user of a direct message; undefined in lobbies and when the user is not known yet. */
  readonly recipientId?: string | undefined;
  readonly author?: UserHandle | undefined;
  /** The recipient's data. */
  readonly recipient?: UserHandle | undefined;
  readonly channel?: ChannelHandle | undefined;
  readonly lobby?: LobbyHandle | undefined;
}

/** Snapshot of a message of a lobby or between two players; the snapshot does not change later. */
export class MessageHandle extends SnapshotHandle {
  readonly #context: MessageContext;

  constructor(raw: Raw, context: MessageContext = {}) {
    super(raw);
    this.#context = context;
  }

  Content(): string {
    return text(this.snapshot['content']);
  }

  /** Same as `Content`, because this client does not render the content. */
  RawContent(): string {
    return this.Content();
  }

  AuthorId(): bigint {
    return idOf(member(this.snapshot['author'], 'id'));
  }

  Author(): UserHandle | undefined {
    return this.#context.author;
  }

  /** The lobby or private channel of the message; undefined for a channel that this client has not received. */
  Channel(): ChannelHandle | undefined {
    return this.#context.channel;
  }

  /** The lobby of the message; undefined for a direct message, and after the player has left the lobby. */
  Lobby(): LobbyHandle | undefined {
    return this.#context.lobby;
  }

  /** The recipient of a direct message; undefined in lobbies, and for a user whose data the client has not received. */
  Recipient(): UserHandle | undefined {
    return this.#context.recipient;
  }

  /** Content of the message besides its text; undefined for a message of text alone. */
  AdditionalContent(): AdditionalContent | undefined {
    return additionalContentOf(this.snapshot);
  }

  /**
   * Kind of a message that the SDK itself inserts. This client inserts no messages, so the result is always undefined.
   */
  DisclosureType(): DisclosureTypes | undefined {
    return undefined;
  }

  /** Id of the lobby, of the channel that the lobby is linked to, or of the private channel. */
  ChannelId(): bigint {
    return idOf(this.snapshot['channel_id']);
  }

  /** Id of the message's lobby; 0 for a direct message. */
  LobbyId(): bigint {
    return idOf(this.snapshot['lobby_id']);
  }

  /** Id of the recipient of a direct message; 0 in lobbies. */
  RecipientId(): bigint {
    return idOf(this.#context.recipientId);
  }

  /** Metadata that the game sent with the message. */
  Metadata(): Readonly<Record<string, string>> {
    return textsOf(this.snapshot['metadata']);
  }

  /** Metadata from the game's moderation. */
  ModerationMetadata(): Readonly<Record<string, string>> {
    return textsOf(this.snapshot['moderation_metadata']);
  }

  /** Additional name of a lobby member, which the game's server sets; undefined when it is unset. */
  AdditionalName(): string | undefined {
    const name = member(this.snapshot['lobby_member'], 'additional_name');
    return typeof name === 'string' ? name : undefined;
  }

  /**
   * Application of the game that sent the message, which may be a sibling of this game. Undefined for a message from a
   * chat client.
   */
  ApplicationId(): bigint | undefined {
    const id = idOf(this.snapshot['application_id']);
    return id === 0n ? undefined : id;
  }

  /** Time of sending in milliseconds since the Unix epoch. */
  SentTimestamp(): bigint {
    const sentAt = Date.parse(text(this.snapshot['timestamp']));
    return BigInt(Number.isNaN(sentAt) ? timeOf(this.Id()) : sentAt);
  }

  /** Time of the last edit in milliseconds since the Unix epoch; 0 for a message without edits. */
  EditedTimestamp(): bigint {
    const editedAt = Date.parse(text(this.snapshot['edited_timestamp']));
    return Number.isNaN(editedAt) ? 0n : BigInt(editedAt);
  }

  SentFromGame(): boolean {
    const { flags } = this.snapshot as { readonly flags?: unknown };
    return typeof flags === 'number' && (flags & SENT_BY_GAME) !== 0;
  }
}

/** Reference to the last message with a player. */
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
