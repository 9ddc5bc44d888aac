import { ErrorCode } from '../../protocol/error-code.ts';
import { RpcError } from '../../protocol/errors.ts';
import { isObject } from '../../protocol/json.ts';
import type { Ready } from '../core.ts';

/** Answer to a request while the upstream is away. */
export function away(): RpcError {
  return new RpcError(
    ErrorCode.SERVICE_UNAVAILABLE,
    'The chat client is away; try again once it has restarted',
  );
}

/** Error in an answer of the upstream, whose data may be anything. */
export function upstreamError(data: unknown): RpcError {
  // The reference server may omit the message, and sometimes all data.
  const { code, message } = isObject(data) ? data : {};
  return new RpcError(
    (typeof code === 'number' ? code : ErrorCode.UNKNOWN_ERROR) as ErrorCode,
    typeof message === 'string' && message !== '' ? message : 'The chat client gave no reason',
  );
}

/** Id of the account in READY. */
export function userOf(ready: Ready): string | undefined {
  return isObject(ready.user) && typeof ready.user.id === 'string' ? ready.user.id : undefined;
}

/** Scopes in the answer to AUTHENTICATE. */
export function scopesOf(data: unknown): string[] {
  const scopes = isObject(data) && Array.isArray(data.scopes) ? data.scopes : [];
  return scopes.filter((scope) => typeof scope === 'string');
}
