import type { HasOAuth2 } from '../../accounts/oauth2/oauth2.ts';
import { ApiError, missingScope, unauthorized } from '../../api/api-error.ts';
import type { BotCaller, Caller, TokenCaller } from '../../api/caller.ts';
import type { Access } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import type { HasApplications } from '../../applications/applications.ts';
import { botTokenOf, botUserOf, clientIdOfBotToken, isUserId } from '../../applications/bot.ts';
import type { ApplicationRecord } from '../../applications/records.ts';
import { isSameSecret } from '../../kernel/secrets.ts';

/** Services for authentication. */
export type Knowing = Base & HasApplications & HasOAuth2;

/**
 * Identifies the caller by the Authorization header. @throws ApiError when the operation does not permit this caller.
 */
export function callerOf(
  who: readonly Access[],
  authorization: string | undefined,
  platform: Knowing,
  isToken: TokenCheck = isTokenOf,
): Caller {
  const isOpen = who.some(({ kind }) => kind === 'anybody' || kind === 'client');
  // Optional credentials are checked only for operations on which they have an effect.
  const usesCredentials =
    authorization !== undefined && who.some(({ kind }) => kind === 'bot' || kind === 'bearer');
  if (isOpen && !usesCredentials) return undefined;
  const [, scheme = '', token = ''] =
    /^(Bearer|Bot) ([A-Za-z0-9._~+/=-]{1,512})$/i.exec(authorization ?? '') ?? [];
  const caller =
    scheme.toLowerCase() === 'bot' ? botOf(token, platform, isToken) : userOfToken(token, platform);
  if (caller === undefined) throw unauthorized();
  if (caller.kind === 'bot') {
    if (who.some(({ kind }) => kind === 'bot')) return caller;
    throw new ApiError('BotsCannotUseThisEndpoint');
  }
  const accesses = who.filter((one) => one.kind === 'bearer');
  if (accesses.length === 0) throw new ApiError('OnlyBotsCanUseThisEndpoint');
  const { effectiveScopes } = caller;
  const enough = accesses.some(
    ({ scopes }) => scopes.length === 0 || scopes.some((scope) => effectiveScopes.includes(scope)),
  );
  if (!enough) throw missingScope();
  return caller;
}

/** The user and the application of an access token. */
export function userOfToken(token: string, platform: Knowing): TokenCaller | undefined {
  if (token === '') return undefined;
  const found = platform.oauth2.introspect(token);
  return found.state === 'active' ? { kind: 'bearer', ...found } : undefined;
}

/** Whether a token is that of the application's bot. */
type TokenCheck = (application: ApplicationRecord, token: string) => boolean;

const isTokenOf: TokenCheck = (application, token) => isSameSecret(token, botTokenOf(application));

/** The last right token of each connection, which need not be compared in constant time with every request. */
export class KnownTokens {
  readonly #known = new WeakMap<
    object,
    { readonly token: string; readonly application: ApplicationRecord }
  >();

  /** The check for a connection. What it compares with is what the same connection sent before. */
  checkOf(connection: object): TokenCheck {
    return (application, token) => {
      const known = this.#known.get(connection);
      if (known?.token === token && known.application === application) return true;
      const isRight = isTokenOf(application, token);
      if (isRight) this.#known.set(connection, { token, application });
      return isRight;
    };
  }
}

/** The bot of a token. */
export function botOf(
  token: string,
  platform: Knowing,
  isToken: TokenCheck = isTokenOf,
): BotCaller | undefined {
  const known = platform.application(clientIdOfBotToken(token) ?? '');
  const application = known?.record;
  if (application === undefined || !isToken(application, token)) return undefined;
  if (isUserId(platform.world, application)) return undefined;
  const isUnlisted = known?.origin === 'first-sight';
  return { kind: 'bot', application, isUnlisted, user: botUserOf(platform.world, application) };
}
