import type { LogFields } from '../core/core.ts';
import { isRpcError, type RpcError } from '../protocol/errors.ts';
import type { RejectedRequest, Request } from '../protocol/payload.ts';

/**
 * Masks everything in a foreign error text that could be a token: long runs of characters that tokens consist of. Names
 * of commands and scopes remain, because they contain neither digits nor both cases.
 */
export function masked(text: string): string {
  return text
    .replace(/[\w.~+/=-]{20,}/g, (run) => (/^(?:[A-Z_]+|[a-z_.]+)$/.test(run) ? run : '…'))
    .slice(0, 500);
}

/**
 * Returns log fields of a refused request. They contain only the names in the peer's input, and a reason in which
 * possible tokens are masked.
 */
export function refusedFields(
  request: Request | RejectedRequest,
  { code, message }: Pick<RpcError, 'code' | 'message'>,
): LogFields {
  const { cmd } = request;
  const evt = 'error' in request ? undefined : request.evt;
  return {
    ...(typeof cmd === 'string' ? { cmd: masked(cmd) } : {}),
    ...(typeof evt === 'string' ? { evt: masked(evt) } : {}),
    code,
    reason: masked(message),
  };
}

/** Returns the reason of a failure: the detail for the log if there is one, else the text of the error. */
export function reasonOf(error: unknown): string {
  const detail = isRpcError(error) ? error.detail : undefined;
  return detail ?? (error instanceof Error ? `${error.name}: ${masked(error.message)}` : 'unknown');
}
