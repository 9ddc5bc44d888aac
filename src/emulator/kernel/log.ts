/** Log for the user who runs the emulator. No line contains a token, a code or a secret. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
}

/** A log that discards everything. */
export const silentLog: Log = { info: () => {}, warn: () => {} };

/** Service with a log. */
export interface HasLog {
  readonly log: Log;
}
