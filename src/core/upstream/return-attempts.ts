/** Minimum pause between two attempts to reconnect (ms); a request shortens a longer pause to this length. */
const MIN_PAUSE_MS = 50;
/** Maximum time that a request waits for an attempt (ms): the repeated AUTHENTICATE alone may take five seconds. */
const MAX_WAIT_MS = 6000;

type Pause =
  /** An attempt is under way, or no attempt is needed. */
  | { readonly kind: 'none' }
  | { readonly kind: 'short'; readonly hurry: () => void }
  /** The upstream has refused the session: requests fail during this pause. */
  | { readonly kind: 'long' };

/** The pauses between attempts of a relay to reconnect, and the requests that wait for an attempt. */
export class ReturnAttempts {
  #pause: Pause = { kind: 'none' };
  readonly #waiting = new Set<() => void>();

  /** Resolves after `ms`, or when `signal` aborts; a short pause ends earlier once a request waits. */
  pause(ms: number, kind: 'short' | 'long', signal: AbortSignal): Promise<void> {
    const begun = performance.now();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        this.#pause = { kind: 'none' };
        resolve();
      };
      let timer = setTimeout(end, ms).unref();
      const hurry = (): void => {
        clearTimeout(timer);
        timer = setTimeout(
          end,
          Math.max(0, Math.min(ms, MIN_PAUSE_MS) - (performance.now() - begun)),
        ).unref();
      };
      this.#pause = kind === 'long' ? { kind } : { kind, hurry };
      signal.addEventListener('abort', end);
      if (signal.aborted) end();
    });
  }

  /** Resolves when the next attempt has ended, with any outcome; resolves at once where no attempt is near. */
  next(): Promise<void> {
    if (this.#pause.kind === 'long') return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, MAX_WAIT_MS).unref();
      this.#waiting.add(end);
      if (this.#pause.kind === 'short') this.#pause.hurry();
    });
  }

  /** An attempt has ended. */
  ended(): void {
    for (const end of this.#waiting) end();
  }
}
