import type { User } from '../client/index.ts';
import type { Activity } from './activity.ts';
import { AvatarType, RelationshipGroupType, RelationshipType, StatusType } from './enums.ts';
import { type Known, STRANGER } from './known.ts';
import { idOf, numberOf, oneIn, text } from './raw.ts';
import type { Raw } from './service.ts';
import { activityOf } from './told-activity.ts';
import { ToldHandle } from './told-handle.ts';
import { nameIn, oneOf } from './values.ts';

/** The bit of an account that only a game knows. */
const PROVISIONAL = 1 << 23;
/** How many pictures there are for those who have none. */
const DEFAULT_PICTURES = 6n;
/** Names of files, by format. */
const ENDINGS: Readonly<Record<AvatarType, string>> = {
  [AvatarType.Gif]: 'gif',
  [AvatarType.Webp]: 'webp',
  [AvatarType.Png]: 'png',
  [AvatarType.Jpeg]: 'jpg',
};

/** A user, as the chat client or the service told it; it does not change later. */
export class UserHandle extends ToldHandle {
  static readonly AvatarType: typeof AvatarType = AvatarType;
  readonly #user: Partial<User>;
  readonly #known: Known;

  /** A copy, or what was told of a user and is known of them besides. */
  constructor(user: UserHandle | Partial<User>, known: Known = STRANGER) {
    const isCopy = user instanceof UserHandle;
    super((isCopy ? user.#user : user) as Raw);
    this.#user = isCopy ? user.#user : user;
    this.#known = isCopy ? user.#known : known;
  }

  /** The name of a format. */
  static AvatarTypeToString(type: AvatarType): string {
    return nameIn(AvatarType, type);
  }

  Username(): string {
    return text(this.#user.username);
  }

  GlobalName(): string | undefined {
    return text(this.#user.global_name) || undefined;
  }

  /** The global name, else the user name. */
  DisplayName(): string {
    return this.GlobalName() ?? this.Username();
  }

  /** Hash of the avatar. */
  Avatar(): string | undefined {
    return text(this.#user.avatar) || undefined;
  }

  /**
   * Where the platform has the avatar, moving or not; of somebody who has none, one of its own, which is a PNG. It is an address
   * and nothing else: nothing is asked for. Throws RangeError for what is no format.
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
    // A WebP stands still unless it is asked to move.
    const query = moves && type === AvatarType.Webp ? '?animated=true' : '';
    return `${site}/avatars/${this.Id()}/${encodeURIComponent(hash)}.${ENDINGS[type]}${query}`;
  }

  /** Whether this is an account that only the game knows. */
  IsProvisional(): boolean {
    const { public_flags } = this.#user as { readonly public_flags?: unknown };
    return ((numberOf(this.#user.flags) | numberOf(public_flags)) & PROVISIONAL) !== 0;
  }

  /** Whether they are there; Offline where nobody tells. */
  Status(): StatusType {
    const { status } = this.#known.presence;
    const found = Object.entries(StatusType).find(([name]) => name.toLowerCase() === status);
    return found?.[1] ?? StatusType.Unknown;
  }

  /** What they do in this game, without what lets others join; undefined where nobody tells. */
  GameActivity(): Activity | undefined {
    const { applicationId, presence } = this.#known;
    const found = presence.activities.find((one) => idOf(one['application_id']) === applicationId);
    return found && applicationId !== 0n ? activityOf(found) : undefined;
  }

  /** What they are to the player; of type None for a stranger. */
  Relationship(): RelationshipHandle {
    return new RelationshipHandle(this.#user, this.#known);
  }
}

/** What a user is to the logged-in one, as the chat client or the service told it; it does not change later. */
export class RelationshipHandle extends ToldHandle {
  readonly #user: Partial<User>;
  readonly #known: Known;

  /** @param user of a stranger, the id alone */
  constructor(user: Partial<User>, known: Known) {
    super(user as Raw);
    this.#user = user;
    this.#known = known;
  }

  DiscordRelationshipType(): RelationshipType {
    return typeOf(this.#known.bond.type);
  }

  /** What they are in this game alone. */
  GameRelationshipType(): RelationshipType {
    return typeOf(this.#known.bond.gameType);
  }

  /** Whether the service takes their request for spam; false where it does not tell. */
  IsSpamRequest(): boolean {
    return this.#known.bond.isSpam;
  }

  /** Undefined for somebody of whom nothing was told but the id. */
  User(): UserHandle | undefined {
    return this.#user.username === undefined ? undefined : new UserHandle(this.#user, this.#known);
  }

  /** Undefined for somebody who is no friend. */
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
