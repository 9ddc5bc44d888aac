import { isCoded } from '../wire/close-error.ts';
import type { ErrorCode } from './error-code.ts';

/**
 * Fails one request: the peer receives `{cmd, evt: "ERROR", nonce, data: {code, message}}`, and the session continues.
 * `message` is for the peer, `detail` and `cause` are for the log.
 */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: ErrorCode;
  readonly detail: string | undefined;

  constructor(code: ErrorCode, message: string, options?: { detail?: string; cause?: unknown }) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.detail = options?.detail;
  }
}

/** Whether a thrown value fails one request. Accepts errors from any copy of the class; see `isCloseError`. */
export function isRpcError(error: unknown): error is RpcError {
  return isCoded(error, 'RpcError');
}
