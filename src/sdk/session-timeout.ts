import { within } from '../client/limit.ts';

/** Time limit of requests that delay a session (ms), because the player waits for it. */
const SESSION_TIMEOUT_MS = 2000;

/** Result of the work; undefined where it fails or exceeds the time limit. */
export function withinSessionTimeout<T>(work: Promise<T>): Promise<T | undefined> {
  return within(work, 'The session', SESSION_TIMEOUT_MS).catch(() => undefined);
}

/** Notices in order. One may be delayed; a later one replaces it. */
export class LatestNotice {
  #last = 0;

  /** Sends a notice now, or once `until` has settled. */
  send(notify: () => void, until: Promise<unknown> | undefined): void {
    this.#last += 1;
    const notice = this.#last;
    if (until === undefined) return notify();
    void withinSessionTimeout(until).then(() => {
      if (this.#last === notice) notify();
    });
  }
}
