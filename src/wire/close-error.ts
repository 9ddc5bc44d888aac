import type { CloseCode } from './codes.ts';

/** Ends the connection: the peer gets a CLOSE frame `{code, message}` and then end of file. */
export class CloseError extends Error {
  override readonly name = 'CloseError';
  readonly code: CloseCode;
  /** For the log only; never sent to the peer. */
  readonly detail: string | undefined;

  constructor(code: CloseCode, message: string, options?: { detail?: string; cause?: unknown }) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.detail = options?.detail;
  }
}
