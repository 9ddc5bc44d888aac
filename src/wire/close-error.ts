import type { CloseCode } from './codes.ts';

/** Error that ends a connection: the peer gets a CLOSE frame `{code, message}` and then the end of the stream. */
export class CloseError extends Error {
  override readonly name = 'CloseError';
  declare readonly code: CloseCode;
  /** Detail for the log; it is never sent to the peer. */
  declare readonly detail: string | undefined;

  constructor(code: CloseCode, message: string, options?: { detail?: string; cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.detail = options?.detail;
  }
}

/**
 * Whether a thrown value ends the connection. Use this function instead of `instanceof` for errors of a client core,
 * because a third-party core may contain its own copy of the class.
 */
export function isCloseError(error: unknown): error is CloseError {
  return isCoded(error, 'CloseError');
}

/** Whether a value is an Error with this name and a whole number as its `code`. */
export function isCoded(error: unknown, name: string): boolean {
  if (!(error instanceof Error) || error.name !== name || !('code' in error)) return false;
  return Number.isInteger(error.code) && typeof error.message === 'string';
}
