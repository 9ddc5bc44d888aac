import { quietTimer } from '../client/limit.ts';

/** What a session waits for at most (ms): the player waits for the session. */
const PATIENCE_MS = 2000;

/** What comes of the work; undefined where that takes too long for whoever waits for a session. */
export function inPatience<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = quietTimer(() => resolve(undefined), PATIENCE_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Words in order, of which one may be kept back: a later one takes its place. */
export class LastWord {
  #last = 0;

  /** Says it now, or once `until` is over. */
  say(tell: () => void, until: Promise<unknown> | undefined): void {
    this.#last += 1;
    const word = this.#last;
    if (until === undefined) return tell();
    const over = inPatience(until).catch(() => {});
    void over.then(() => {
      if (this.#last === word) tell();
    });
  }
}
