import { UserHandle } from './handles.ts';
import { member } from './raw.ts';

/** Users of whom something was told: everybody who wrote, is known, or is oneself. */
export class Users {
  readonly #byId = new Map<string, object>();
  readonly #onChange: (id: bigint) => void;
  /** Whose session it is. */
  me: object | undefined;

  constructor(onChange: (id: bigint) => void) {
    this.#onChange = onChange;
  }

  /** Takes what is told of one; anything but a user is passed over. */
  take(user: unknown): void {
    const id = member(user, 'id');
    if (typeof id !== 'string' || !/^\d{1,20}$/.test(id) || member(user, 'username') === undefined) return;
    const before = this.#byId.get(id);
    this.#byId.set(id, user as object);
    if (before !== undefined && JSON.stringify(before) !== JSON.stringify(user)) this.#onChange(BigInt(id));
  }

  raw(id: string): object | undefined {
    return this.#byId.get(id);
  }

  get(id: bigint): UserHandle | undefined {
    const user = this.#byId.get(String(id));
    return user && new UserHandle(user);
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
