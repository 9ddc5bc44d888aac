import { within } from '../client/limit.ts';

/** Time limit of requests that delay a session (ms), because the player waits for the session. */
const SESSION_TIMEOUT_MS = 2000;

/** Returns the result of the work; undefined when the work fails or exceeds the time limit. */
export function withinSessionTimeout<T>(work: Promise<T>): Promise<T | undefined> {
  return within(work, 'The session', SESSION_TIMEOUT_MS).catch(() => undefined);
}

/** Sends notices in order. A later notice replaces one that is still delayed. */
export class LatestNotice {
  #last = 0;

  /** Sends a notice at once, or after `until` has settled. */
  send(notify: () => void, until: Promise<unknown> | undefined): void {
    this.#last += 1;
    const notice = this.#last;
    if (until === undefined) return notify();
    void withinSessionTimeout(until).then(() => {
      if (this.#last === notice) notify();
    });
  }
}
