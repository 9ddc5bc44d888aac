/** Where the emulator tells the person who runs it what happened. No line holds a token, a code or a secret. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
}

/** A log that keeps nothing. */
export const silentLog: Log = { info: () => {}, warn: () => {} };

/** Where what goes wrong is written. */
export interface HasLog {
  readonly log: Log;
}
