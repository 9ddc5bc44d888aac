import { type AdditionalContent, additionalContentOf } from './additional-content.ts';
import type { ChannelHandle } from './channels.ts';
import type { DisclosureTypes } from './enums.ts';
import type { UserHandle } from './handles.ts';
import type { LobbyHandle } from './lobby-handle.ts';
import { Printed } from './printed.ts';
import { idOf, member, text, textsOf, timeOf } from './raw.ts';
import type { Raw } from './service.ts';
import { SnapshotHandle } from './snapshot-handle.ts';

/** Message flag: a game wrote it, not a chat client. */
const SENT_BY_GAME = 1 << 16;

/** Context of a message that its payload lacks. */
export interface MessageContext {
  /** The other user of a direct message; undefined in lobbies and where it is not known yet. */
  readonly recipientId?: string | undefined;
  readonly author?: UserHandle | undefined;
  /** The recipient's data. */
  readonly recipient?: UserHandle | undefined;
  readonly channel?: ChannelHandle | undefined;
  readonly lobby?: LobbyHandle | undefined;
}

/** Snapshot of a message of a lobby or between two players; it does not change later. */
export class MessageHandle extends SnapshotHandle {
  readonly #context: MessageContext;

  constructor(raw: Raw, context: MessageContext = {}) {
    super(raw);
    this.#context = context;
  }

  Content(): string {
    return text(this.snapshot['content']);
  }

  /** Same as `Content`: nothing is rendered here. */
  RawContent(): string {
    return this.Content();
  }

  AuthorId(): bigint {
    return idOf(member(this.snapshot['author'], 'id'));
  }

  Author(): UserHandle | undefined {
    return this.#context.author;
  }

  /** The lobby or private channel of the message. Undefined for a channel that this client does not know. */
  Channel(): ChannelHandle | undefined {
    return this.#context.channel;
  }

  /** The lobby of the message; undefined for a direct message, and when the player has left the lobby. */
  Lobby(): LobbyHandle | undefined {
    return this.#context.lobby;
  }

  /** The recipient of a direct message; undefined in lobbies, and for a user without received data. */
  Recipient(): UserHandle | undefined {
    return this.#context.recipient;
  }

  /** Content besides text; undefined where there is none. */
  AdditionalContent(): AdditionalContent | undefined {
    return additionalContentOf(this.snapshot);
  }

  /** Kind of a message that the SDK itself inserts. This client inserts none: always undefined. */
  DisclosureType(): DisclosureTypes | undefined {
    return undefined;
  }

  /** The lobby, the channel that it is linked to, or the private channel. */
  ChannelId(): bigint {
    return idOf(this.snapshot['channel_id']);
  }

  /** The lobby of the message; 0 for a direct message. */
  LobbyId(): bigint {
    return idOf(this.snapshot['lobby_id']);
  }

  /** The recipient of a direct message; 0 in lobbies. */
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

  /** Additional name of a member of a lobby, set by the game's server; undefined where unset. */
  AdditionalName(): string | undefined {
    const name = member(this.snapshot['lobby_member'], 'additional_name');
    return typeof name === 'string' ? name : undefined;
  }

  /** The game that sent the message, possibly a sibling. Undefined for a message from a chat client. */
  ApplicationId(): bigint | undefined {
    const id = idOf(this.snapshot['application_id']);
    return id === 0n ? undefined : id;
  }

  /** Milliseconds since the Unix epoch. */
  SentTimestamp(): bigint {
    const sentAt = Date.parse(text(this.snapshot['timestamp']));
    return BigInt(Number.isNaN(sentAt) ? timeOf(this.Id()) : sentAt);
  }

  /** Milliseconds since the Unix epoch; 0 for a message without edits. */
  EditedTimestamp(): bigint {
    const editedAt = Date.parse(text(this.snapshot['edited_timestamp']));
    return Number.isNaN(editedAt) ? 0n : BigInt(editedAt);
  }

  SentFromGame(): boolean {
    const { flags } = this.snapshot as { readonly flags?: unknown };
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
