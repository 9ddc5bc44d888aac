import { ApiError } from './api-error.ts';
import type { BotCaller } from './caller.ts';

/** @throws ApiError for an application that is not the bot's own: it may see and change no other. */
export function checkOwn(caller: BotCaller, applicationId: string): void {
  if (caller.application.id === applicationId) return;
  if (caller.application.parent === applicationId) throw new ApiError('MissingAccess');
  throw new ApiError('UnknownApplication');
}
