import { type AdditionalContent, additionalContentOf } from './additional-content.ts';
import type { ChannelHandle } from './channels.ts';
import type { DisclosureTypes } from './enums.ts';
import type { UserHandle } from './handles.ts';
import type { LobbyHandle } from './lobby-handle.ts';
import { Printed } from './printed.ts';
import { idOf, member, text, textsOf, timeOf } from './raw.ts';
import type { Raw } from './service.ts';
import { ToldHandle } from './told-handle.ts';

/** The bit of a message that a game wrote, and not a chat client. */
const SENT_BY_GAME = 1 << 16;

/** What a message does not say of itself. */
export interface MessagePlace {
  /** The other one of a direct message; undefined in lobbies and where nobody told yet. */
  readonly recipientId?: string | undefined;
  readonly author?: UserHandle | undefined;
  /** Whoever that is. */
  readonly recipient?: UserHandle | undefined;
  readonly channel?: ChannelHandle | undefined;
  readonly lobby?: LobbyHandle | undefined;
}

/** A message of a lobby or between two players, as it was told; it does not change later. */
export class MessageHandle extends ToldHandle {
  readonly #place: MessagePlace;

  constructor(told: Raw, place: MessagePlace = {}) {
    super(told);
    this.#place = place;
  }

  Content(): string {
    return text(this.told['content']);
  }

  /** The same: nothing is rendered here. */
  RawContent(): string {
    return this.Content();
  }

  AuthorId(): bigint {
    return idOf(member(this.told['author'], 'id'));
  }

  Author(): UserHandle | undefined {
    return this.#place.author;
  }

  /** Where it was written: the lobby, or the private channel. Undefined for a place that this client does not know. */
  Channel(): ChannelHandle | undefined {
    return this.#place.channel;
  }

  /** The lobby in which it was written; undefined for a direct message, and when the player is in that no more. */
  Lobby(): LobbyHandle | undefined {
    return this.#place.lobby;
  }

  /** Who of two players it was written to; undefined in lobbies, and for somebody of whom nothing else was told. */
  Recipient(): UserHandle | undefined {
    return this.#place.recipient;
  }

  /** What it holds besides text; undefined where that is nothing. */
  AdditionalContent(): AdditionalContent | undefined {
    return additionalContentOf(this.told);
  }

  /** Of a message that the SDK itself puts between the others. None is put there here: always undefined. */
  DisclosureType(): DisclosureTypes | undefined {
    return undefined;
  }

  /** The lobby, the channel that it is linked to, or the private channel. */
  ChannelId(): bigint {
    return idOf(this.told['channel_id']);
  }

  /** The lobby in which it was written; 0 for a direct message. */
  LobbyId(): bigint {
    return idOf(this.told['lobby_id']);
  }

  /** Who of two players it was written to; 0 in lobbies. */
  RecipientId(): bigint {
    return idOf(this.#place.recipientId);
  }

  /** What the game wrote with it. */
  Metadata(): Readonly<Record<string, string>> {
    return textsOf(this.told['metadata']);
  }

  /** What the game's moderation says of it. */
  ModerationMetadata(): Readonly<Record<string, string>> {
    return textsOf(this.told['moderation_metadata']);
  }

  /** How a member of a lobby is called besides, which the game's server says; undefined where it says nothing. */
  AdditionalName(): string | undefined {
    const name = member(this.told['lobby_member'], 'additional_name');
    return typeof name === 'string' ? name : undefined;
  }

  /** The game in which it was written; a sibling's may be told, too. Undefined for what a chat client wrote. */
  ApplicationId(): bigint | undefined {
    const id = idOf(this.told['application_id']);
    return id === 0n ? undefined : id;
  }

  /** Milliseconds since the Unix epoch. */
  SentTimestamp(): bigint {
    const said = Date.parse(text(this.told['timestamp']));
    return BigInt(Number.isNaN(said) ? timeOf(this.Id()) : said);
  }

  /** Milliseconds since the Unix epoch; 0 while it was not edited. */
  EditedTimestamp(): bigint {
    const said = Date.parse(text(this.told['edited_timestamp']));
    return Number.isNaN(said) ? 0n : BigInt(said);
  }

  SentFromGame(): boolean {
    const { flags } = this.told as { readonly flags?: unknown };
    return typeof flags === 'number' && (flags & SENT_BY_GAME) !== 0;
  }
}

/** The last that was said with a player. */
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
