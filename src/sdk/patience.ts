import { within } from '../client/limit.ts';

/** Time limit of requests that delay a session (ms), because the player waits for it. */
const PATIENCE_MS = 2000;

/** Result of the work; undefined where it fails or exceeds the time limit. */
export function inPatience<T>(work: Promise<T>): Promise<T | undefined> {
  return within(work, 'The session', PATIENCE_MS).catch(() => undefined);
}

/** Notices in order. One may be delayed; a later one replaces it. */
export class LastWord {
  #last = 0;

  /** Sends a notice now, or once `until` has settled. */
  say(tell: () => void, until: Promise<unknown> | undefined): void {
    this.#last += 1;
    const word = this.#last;
    if (until === undefined) return tell();
    void inPatience(until).then(() => {
      if (this.#last === word) tell();
    });
  }
}
