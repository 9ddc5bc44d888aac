import { ApiError, notFound } from './api-error.ts';
import type { BotCaller } from './caller.ts';

const UNKNOWN_APPLICATION = 10002;
const MISSING_ACCESS = 50001;

/** @throws ApiError for an application that is not the bot's own: it may see and change no other. */
export function checkOwn(caller: BotCaller, applicationId: string): void {
  if (caller.application.id === applicationId) return;
  if (caller.application.parent === applicationId)
    throw new ApiError(403, 'Missing Access', { code: MISSING_ACCESS });
  throw notFound('Unknown Application', UNKNOWN_APPLICATION);
}
