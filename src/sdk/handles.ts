import type { Relationship, User } from '../client/index.ts';
import { ActivityActionTypes, RelationshipGroupType, RelationshipType } from './enums.ts';

/** A user, as the chat client told it; it does not change later. */
export class UserHandle {
  readonly #user: Partial<User>;

  constructor(user: Partial<User>) {
    this.#user = user;
  }

  Id(): bigint {
    return idOf(this.#user.id);
  }

  Username(): string {
    return text(this.#user.username);
  }

  GlobalName(): string | undefined {
    return this.#user.global_name ?? undefined;
  }

  /** The global name, else the user name. */
  DisplayName(): string {
    return this.GlobalName() ?? this.Username();
  }

  /** Hash of the avatar. */
  Avatar(): string | undefined {
    return this.#user.avatar ?? undefined;
  }
}

/** What a user is to the logged-in one, as the chat client told it; it does not change later. */
export class RelationshipHandle {
  readonly #relationship: Relationship;

  constructor(relationship: Relationship) {
    this.#relationship = relationship;
  }

  Id(): bigint {
    return this.User().Id();
  }

  DiscordRelationshipType(): RelationshipType {
    const { type } = this.#relationship;
    return Object.values(RelationshipType).find((known) => known === type) ?? RelationshipType.None;
  }

  User(): UserHandle {
    return new UserHandle(this.#relationship.user ?? {});
  }

  /** Undefined for somebody who is no friend. */
  Group(applicationId: bigint): RelationshipGroupType | undefined {
    if (this.DiscordRelationshipType() !== RelationshipType.Friend) return undefined;
    const { status, activity } = this.#relationship.presence ?? { status: 'offline', activity: null };
    if (status === 'offline') return RelationshipGroupType.Offline;
    const plays = activity?.['application_id'] === String(applicationId);
    return plays ? RelationshipGroupType.OnlinePlayingGame : RelationshipGroupType.OnlineElsewhere;
  }
}

/** An invite to somebody's activity. */
export class ActivityInvite {
  readonly #data: Readonly<Record<string, unknown>>;

  /** @param data `data` of ACTIVITY_INVITE */
  constructor(data: object) {
    this.#data = data as Readonly<Record<string, unknown>>;
  }

  Type(): ActivityActionTypes {
    const { type } = this.#data;
    return Object.values(ActivityActionTypes).find((known) => known === type) ?? ActivityActionTypes.Invalid;
  }

  SenderId(): bigint {
    return idOf(member(this.#data['user'], 'id'));
  }

  ChannelId(): bigint {
    return idOf(this.#data['channel_id']);
  }

  MessageId(): bigint {
    return idOf(this.#data['message_id']);
  }

  /** The application that is played; an invite may come from a sibling application. */
  ApplicationId(): bigint {
    return idOf(this.#data['application_id'] ?? member(this.#data['activity'], 'application_id'));
  }

  SessionId(): string {
    return text(this.#data['session_id'] ?? member(this.#data['activity'], 'session_id'));
  }

  PartyId(): string {
    return text(member(member(this.#data['activity'], 'party'), 'id'));
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function idOf(value: unknown): bigint {
  return typeof value === 'string' && /^\d{1,20}$/.test(value) ? BigInt(value) : 0n;
}
