import { BoundedMap } from './bounded-map.ts';
import { RelationshipHandle, UserHandle } from './handles.ts';
import type { Known } from './known.ts';
import { idOf, member, text } from './raw.ts';

/** Users of whom something is remembered; the oldest make room. */
const MOST_KEPT = 50_000;
/** Characters of one user, as JSON, that stay where less is told later: no service makes one ever larger. */
const MOST_KEPT_OF_ONE = 16 * 1024;

/** What users need of the client. */
export interface UsersHost {
  /** Something else is told of somebody than before. */
  changed(id: bigint): void;
  /** What is known of somebody besides their account. */
  known(id: string): Known;
}

/** Users of whom something was told: everybody who wrote, is known, or is oneself. */
export class Users {
  readonly #byId = new BoundedMap<object>(MOST_KEPT);
  readonly #host: UsersHost;
  /** Whose session it is. */
  me: object | undefined;

  constructor(host: UsersHost) {
    this.#host = host;
  }

  /** Takes what is told of one: what is not told now stays as it was. Anything but a user is passed over. */
  take(user: unknown): void {
    const id = member(user, 'id');
    if (typeof id !== 'string' || idOf(id) === 0n || member(user, 'username') === undefined) return;
    const before = this.#byId.get(id);
    if (before === undefined) return this.#byId.set(id, user as object);
    // Whoever writes is told with each message: seldom as somebody else, and with less than at another place.
    if (Object.entries(user as object).every(([name, said]) => isSame(said, member(before, name)))) return;
    this.#byId.set(
      id,
      JSON.stringify(before).length > MOST_KEPT_OF_ONE
        ? (user as object)
        : { ...before, ...(user as object) },
    );
    this.#host.changed(BigInt(id));
  }

  raw(id: string): object | undefined {
    return this.#byId.get(id);
  }

  get(id: bigint): UserHandle | undefined {
    const user = this.#byId.get(String(id));
    return user && this.handle(user);
  }

  /** A user as was told, with what is known of them now. */
  handle(user: object): UserHandle {
    return new UserHandle(user, this.#host.known(text(member(user, 'id'))));
  }

  /** What a user as was told is to the player, as is known now. */
  bond(user: object): RelationshipHandle {
    return new RelationshipHandle(user, this.#host.known(text(member(user, 'id'))));
  }

  get myId(): string | undefined {
    const id = member(this.me, 'id');
    return typeof id === 'string' ? id : undefined;
  }

  /** Nobody is logged in any more. */
  forget(): void {
    this.me = undefined;
    this.#byId.clear();
  }
}

function isSame(said: unknown, before: unknown): boolean {
  return JSON.stringify(said) === JSON.stringify(before);
}
