import { type ActivityInvite, inviteInMessage } from './activity-invite.ts';
import { BoundedMap } from './bounded-map.ts';
import type { Callbacks } from './callbacks.ts';
import type { Channels } from './channels.ts';
import { ChannelType } from './enums.ts';
import { LastSeen } from './last-seen.ts';
import type { Lobbies } from './lobbies.ts';
import { MessageHandle, UserMessageSummary } from './message-handle.ts';
import { idOf, member, numberOf, objectsOf, type Raw, text } from './raw.ts';
import type { Users } from './users.ts';

/** Maximum number of stored messages, and their maximum size in characters of JSON; the oldest are evicted. */
const MAX_MESSAGES = 25_000;
const MAX_CHARACTERS = 64 * 1024 * 1024;
/** Maximum number of players with a last message. */
const MAX_CONVERSATIONS = 10_000;

/** Stores in which the client finds the senders and channels of messages. */
interface Known {
  readonly users: Users;
  readonly lobbies: Lobbies;
  readonly channels: Channels;
}

/** Messages of lobbies and of other players that this client has seen. */
export class Messages {
  readonly #callbacks: Callbacks;
  readonly #users: Users;
  readonly #lobbies: Lobbies;
  readonly #channels: Channels;
  readonly #onInvite: (invite: ActivityInvite) => void;
  readonly #byId = new BoundedMap<Raw>(MAX_MESSAGES, MAX_CHARACTERS);
  /** Id of the last message with each player. */
  readonly #last = new BoundedMap<string>(MAX_CONVERSATIONS);
  readonly #events = new LastSeen();

  constructor(
    callbacks: Callbacks,
    { users, lobbies, channels }: Known,
    onInvite: (invite: ActivityInvite) => void,
  ) {
    this.#callbacks = callbacks;
    this.#users = users;
    this.#lobbies = lobbies;
    this.#channels = channels;
    this.#onInvite = onInvite;
  }

  get(id: bigint): MessageHandle | undefined {
    const message = this.#byId.get(String(id));
    return message && this.#handle(message);
  }

  /** The last message with each player, newest first. */
  summaries(): UserMessageSummary[] {
    const all = this.#last
      .keys()
      .map((user) => new UserMessageSummary(BigInt(user), idOf(this.#last.get(user))));
    return all.toSorted((one, other) => (one.LastMessageId() < other.LastMessageId() ? 1 : -1));
  }

  /**
   * Call it when a request is sent. The returned function stores the message of the answer, unless a newer event about
   * that message has arrived. `other` is the other player of a direct message.
   */
  taking(other?: string): (message: Raw) => MessageHandle {
    const { moment } = this.#events;
    return (message) => this.#take(message, moment, other);
  }

  #take(message: Raw, moment: number, other: string | undefined): MessageHandle {
    const id = text(message['id']);
    if (this.#events.isForgotten(moment)) return this.#handle(message);
    if (other !== undefined) this.#met(message, other);
    if (!this.#events.isOutdated(id, moment)) {
      this.#store(message);
      return this.#handle(message);
    }
    const newer = this.#byId.get(id);
    // The event's data may lack the recipient, so the last message is recorded here.
    if (newer !== undefined && other !== undefined) this.#isLast(newer, other);
    return this.#handle(newer ?? message);
  }

  /** Works like `taking`, for an edit by this client: the edit makes the answers to earlier requests outdated. */
  changing(other: string): (message: Raw) => void {
    const take = this.taking(other);
    return (message) => {
      take(message);
      this.#events.record(text(message['id']));
    };
  }

  forget(): void {
    this.#events.reset();
    this.#byId.clear();
    this.#last.clear();
  }

  /** Removes a message that this client or another client deleted. */
  drop(id: string): void {
    this.#events.record(id);
    const message = this.#byId.get(id);
    this.#byId.delete(id);
    const other = message && this.#otherOf(message);
    if (other !== undefined && this.#last.get(other) === id) this.#forgetLast(other);
  }

  /** Replaces the last message with the player by the previous one, if the client has received it. */
  #forgetLast(other: string): void {
    this.#last.delete(other);
    for (const message of this.#byId.values())
      if (this.#otherOf(message) === other) this.#isLast(message, other);
  }

  /** Handles the gateway's events of messages and private channels. */
  handleEvent(event: string, data: Raw): void {
    switch (event) {
      case 'CHANNEL_CREATE':
      case 'CHANNEL_UPDATE':
        for (const other of objectsOf(data['recipients'])) this.#users.take(other);
        return;
      case 'MESSAGE_CREATE': {
        const invite = inviteInMessage(data);
        return invite === undefined ? this.#created(data) : this.#onInvite(invite);
      }
      case 'LOBBY_MESSAGE_CREATE':
        return this.#created(data);
      case 'MESSAGE_UPDATE':
      case 'LOBBY_MESSAGE_UPDATE': {
        this.#events.record(text(data['id']));
        const before = this.#byId.get(text(data['id']));
        this.#store({ ...before, ...data });
        return this.#callbacks.notify('SetMessageUpdatedCallback', idOf(data['id']));
      }
      case 'MESSAGE_DELETE':
      case 'LOBBY_MESSAGE_DELETE': {
        this.drop(text(data['id']));
        const channel = idOf(data['channel_id'] ?? data['lobby_id']);
        return this.#callbacks.notify('SetMessageDeletedCallback', idOf(data['id']), channel);
      }
      default:
    }
  }

  #created(message: Raw): void {
    this.#events.record(text(message['id']));
    this.#store(message);
    this.#callbacks.notify('SetMessageCreatedCallback', idOf(message['id']));
  }

  #store(message: Raw): void {
    const id = text(message['id']);
    if (idOf(id) === 0n) return;
    this.#users.take(message['author']);
    this.#byId.set(id, message);
    const other = this.#otherOf(message);
    if (idOf(other) === 0n || other === undefined) return;
    this.#met(message, other);
    this.#isLast(message, other);
  }

  #isLast(message: Raw, other: string): void {
    const id = text(message['id']);
    if (idOf(id) > idOf(this.#last.get(other))) this.#last.set(other, id);
  }

  /** Returns the other user of a direct message: its author, or the recipient when the player wrote it. */
  #otherOf(message: Raw): string | undefined {
    if (message['lobby_id'] !== undefined) return undefined;
    const author = text(member(message['author'], 'id'));
    if (author !== '' && author !== this.#users.myId && numberOf(message['channel_type'] ?? 1) === 1)
      return author;
    return this.#channels.otherIn(text(message['channel_id']));
  }

  #met(message: Raw, other: string): void {
    const type = numberOf(message['channel_type']) || ChannelType.Dm;
    this.#channels.met(text(message['channel_id']), other, type);
  }

  #handle(message: Raw): MessageHandle {
    const users = this.#users;
    const [writer] = objectsOf([message['author']]);
    const author = writer && users.handle(writer);
    const lobbyId = idOf(message['lobby_id']);
    if (lobbyId !== 0n) {
      const [channel, lobby] = [this.#channels.get(lobbyId), this.#lobbies.get(lobbyId)];
      return new MessageHandle(message, { author, channel, lobby });
    }
    const mine = users.myId !== undefined && text(writer?.['id']) === users.myId;
    const recipientId = mine ? this.#otherOf(message) : users.myId;
    const recipient = users.get(idOf(recipientId));
    const channel = this.#channels.get(idOf(message['channel_id']));
    return new MessageHandle(message, { recipientId, author, recipient, channel });
  }
}
