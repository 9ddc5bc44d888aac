import type { Relationship, User } from '../client/index.ts';
import { RelationshipGroupType, RelationshipType } from './enums.ts';
import { idOf, text } from './raw.ts';

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

/** What a user is to the logged-in one, as the chat client or the service told it; it does not change later. */
export class RelationshipHandle {
  readonly #relationship: Relationship;
  readonly #gameType: number;
  readonly #activities: readonly Readonly<Record<string, unknown>>[];

  /** @param gameType what they are in this game, which only the service tells */
  constructor(
    relationship: Relationship,
    gameType: number = RelationshipType.None,
    activities: readonly Readonly<Record<string, unknown>>[] = [],
  ) {
    this.#relationship = relationship;
    this.#gameType = gameType;
    const { activity } = relationship.presence ?? {};
    this.#activities = activities.length > 0 || !activity ? activities : [{ ...activity }];
  }

  Id(): bigint {
    return this.User().Id();
  }

  DiscordRelationshipType(): RelationshipType {
    return typeOf(this.#relationship.type);
  }

  /** What they are in this game alone. */
  GameRelationshipType(): RelationshipType {
    return typeOf(this.#gameType);
  }

  User(): UserHandle {
    return new UserHandle(this.#relationship.user ?? {});
  }

  /** Undefined for somebody who is no friend. */
  Group(applicationId: bigint): RelationshipGroupType | undefined {
    const types = [this.DiscordRelationshipType(), this.GameRelationshipType()];
    if (!types.includes(RelationshipType.Friend)) return undefined;
    const { status } = this.#relationship.presence ?? { status: 'offline' };
    if (status === 'offline') return RelationshipGroupType.Offline;
    const plays = this.#activities.some((activity) => activity['application_id'] === String(applicationId));
    return plays ? RelationshipGroupType.OnlinePlayingGame : RelationshipGroupType.OnlineElsewhere;
  }
}

function typeOf(type: number): RelationshipType {
  return Object.values(RelationshipType).find((known) => known === type) ?? RelationshipType.None;
}
