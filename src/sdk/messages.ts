import { type ActivityInvite, inviteInMessage } from './activity-invite.ts';
import type { Callbacks } from './callbacks.ts';
import { MessageHandle, UserMessageSummary } from './message-handle.ts';
import { idOf, member, numberOf, objectsOf, text } from './raw.ts';
import type { Raw } from './service.ts';
import type { Users } from './users.ts';

/** Messages that can be asked for by their ids; the oldest make room. */
const MOST_KEPT = 25_000;

/** Messages of lobbies and of other players, as far as this client has seen them. */
export class Messages {
  readonly #callbacks: Callbacks;
  readonly #users: Users;
  readonly #onInvite: (invite: ActivityInvite) => void;
  readonly #byId = new Map<string, Raw>();
  /** Whom a private channel is shared with, by channel. */
  readonly #others = new Map<string, string>();
  /** The last message with a player, by player. */
  readonly #last = new Map<string, bigint>();

  constructor(callbacks: Callbacks, users: Users, onInvite: (invite: ActivityInvite) => void) {
    this.#callbacks = callbacks;
    this.#users = users;
    this.#onInvite = onInvite;
  }

  get(id: bigint): MessageHandle | undefined {
    const message = this.#byId.get(String(id));
    return message && this.#handle(message);
  }

  /** The last that was said with each player, newest first. */
  summaries(): UserMessageSummary[] {
    const all = [...this.#last].map(([user, message]) => new UserMessageSummary(BigInt(user), message));
    return all.toSorted((one, other) => (one.LastMessageId() < other.LastMessageId() ? 1 : -1));
  }

  /** A message that the service answered; `other` is the player whom a direct one is shared with. */
  take(message: Raw, other?: string): MessageHandle {
    if (other !== undefined) this.#others.set(text(message['channel_id']), other);
    this.#keep(message);
    return this.#handle(message);
  }

  forget(): void {
    this.#byId.clear();
    this.#others.clear();
    this.#last.clear();
  }

  /** One that this client deleted itself. */
  drop(id: string): void {
    this.#byId.delete(id);
  }

  /** Takes what the gateway says of messages and private channels. */
  hear(event: string, data: Raw): void {
    switch (event) {
      case 'CHANNEL_CREATE':
      case 'CHANNEL_UPDATE': {
        const [other, ...more] = objectsOf(data['recipients']);
        if (other === undefined || more.length > 0) return;
        this.#others.set(text(data['id']), text(other['id']));
        return this.#users.take(other);
      }
      case 'MESSAGE_CREATE': {
        const invite = inviteInMessage(data);
        return invite === undefined ? this.#created(data) : this.#onInvite(invite);
      }
      case 'LOBBY_MESSAGE_CREATE':
        return this.#created(data);
      case 'MESSAGE_UPDATE':
      case 'LOBBY_MESSAGE_UPDATE': {
        const before = this.#byId.get(text(data['id']));
        this.#keep({ ...before, ...data });
        return this.#callbacks.tell('SetMessageUpdatedCallback', idOf(data['id']));
      }
      case 'MESSAGE_DELETE':
      case 'LOBBY_MESSAGE_DELETE': {
        this.drop(text(data['id']));
        const channel = idOf(data['channel_id'] ?? data['lobby_id']);
        return this.#callbacks.tell('SetMessageDeletedCallback', idOf(data['id']), channel);
      }
      default:
    }
  }

  #created(message: Raw): void {
    this.#keep(message);
    this.#callbacks.tell('SetMessageCreatedCallback', idOf(message['id']));
  }

  #keep(message: Raw): void {
    const id = text(message['id']);
    if (idOf(id) === 0n) return;
    this.#users.take(message['author']);
    this.#byId.set(id, message);
    if (this.#byId.size > MOST_KEPT) this.#byId.delete(this.#byId.keys().next().value ?? '');
    const other = this.#otherOf(message);
    if (other === undefined) return;
    const last = this.#last.get(other) ?? 0n;
    if (idOf(id) > last) this.#last.set(other, idOf(id));
  }

  /** The other one of a direct message: whoever wrote it, unless that is oneself. */
  #otherOf(message: Raw): string | undefined {
    if (message['lobby_id'] !== undefined) return undefined;
    const author = text(member(message['author'], 'id'));
    if (author !== '' && author !== this.#users.myId && numberOf(message['channel_type'] ?? 1) === 1)
      return author;
    return this.#others.get(text(message['channel_id']));
  }

  #handle(message: Raw): MessageHandle {
    const author = text(member(message['author'], 'id'));
    const mine = author !== '' && author === this.#users.myId;
    const recipientId =
      message['lobby_id'] === undefined ? (mine ? this.#otherOf(message) : this.#users.myId) : undefined;
    return new MessageHandle(message, { recipientId });
  }
}
