import { BoundedMap } from './bounded-map.ts';
import { RelationshipHandle, UserHandle } from './handles.ts';
import type { Known } from './known.ts';
import { idOf, member, text } from './raw.ts';

/** Maximum number of stored users; the oldest are evicted. */
const MAX_USERS = 50_000;
/**
 * Maximum size of one merged user, in characters of JSON. A larger user is replaced instead of merged, so that a
 * service cannot make it grow without end.
 */
const MAX_MERGED_CHARACTERS = 16 * 1024;

/** Parts of the client that users need. */
export interface UsersHost {
  /** The data of a user changed. */
  changed(id: bigint): void;
  /** Data of a user in addition to the account. */
  known(id: string): Known;
}

/** Users from any source, such as authors of messages, relationships, and the player. */
export class Users {
  readonly #byId = new BoundedMap<object>(MAX_USERS);
  readonly #host: UsersHost;
  /** The user of the session. */
  me: object | undefined;

  constructor(host: UsersHost) {
    this.#host = host;
  }

  /**
   * Stores a user merged with the previous data: missing fields keep their previous values. Ignores a value that is not
   * a user.
   */
  take(user: unknown): void {
    const id = member(user, 'id');
    if (typeof id !== 'string' || idOf(id) === 0n || member(user, 'username') === undefined) return;
    const before = this.#byId.get(id);
    if (before === undefined) return this.#byId.set(id, user as object);
    // This check is for messages: each contains its author, rarely with changes and with fewer fields than other
    // events.
    if (Object.entries(user as object).every(([name, value]) => isSame(value, member(before, name)))) return;
    this.#byId.set(
      id,
      JSON.stringify(before).length > MAX_MERGED_CHARACTERS
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

  /** Returns a snapshot of a user with the user's current presence and relationship. */
  handle(user: object): UserHandle {
    return new UserHandle(user, this.#host.known(text(member(user, 'id'))));
  }

  /** Relationship of a user with the player, from the current data. */
  bond(user: object): RelationshipHandle {
    return new RelationshipHandle(user, this.#host.known(text(member(user, 'id'))));
  }

  get myId(): string | undefined {
    const id = member(this.me, 'id');
    return typeof id === 'string' ? id : undefined;
  }

  /** Removes every user, the player included. */
  forget(): void {
    this.me = undefined;
    this.#byId.clear();
  }
}

function isSame(value: unknown, before: unknown): boolean {
  return JSON.stringify(value) === JSON.stringify(before);
}
