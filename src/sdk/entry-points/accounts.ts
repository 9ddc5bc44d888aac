import { createVerifier } from '../authorization.ts';
import { AuthorizationArgs, type AuthorizationCodeVerifier } from '../authorization-args.ts';
import type { Authorized, ChildToken, Tokens } from '../authorized.ts';
import { callBack } from '../call-back.ts';
import type { Core } from '../core.ts';
import type { AuthenticationExternalAuthType, AuthorizationTokenType } from '../enums.ts';
import type { ClientResult } from '../result.ts';
import { NO_TOKENS } from '../tokens.ts';
import { callable, type Id, instance } from '../values.ts';
import { action, callbackValues, method, request } from './row.ts';

/** Receives the code for `GetToken`, and the redirect address to which the code is bound. */
export type AuthorizationCallback = (result: ClientResult, code: string, redirectUri: string) => void;
/** Receives the tokens; empty texts on failure. */
export type TokenExchangeCallback = (
  result: ClientResult,
  accessToken: string,
  refreshToken: string,
  tokenType: AuthorizationTokenType,
  expiresIn: number,
  scopes: string,
) => void;
/** Receives the token of a child application, for which there is no refresh token. */
export type ExchangeChildTokenCallback = (
  result: ClientResult,
  accessToken: string,
  tokenType: AuthorizationTokenType,
  expiresIn: number,
  scopes: string,
) => void;

const CODE = callbackValues<Authorized, AuthorizationCallback>(
  { code: '', redirectUri: '' },
  (call, { result, code, redirectUri }) => call(result, code, redirectUri),
);
const TOKENS = callbackValues<Tokens, TokenExchangeCallback>(NO_TOKENS, (call, outcome) => {
  const { result, accessToken, refreshToken, tokenType, expiresIn, scopes } = outcome;
  call(result, accessToken, refreshToken, tokenType, expiresIn, scopes);
});
const { accessToken, tokenType, expiresIn, scopes } = NO_TOKENS;
const CHILD_TOKEN = callbackValues<ChildToken, ExchangeChildTokenCallback>(
  { accessToken, tokenType, expiresIn, scopes },
  (call, outcome) =>
    call(outcome.result, outcome.accessToken, outcome.tokenType, outcome.expiresIn, outcome.scopes),
);

const ALWAYS = { afterDisconnect: true } as const;

/** The scopes of games with lobbies, voice and messages. */
export const COMMUNICATION_SCOPES = 'openid sdk.social_layer';
/** The scopes of games with presence and friends. */
export const PRESENCE_SCOPES = 'openid sdk.social_layer_presence';

/** Entry points that link accounts to a game, and unlink them. */
export const ACCOUNTS = {
  GetDefaultCommunicationScopes: method((): string => COMMUNICATION_SCOPES),
  GetDefaultPresenceScopes: method((): string => PRESENCE_SCOPES),

  /** Creates a PKCE pair: its challenge is for `Authorize`, its verifier for `GetToken`. */
  CreateAuthorizationCodeVerifier: method(
    ({ host, log }): AuthorizationCodeVerifier => createVerifier(host, log),
  ),

  /** Prompts the user for authorization; resolves when the user has decided. */
  Authorize: request(CODE, ({ authorization }, args: AuthorizationArgs) => authorization.authorize(args), {
    check: (args) => instance('args', args, AuthorizationArgs),
  }),

  /** Aborts every pending Authorize and withdraws its prompt. */
  AbortAuthorize: method(({ authorization }): void => authorization.abort()),

  /** Exchanges the code of an Authorize that was called with a CodeChallenge. */
  GetToken: request(
    TOKENS,
    (core, applicationId: Id, code: string, codeVerifier: string, redirectUri: string) => {
      const { tokens, authorization } = core;
      return noted(core, tokens.getToken(applicationId, code, codeVerifier, redirectUri, authorization.last));
    },
    ALWAYS,
  ),

  /**
   * Exchanges a refresh token for new tokens. A refresh token is valid once, and a second use ends all tokens of that
   * log-in, so do not call this concurrently. `invalid_grant` means that the token was used before or that the account
   * is no longer linked.
   */
  RefreshToken: request(
    TOKENS,
    (core, applicationId: Id, refreshToken: string) =>
      noted(core, core.tokens.refreshToken(applicationId, refreshToken)),
    ALWAYS,
  ),

  /** Ends the user's whole authorization: it revokes all of its tokens, whichever of them is passed. */
  RevokeToken: action(
    ({ tokens }, applicationId: Id, token: string) => tokens.revokeToken(applicationId, token),
    ALWAYS,
  ),

  /**
   * Requests a token of the provisional account that belongs to an external token; the service creates a missing
   * account. There is no refresh token: call this again when the token ends.
   */
  GetProvisionalToken: request(
    TOKENS,
    (core, applicationId: Id, externalAuthType: AuthenticationExternalAuthType, externalAuthToken: string) =>
      noted(core, core.tokens.provisional(applicationId, externalAuthType, externalAuthToken)),
    ALWAYS,
  ),

  /**
   * Exchanges a code like `GetToken`, for a player with a provisional account. The data of that account moves to the
   * account that granted the code.
   */
  GetTokenFromProvisionalMerge: request(
    TOKENS,
    (
      core,
      applicationId: Id,
      code: string,
      codeVerifier: string,
      redirectUri: string,
      externalAuthType: AuthenticationExternalAuthType,
      externalAuthToken: string,
    ) => {
      const issued = core.authorization.last;
      const grant = { applicationId, code, verifier: codeVerifier, redirectUri, issued };
      return noted(core, core.tokens.merge(grant, externalAuthType, externalAuthToken));
    },
    ALWAYS,
  ),

  /** Exchanges a parent application's token for a token of one of its child applications. */
  ExchangeChildToken: request(
    CHILD_TOKEN,
    ({ tokens }, parentApplicationToken: string, childApplicationId: Id) =>
      tokens.exchangeChildToken(parentApplicationToken, childApplicationId),
    ALWAYS,
  ),

  /** Unlinks an external identity from this account; the identity becomes a provisional account. */
  UnmergeIntoProvisionalAccount: action(
    (
      { tokens },
      applicationId: Id,
      externalAuthType: AuthenticationExternalAuthType,
      externalAuthToken: string,
    ) => tokens.unmerge(applicationId, externalAuthType, externalAuthToken),
    ALWAYS,
  ),

  /**
   * Sets the callback for a user who starts linking inside the chat client; the game then calls Authorize. Needs
   * SetApplicationId.
   */
  RegisterAuthorizeRequestCallback: method(({ chat }, callback: () => void): void => {
    callable('callback', callback);
    chat.want('AUTHORIZE_REQUEST', () => callBack('RegisterAuthorizeRequestCallback', callback));
  }),

  /** Removes the callback; the chat client then offers no linking. */
  RemoveAuthorizeRequestCallback: method(({ chat }): void => chat.want('AUTHORIZE_REQUEST', undefined)),
};

/** Stores the lifetime of new tokens. */
async function noted({ credentials }: Core, issuing: Promise<Tokens>): Promise<Tokens> {
  const tokens = await issuing;
  credentials.issued(tokens.accessToken, tokens.expiresIn);
  return tokens;
}
