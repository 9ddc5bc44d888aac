import { ErrorCode } from './error-code.ts';
import { isRpcError } from './errors.ts';

/** Whether a chat client that is here has refused a request; false for one that is away. */
export function isRefusal(error: unknown): boolean {
  return isRpcError(error) && error.code !== ErrorCode.SERVICE_UNAVAILABLE;
}
