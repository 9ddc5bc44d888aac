import { within } from '../client/limit.ts';

/** What a session waits for at most (ms): the player waits for the session. */
const PATIENCE_MS = 2000;

/** What comes of the work; undefined where that fails, or takes too long for whoever waits for a session. */
export function inPatience<T>(work: Promise<T>): Promise<T | undefined> {
  return within(work, 'The session', PATIENCE_MS).catch(() => undefined);
}

/** Words in order, of which one may be kept back: a later one takes its place. */
export class LastWord {
  #last = 0;

  /** Says it now, or once `until` is over. */
  say(tell: () => void, until: Promise<unknown> | undefined): void {
    this.#last += 1;
    const word = this.#last;
    if (until === undefined) return tell();
    void inPatience(until).then(() => {
      if (this.#last === word) tell();
    });
  }
}
