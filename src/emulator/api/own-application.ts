import { ApiError } from './api-error.ts';
import type { BotCaller } from './caller.ts';

/**
 * Checks that the application is the bot's own. @throws ApiError for another application, which a bot may neither see
 * nor change.
 */
export function checkOwn(caller: BotCaller, applicationId: string): void {
  if (caller.application.id === applicationId) return;
  if (caller.application.parent === applicationId) throw new ApiError('MissingAccess');
  throw new ApiError('UnknownApplication');
}
