import { botTokenOf, botUserOf, clientIdOfBotToken } from '../applications/bot.ts';
import type { ApplicationRecord } from '../applications/records.ts';
import type { Introspection } from '../oauth2/oauth2.ts';
import { isSameSecret } from '../oauth2/random.ts';
import type { Platform } from '../platform.ts';
import type { User } from '../users/records.ts';
import { ApiError, unauthorized } from './api-error.ts';
import type { Access } from './operation.ts';

/** The bot of an application. */
export interface BotCaller {
  readonly kind: 'bot';
  readonly application: ApplicationRecord;
  readonly user: User;
}

/** A person, through an application that they authorized. */
export interface TokenCaller extends Extract<Introspection, { state: 'active' }> {
  readonly kind: 'bearer';
}

/** Who calls; undefined where anybody may, or where the application says who it is in the body. */
export type Caller = BotCaller | TokenCaller | undefined;

/** Codes of the platform for a caller of the wrong kind, and for one without the scope. */
const NOT_FOR_BOTS = 20001;
const FOR_BOTS_ONLY = 20002;
const MISSING_SCOPE = 50026;

/** Finds out who calls by the Authorization header. @throws ApiError when that caller may not. */
export function callerOf(
  who: readonly Access[],
  authorization: string | undefined,
  platform: Platform,
): Caller {
  if (who.some(({ kind }) => kind === 'anybody' || kind === 'client')) return undefined;
  const [, scheme = '', token = ''] =
    /^(Bearer|Bot) ([A-Za-z0-9._~+/=-]{1,512})$/i.exec(authorization ?? '') ?? [];
  const caller = scheme.toLowerCase() === 'bot' ? botOf(token, platform) : personOf(token, platform);
  if (caller === undefined) throw unauthorized();
  if (caller.kind === 'bot') {
    if (who.some(({ kind }) => kind === 'bot')) return caller;
    throw new ApiError(403, 'Bots cannot use this endpoint', { code: NOT_FOR_BOTS });
  }
  const accesses = who.filter((one) => one.kind === 'bearer');
  if (accesses.length === 0) {
    throw new ApiError(403, 'Only bots can use this endpoint', { code: FOR_BOTS_ONLY });
  }
  const { effectiveScopes } = caller;
  const enough = accesses.some(
    ({ scopes }) => scopes.length === 0 || scopes.some((scope) => effectiveScopes.includes(scope)),
  );
  if (!enough) throw new ApiError(403, 'Missing required OAuth2 scope', { code: MISSING_SCOPE });
  return caller;
}

function personOf(token: string, platform: Platform): TokenCaller | undefined {
  if (token === '') return undefined;
  const found = platform.oauth2.introspect(token);
  return found.state === 'active' ? { kind: 'bearer', ...found } : undefined;
}

function botOf(token: string, platform: Platform): BotCaller | undefined {
  const application = platform.application(clientIdOfBotToken(token) ?? '')?.record;
  if (application === undefined || !isSameSecret(token, botTokenOf(application))) return undefined;
  return { kind: 'bot', application, user: botUserOf(platform.world, application) };
}
