import { type ApiOptions, post } from '../client/http.ts';
import { exchangeCode, refreshTokens, revokeToken, type TokenSet } from '../client/oauth2.ts';
import type { Issued } from './authorization.ts';
import { AuthenticationExternalAuthType, AuthorizationTokenType } from './enums.ts';
import type { Log } from './log.ts';
import { ValidationError } from './result.ts';
import { type Id, oneOf, uint64 } from './values.ts';

/** What GetToken and RefreshToken give. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly tokenType: AuthorizationTokenType;
  /** Seconds. */
  readonly expiresIn: number;
  /** Space-separated, as granted. */
  readonly scopes: string;
  /** With the scope `openid`; '' otherwise. */
  readonly idToken: string;
}

/** What ExchangeChildToken gives: a child token cannot be refreshed. */
export type ChildToken = Omit<Tokens, 'refreshToken' | 'idToken'>;

/** What is given where there are no tokens. */
export const NO_TOKENS: Tokens = {
  accessToken: '',
  refreshToken: '',
  tokenType: AuthorizationTokenType.Bearer,
  expiresIn: 0,
  scopes: '',
  idToken: '',
};

/** The entry points that talk to the service's HTTP API. */
export class TokenService {
  readonly #api: () => ApiOptions;
  readonly #log: Log;

  constructor(api: () => ApiOptions, log: Log) {
    this.#api = api;
    this.#log = log;
  }

  /** @param issued the last code, of which it must be known that its verifier can be checked */
  async getToken(
    applicationId: Id,
    code: string,
    verifier: string,
    redirectUri: string,
    issued: Issued | undefined,
  ) {
    if (issued?.challenged !== true) {
      const why = issued ? 'the Authorize before had none' : 'no Authorize has succeeded before';
      throw new ValidationError(
        `CodeChallenge: ${why}; give Authorize that of CreateAuthorizationCodeVerifier`,
      );
    }
    requireText('code', code);
    if (typeof redirectUri !== 'string') throw new ValidationError('redirectUri: must be a string');
    if (typeof verifier !== 'string' || !/^[\w.~-]{43,128}$/.test(verifier)) {
      throw new ValidationError('codeVerifier: must be 43 to 128 of the characters A-Z a-z 0-9 - . _ ~');
    }
    this.#log.hide(code, verifier);
    // A code that came over the socket was sent to no address: naming the one it stands for would be refused.
    const redirected = redirectUri !== '' && (issued.redirected || redirectUri !== issued.redirectUri);
    return this.#tokens(
      await exchangeCode(this.#client(applicationId), {
        code,
        verifier,
        ...(redirected ? { redirectUri } : {}),
      }),
    );
  }

  async refreshToken(applicationId: Id, token: string): Promise<Tokens> {
    this.#secret('refreshToken', token);
    return this.#tokens(await refreshTokens(this.#client(applicationId), token));
  }

  async revokeToken(applicationId: Id, token: string): Promise<object> {
    this.#secret('token', token);
    await revokeToken(this.#client(applicationId), token);
    return {};
  }

  async exchangeChildToken(parentToken: string, childApplicationId: Id): Promise<ChildToken> {
    this.#secret('parentApplicationToken', parentToken);
    const answer = await post(this.#api(), '/partner-sdk/child-token', {
      parent_access_token: parentToken,
      child_application_id: idText('childApplicationId', childApplicationId),
    });
    const { access_token: accessToken, expires_in: expiresIn, scope } = answer;
    if (typeof accessToken !== 'string' || accessToken === '')
      throw new TypeError('The answer holds no access_token');
    this.#log.hide(accessToken);
    return {
      accessToken,
      tokenType: AuthorizationTokenType.Bearer,
      expiresIn: typeof expiresIn === 'number' ? expiresIn : 0,
      scopes: typeof scope === 'string' ? scope : '',
    };
  }

  async unmerge(
    applicationId: Id,
    type: AuthenticationExternalAuthType,
    externalToken: string,
  ): Promise<object> {
    valid(() => oneOf('externalAuthType', type, AuthenticationExternalAuthType));
    this.#secret('externalAuthToken', externalToken);
    await post(this.#api(), '/partner-sdk/provisional-accounts/unmerge', {
      client_id: idText('applicationId', applicationId),
      external_auth_type: EXTERNAL_TYPES[type],
      external_auth_token: externalToken,
    });
    return {};
  }

  #client(applicationId: Id) {
    return { ...this.#api(), clientId: idText('applicationId', applicationId) };
  }

  #secret(field: string, value: string): void {
    requireText(field, value);
    this.#log.hide(value);
  }

  #tokens(tokens: TokenSet): Tokens {
    this.#log.hide(tokens.accessToken, tokens.refreshToken, tokens.idToken);
    return {
      accessToken: tokens.accessToken,
      refreshToken: tokens.refreshToken ?? '',
      tokenType: AuthorizationTokenType.Bearer,
      expiresIn: tokens.expiresIn,
      scopes: tokens.scopes.join(' '),
      idToken: tokens.idToken ?? '',
    };
  }
}

const EXTERNAL_TYPES: Readonly<Record<AuthenticationExternalAuthType, string>> = {
  [AuthenticationExternalAuthType.OIDC]: 'OIDC',
  [AuthenticationExternalAuthType.EpicOnlineServicesAccessToken]: 'EPIC_ONLINE_SERVICES_ACCESS_TOKEN',
  [AuthenticationExternalAuthType.EpicOnlineServicesIdToken]: 'EPIC_ONLINE_SERVICES_ID_TOKEN',
  [AuthenticationExternalAuthType.SteamSessionTicket]: 'STEAM_SESSION_TICKET',
  [AuthenticationExternalAuthType.UnityServicesIdToken]: 'UNITY_SERVICES_ID_TOKEN',
  [AuthenticationExternalAuthType.DiscordBotIssuedAccessToken]: 'DISCORD_BOT_ISSUED_ACCESS_TOKEN',
  [AuthenticationExternalAuthType.AppleIdToken]: 'APPLE_ID_TOKEN',
  [AuthenticationExternalAuthType.PlayStationNetworkIdToken]: 'PLAYSTATION_NETWORK_ID_TOKEN',
};

function requireText(field: string, value: unknown): void {
  if (typeof value !== 'string' || value === '')
    throw new ValidationError(`${field}: must be a string, not empty`);
}

/** An application's id as the wire has it. */
function idText(field: string, value: Id): string {
  return String(valid(() => uint64(field, value)));
}

function valid<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw new ValidationError((error as Error).message);
  }
}
