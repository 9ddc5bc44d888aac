import type { HasOAuth2 } from '../../accounts/oauth2/oauth2.ts';
import { ApiError, unauthorized } from '../../api/api-error.ts';
import type { BotCaller, Caller, TokenCaller } from '../../api/caller.ts';
import type { Access } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import type { HasApplications, KnownApplication } from '../../applications/applications.ts';
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
  identify: Identify = identified,
): Caller {
  const isOpen = who.some(({ kind }) => kind === 'anybody' || kind === 'client');
  // Optional credentials are checked only for operations on which they have an effect.
  const usesCredentials =
    authorization !== undefined && who.some(({ kind }) => kind === 'bot' || kind === 'bearer');
  if (isOpen && !usesCredentials) return undefined;
  const caller = identify(authorization ?? '', platform);
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
  if (!enough) throw new ApiError('MissingRequiredOAuth2Scope');
  return caller;
}

/** The user and the application of an access token. */
export function userOfToken(token: string, platform: Knowing): TokenCaller | undefined {
  if (token === '') return undefined;
  const found = platform.oauth2.introspect(token);
  return found.state === 'active' ? { kind: 'bearer', ...found } : undefined;
}

/** Whose credentials an Authorization header contains; undefined for credentials that are nobody's. */
type Identify = (authorization: string, platform: Knowing) => Caller;

/** Identifies the credentials of an Authorization header. */
export function identified(authorization: string, platform: Knowing): Caller {
  const [, scheme = '', token = ''] = /^(Bearer|Bot) ([A-Za-z0-9._~+/=-]{1,512})$/i.exec(authorization) ?? [];
  return scheme.toLowerCase() === 'bot' ? botOf(token, platform) : userOfToken(token, platform);
}

/** The bot whose header a connection sent last, which need not be read and compared in constant time with every request. */
export class KnownBots {
  readonly #known = new WeakMap<
    object,
    { readonly authorization: string; readonly application: ApplicationRecord }
  >();

  /** Identifies the callers of a connection. What it compares with is what the same connection sent before. */
  identifierOf(connection: object): Identify {
    return (authorization, platform) => {
      const known = this.#known.get(connection);
      if (known?.authorization === authorization) {
        const found = platform.application(known.application.id);
        // Another record may have another token.
        if (found?.record === known.application) return botOfApplication(found, platform);
      }
      const caller = identified(authorization, platform);
      if (caller?.kind === 'bot')
        this.#known.set(connection, { authorization, application: caller.application });
      return caller;
    };
  }
}

/** The bot of a token. */
export function botOf(token: string, platform: Knowing): BotCaller | undefined {
  const found = platform.application(clientIdOfBotToken(token) ?? '');
  if (found === undefined) return undefined;
  const { record } = found;
  const own = botTokenOf(record, platform.worldName);
  // Encoders of base64 pad the id.
  const forms = [token, token.replace(/^([\w-]+)={1,2}(?=\.)/, '$1')];
  if (!forms.some((one) => isSameSecret(one, own) || isSameSecret(one, botTokenOf(record)))) return undefined;
  return botOfApplication(found, platform);
}

function botOfApplication(
  { record: application, origin }: KnownApplication,
  { world }: Knowing,
): BotCaller | undefined {
  if (isUserId(world, application)) return undefined;
  return {
    kind: 'bot',
    application,
    isUnlisted: origin === 'first-sight',
    user: botUserOf(world, application),
  };
}
