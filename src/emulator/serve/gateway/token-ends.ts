import type { Deadline, EmulatorClock } from '../../kernel/clock.ts';
import type { Session } from './session.ts';

/** Ends sessions when their tokens expire. A single deadline, at the earliest expiry, serves all sessions. */
export class TokenEnds {
  readonly #sessions: Iterable<Session>;
  readonly #clock: Pick<EmulatorClock, 'at' | 'now'>;
  readonly #ended: (isOver: (session: Session) => boolean) => void;
  #next: { readonly at: number; readonly deadline: Deadline } | undefined;

  /** `ended` is called with a predicate that selects the sessions whose tokens have expired. */
  constructor(
    sessions: Iterable<Session>,
    clock: Pick<EmulatorClock, 'at' | 'now'>,
    ended: (isOver: (session: Session) => boolean) => void,
  ) {
    this.#sessions = sessions;
    this.#clock = clock;
    this.#ended = ended;
  }

  /** Records the expiry of a new session's token. */
  begun({ owner: { expires } }: Session): void {
    if (expires !== undefined && expires < (this.#next?.at ?? Number.POSITIVE_INFINITY)) this.#set(expires);
  }

  /** Updates the deadline when a session with the earliest expiry ends. */
  over({ owner: { expires } }: Session): void {
    if (expires !== undefined && expires === this.#next?.at) this.#settle();
  }

  #settle(): void {
    let at = Number.POSITIVE_INFINITY;
    for (const { owner } of this.#sessions) at = Math.min(at, owner.expires ?? at);
    if (at !== this.#next?.at) this.#set(at);
  }

  #set(at: number): void {
    this.#next?.deadline.cancel();
    this.#next = undefined;
    if (at === Number.POSITIVE_INFINITY) return;
    const deadline = this.#clock.at(at, () => this.#end());
    if (!deadline.over) this.#next = { at, deadline };
  }

  #end(): void {
    this.#next = undefined;
    const now = this.#clock.now();
    this.#ended(({ owner }) => owner.expires !== undefined && now >= owner.expires);
    // A session that was resumed with a later token has not expired and needs a new deadline.
    this.#settle();
  }
}
