import type { User } from '../client/index.ts';
import type { Activity } from './activity.ts';
import { AvatarType, ChannelType, RelationshipGroupType, RelationshipType, StatusType } from './enums.ts';
import { type Known, STRANGER } from './known.ts';
import { idOf, numberOf, objectsOf, oneIn, type Raw, text } from './raw.ts';
import { activityOf } from './raw-activity.ts';
import { NamedHandle, SnapshotHandle } from './snapshot-handle.ts';
import { nameIn, oneOf } from './values.ts';

/** Account flag: the account is provisional, so only one game knows it. */
const PROVISIONAL = 1 << 23;
/** Number of default avatars. */
const DEFAULT_PICTURES = 6n;
/** File extension of each format. */
const ENDINGS: Readonly<Record<AvatarType, string>> = {
  [AvatarType.Gif]: 'gif',
  [AvatarType.Webp]: 'webp',
  [AvatarType.Png]: 'png',
  [AvatarType.Jpeg]: 'jpg',
};

/** Snapshot of a user from the chat client or the service; the snapshot does not change later. */
export class UserHandle extends SnapshotHandle {
  static readonly AvatarType: typeof AvatarType = AvatarType;
  readonly #user: Partial<User>;
  readonly #known: Known;

  /** Copies a handle, or creates a handle from a received user and the other data of that user. */
  constructor(user: UserHandle | Partial<User>, known: Known = STRANGER) {
    const isCopy = user instanceof UserHandle;
    super((isCopy ? user.#user : user) as Raw);
    this.#user = isCopy ? user.#user : user;
    this.#known = isCopy ? user.#known : known;
  }

  /** Name of a format. */
  static AvatarTypeToString(type: AvatarType): string {
    return nameIn(AvatarType, type);
  }

  Username(): string {
    return text(this.#user.username);
  }

  GlobalName(): string | undefined {
    return text(this.#user.global_name) || undefined;
  }

  /** Global name of the user; without a global name, the user name. */
  DisplayName(): string {
    return this.GlobalName() ?? this.Username();
  }

  /** Hash of the avatar. */
  Avatar(): string | undefined {
    return text(this.#user.avatar) || undefined;
  }

  /**
   * URL of the avatar, animated or not. For a user without an avatar it is the URL of a default avatar, which is a PNG.
   * The method downloads nothing. Throws RangeError for an unknown format.
   */
  AvatarUrl(animatedType: AvatarType, staticType: AvatarType): string {
    const [animated, still] = [
      oneOf('animatedType', animatedType, AvatarType),
      oneOf('staticType', staticType, AvatarType),
    ];
    const site = `https://${this.#known.cdn}`;
    const hash = this.Avatar();
    if (!hash) return `${site}/embed/avatars/${(this.Id() >> 22n) % DEFAULT_PICTURES}.png`;
    const moves = hash.startsWith('a_');
    const type = moves ? animated : still;
    // The image host animates a WebP only on request.
    const query = moves && type === AvatarType.Webp ? '?animated=true' : '';
    return `${site}/avatars/${this.Id()}/${encodeURIComponent(hash)}.${ENDINGS[type]}${query}`;
  }

  /** Whether this is a provisional account, known to the game only. */
  IsProvisional(): boolean {
    const { public_flags } = this.#user as { readonly public_flags?: unknown };
    return ((numberOf(this.#user.flags) | numberOf(public_flags)) & PROVISIONAL) !== 0;
  }

  /** Online status; Offline when the client has received no status. */
  Status(): StatusType {
    const { status } = this.#known.presence;
    const found = Object.entries(StatusType).find(([name]) => name.toLowerCase() === status);
    return found?.[1] ?? StatusType.Unknown;
  }

  /**
   * The user's activity in this game, without its join secret; undefined when the client has received no such activity.
   */
  GameActivity(): Activity | undefined {
    const { applicationId, presence } = this.#known;
    const found = presence.activities.find((one) => idOf(one['application_id']) === applicationId);
    return found && applicationId !== 0n ? activityOf(found) : undefined;
  }

  /** Relationship with the player; a relationship of type None for a stranger. */
  Relationship(): RelationshipHandle {
    return new RelationshipHandle(this.#user, this.#known);
  }
}

/**
 * Snapshot of a user's relationship with the logged-in user, from the chat client or the service; the snapshot does not
 * change later.
 */
export class RelationshipHandle extends SnapshotHandle {
  readonly #user: Partial<User>;
  readonly #known: Known;

  /** @param user the user; for a stranger, an object with only the id */
  constructor(user: Partial<User>, known: Known) {
    super(user as Raw);
    this.#user = user;
    this.#known = known;
  }

  DiscordRelationshipType(): RelationshipType {
    return typeOf(this.#known.bond.type);
  }

  /** Relationship in this game only. */
  GameRelationshipType(): RelationshipType {
    return typeOf(this.#known.bond.gameType);
  }

  /** Whether the service classifies the user's request as spam; false when the service does not send this. */
  IsSpamRequest(): boolean {
    return this.#known.bond.isSpam;
  }

  /** The user; undefined when the client knows only the user's id. */
  User(): UserHandle | undefined {
    return this.#user.username === undefined ? undefined : new UserHandle(this.#user, this.#known);
  }

  /** Group of the friend by presence; undefined for a user who is not a friend. */
  Group(applicationId: bigint): RelationshipGroupType | undefined {
    const types = [this.DiscordRelationshipType(), this.GameRelationshipType()];
    if (!types.includes(RelationshipType.Friend)) return undefined;
    const { status, activities } = this.#known.presence;
    if (status === 'offline') return RelationshipGroupType.Offline;
    const plays = activities.some((activity) => activity['application_id'] === String(applicationId));
    return plays ? RelationshipGroupType.OnlinePlayingGame : RelationshipGroupType.OnlineElsewhere;
  }

  override toJSON(): object {
    const { type, gameType, isSpam } = this.#known.bond;
    return { id: this.#user.id, type, game_type: gameType, is_spam_request: isSpam, user: this.#user };
  }
}

function typeOf(type: number): RelationshipType {
  return oneIn(RelationshipType, type) ?? RelationshipType.None;
}

/**
 * Snapshot of a channel that has messages; the snapshot does not change later. The only private channels with a name
 * are groups.
 */
export class ChannelHandle extends NamedHandle {
  Type(): ChannelType {
    return oneIn(ChannelType, numberOf(this.snapshot['type'])) ?? ChannelType.Dm;
  }

  /** The other users of a private channel; empty for a lobby. */
  Recipients(): bigint[] {
    return objectsOf(this.snapshot['recipients']).map(({ id }) => idOf(id));
  }
}
