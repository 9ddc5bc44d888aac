import type { Deadline, EmulatorClock } from '../../kernel/clock.ts';
import type { Session } from './session.ts';

/** Sessions end with the token that opened or resumed them. One deadline serves all: that of the token that ends first. */
export class TokenEnds {
  readonly #sessions: Iterable<Session>;
  readonly #clock: Pick<EmulatorClock, 'at' | 'now'>;
  readonly #ended: (isOver: (session: Session) => boolean) => void;
  #next: { readonly at: number; readonly deadline: Deadline } | undefined;

  /** `ended` is called with what tells the sessions apart whose token has ended. */
  constructor(
    sessions: Iterable<Session>,
    clock: Pick<EmulatorClock, 'at' | 'now'>,
    ended: (isOver: (session: Session) => boolean) => void,
  ) {
    this.#sessions = sessions;
    this.#clock = clock;
    this.#ended = ended;
  }

  /** A session goes by a token that ends then. */
  begun({ owner: { expires } }: Session): void {
    if (expires !== undefined && expires < (this.#next?.at ?? Number.POSITIVE_INFINITY)) this.#set(expires);
  }

  /** A session is over: its token may have been the next to end. */
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
    // Of a session that goes by a later token since, that one is looked for.
    this.#settle();
  }
}
