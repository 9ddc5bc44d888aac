import type { Deadline, EmulatorClock } from '../clock.ts';
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

  /** A session has a token now, or is over. */
  settle(): void {
    let at = Number.POSITIVE_INFINITY;
    for (const { owner } of this.#sessions) at = Math.min(at, owner.expires ?? at);
    if (at === this.#next?.at) return;
    this.#next?.deadline.cancel();
    this.#next = undefined;
    if (at === Number.POSITIVE_INFINITY) return;
    const deadline = this.#clock.at(at, () => this.#end());
    if (!deadline.over) this.#next = { at, deadline };
  }

  #end(): void {
    const now = this.#clock.now();
    this.#ended(({ owner }) => owner.expires !== undefined && now >= owner.expires);
  }
}
