import { type ApiOptions, post } from '../client/http.ts';
import { exchangeCode, refreshTokens, revokeToken } from '../client/token-requests.ts';
import { type TokenSet, tokenSetOf } from '../client/token-set.ts';
import type { Issued } from './authorization.ts';
import type { ChildToken, Tokens } from './authorized.ts';
import { idText, needText, valid } from './checks.ts';
import { AuthenticationExternalAuthType, AuthorizationTokenType } from './enums.ts';
import type { Log } from './log.ts';
import { ValidationError } from './result.ts';
import { type Id, oneOf } from './values.ts';

/** Values without tokens. */
export const NO_TOKENS: Tokens = {
  accessToken: '',
  refreshToken: '',
  tokenType: AuthorizationTokenType.Bearer,
  expiresIn: 0,
  scopes: '',
  idToken: '',
};

/** Requests for tokens to the service's HTTP API. */
export class TokenService {
  readonly #api: () => ApiOptions;
  readonly #log: Log;

  constructor(api: () => ApiOptions, log: Log) {
    this.#api = api;
    this.#log = log;
  }

  /** @param issued the last code of this client, if any */
  async getToken(
    applicationId: Id,
    code: string,
    verifier: string,
    redirectUri: string,
    issued: Issued | undefined,
  ) {
    return this.#tokens(
      await exchangeCode(this.#client(applicationId), this.#codeGrant(code, verifier, redirectUri, issued)),
    );
  }

  #codeGrant(
    code: string,
    verifier: string,
    redirectUri: string,
    issued: Issued | undefined,
  ): { readonly code: string; readonly verifier: string; readonly redirectUri?: string } {
    // The check needs a code that this client requested. For a code of another client, the service checks the verifier.
    if (issued !== undefined && !issued.challenged) {
      throw new ValidationError(
        'CodeChallenge: the Authorize before had none; give Authorize that of CreateAuthorizationCodeVerifier',
      );
    }
    needText('code', code);
    if (typeof redirectUri !== 'string') throw new ValidationError('redirectUri: must be a string');
    if (typeof verifier !== 'string' || !/^[\w.~-]{43,128}$/.test(verifier)) {
      throw new ValidationError('codeVerifier: must be 43 to 128 of the characters A-Z a-z 0-9 - . _ ~');
    }
    this.#log.hide(code, verifier);
    // A code from the chat client's socket is bound to no redirect address, and the service would reject an exchange
    // that names one.
    const wasSent = issued === undefined ? /^https?:/.test(redirectUri) : issued.redirected;
    const redirected = redirectUri !== '' && (wasSent || (issued && redirectUri !== issued.redirectUri));
    return { code, verifier, ...(redirected ? { redirectUri } : {}) };
  }

  async refreshToken(applicationId: Id, token: string): Promise<Tokens> {
    this.#secret('refreshToken', token);
    return this.#tokens(await refreshTokens(this.#client(applicationId), token));
  }

  async revokeToken(applicationId: Id, token: string): Promise<void> {
    this.#secret('token', token);
    await revokeToken(this.#client(applicationId), token);
  }

  async exchangeChildToken(parentToken: string, childApplicationId: Id): Promise<ChildToken> {
    this.#secret('parentApplicationToken', parentToken);
    const answer = await post(this.#api(), '/partner-sdk/child-token', {
      parent_access_token: parentToken,
      child_application_id: idText('childApplicationId', childApplicationId),
    });
    const { accessToken, tokenType, expiresIn, scopes } = this.#tokens(tokenSetOf(answer));
    return { accessToken, tokenType, expiresIn, scopes };
  }

  /**
   * Requests tokens of the provisional account that belongs to an external token; the service creates a missing
   * account.
   */
  async provisional(
    applicationId: Id,
    type: AuthenticationExternalAuthType,
    externalToken: string,
  ): Promise<Tokens> {
    const answer = await post(
      this.#api(),
      '/partner-sdk/token',
      this.#external(applicationId, type, externalToken),
    );
    return this.#tokens(tokenSetOf(answer));
  }

  /**
   * Exchanges a code like `getToken`, for a player with a provisional account: the service merges that account into the
   * account of the code.
   */
  async merge(
    grant: {
      readonly applicationId: Id;
      readonly code: string;
      readonly verifier: string;
      readonly redirectUri: string;
      readonly issued: Issued | undefined;
    },
    type: AuthenticationExternalAuthType,
    externalToken: string,
  ): Promise<Tokens> {
    const { client_id, ...external } = this.#external(grant.applicationId, type, externalToken);
    const form = this.#codeGrant(grant.code, grant.verifier, grant.redirectUri, grant.issued);
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id,
      code: form.code,
      code_verifier: form.verifier,
      ...(form.redirectUri === undefined ? {} : { redirect_uri: form.redirectUri }),
      ...external,
    });
    return this.#tokens(tokenSetOf(await post(this.#api(), '/oauth2/token', body)));
  }

  async unmerge(
    applicationId: Id,
    type: AuthenticationExternalAuthType,
    externalToken: string,
  ): Promise<void> {
    const body = this.#external(applicationId, type, externalToken);
    await post(this.#api(), '/partner-sdk/provisional-accounts/unmerge', body);
  }

  #external(applicationId: Id, type: AuthenticationExternalAuthType, externalToken: string) {
    valid(() => oneOf('externalAuthType', type, AuthenticationExternalAuthType));
    this.#secret('externalAuthToken', externalToken);
    return {
      client_id: idText('applicationId', applicationId),
      external_auth_type: EXTERNAL_TYPES[type],
      external_auth_token: externalToken,
    };
  }

  #client(applicationId: Id) {
    return { ...this.#api(), clientId: idText('applicationId', applicationId) };
  }

  #secret(field: string, value: string): void {
    needText(field, value);
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
