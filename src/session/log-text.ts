import type { LogFields } from '../core/core.ts';
import { isRpcError, type RpcError } from '../protocol/errors.ts';
import type { RejectedRequest, Request } from '../protocol/payload.ts';

/**
 * A foreign error text without anything that could be a token: long runs of the characters of tokens. Names of commands
 * and scopes stay, because they have neither digits nor both cases.
 */
export function masked(text: string): string {
  return text
    .replace(/[\w.~+/=-]{20,}/g, (run) => (/^(?:[A-Z_]+|[a-z_.]+)$/.test(run) ? run : '…'))
    .slice(0, 500);
}

/**
 * Fields of a refused request: only the names of the peer's input, and a reason without anything that could be a
 * token.
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

/** The reason of a failure: its detail for the log, or the error's own text. */
export function reasonOf(error: unknown): string {
  const detail = isRpcError(error) ? error.detail : undefined;
  return detail ?? (error instanceof Error ? `${error.name}: ${masked(error.message)}` : 'unknown');
}
