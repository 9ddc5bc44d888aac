import type { CloseCode } from './codes.ts';

/** Ends the connection: the peer gets a CLOSE frame `{code, message}` and then end of file. */
export class CloseError extends Error {
  override readonly name = 'CloseError';
  declare readonly code: CloseCode;
  /** For the log only; never sent to the peer. */
  declare readonly detail: string | undefined;

  constructor(code: CloseCode, message: string, options?: { detail?: string; cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.detail = options?.detail;
  }
}

/**
 * Whether a thrown value ends the connection. Use this rather than `instanceof` on errors of a client core: a
 * third-party core may include a copy of this class.
 */
export function isCloseError(error: unknown): error is CloseError {
  return isCoded(error, 'CloseError');
}

/** Whether it is an Error of that name with a whole number as its `code`. */
export function isCoded(error: unknown, name: string): boolean {
  if (!(error instanceof Error) || error.name !== name || !('code' in error)) return false;
  return Number.isInteger(error.code) && typeof error.message === 'string';
}
