import { type Authorized, createVerifier } from '../authorization.ts';
import { AuthorizationArgs, type AuthorizationCodeVerifier } from '../authorization-args.ts';
import { callBack } from '../call-back.ts';
import type { Core } from '../core.ts';
import type { AuthenticationExternalAuthType, AuthorizationTokenType } from '../enums.ts';
import type { ClientResult } from '../result.ts';
import { type ChildToken, NO_TOKENS, type Tokens } from '../tokens.ts';
import { callable, type Id, instance } from '../values.ts';
import { action, callbackValues, method, request } from './row.ts';

/** Gets the code, for `GetToken`, and the redirect address that it is bound to. */
export type AuthorizationCallback = (result: ClientResult, code: string, redirectUri: string) => void;
/** Gets the tokens; empty texts on failure. */
export type TokenExchangeCallback = (
  result: ClientResult,
  accessToken: string,
  refreshToken: string,
  tokenType: AuthorizationTokenType,
  expiresIn: number,
  scopes: string,
) => void;
/** Gets a child application's token, which has no refresh token. */
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

/** Linking of accounts to a game, and its end. */
export const ACCOUNTS = {
  GetDefaultCommunicationScopes: method((): string => COMMUNICATION_SCOPES),
  GetDefaultPresenceScopes: method((): string => PRESENCE_SCOPES),

  /** A new PKCE pair: its challenge for `Authorize`, its verifier for `GetToken`. */
  CreateAuthorizationCodeVerifier: method(
    ({ host, log }): AuthorizationCodeVerifier => createVerifier(host, log),
  ),

  /** Prompts the user; resolves once the user has decided. */
  Authorize: request(CODE, ({ authorization }, args: AuthorizationArgs) => authorization.authorize(args), {
    check: (args) => instance('args', args, AuthorizationArgs),
  }),

  /** Aborts every pending Authorize and withdraws its prompt. */
  AbortAuthorize: method(({ authorization }): void => authorization.abort()),

  /** Exchanges the code of an Authorize that had a CodeChallenge. */
  GetToken: request(
    TOKENS,
    (core, applicationId: Id, code: string, codeVerifier: string, redirectUri: string) => {
      const { tokens, authorization } = core;
      return noted(core, tokens.getToken(applicationId, code, codeVerifier, redirectUri, authorization.last));
    },
    ALWAYS,
  ),

  /**
   * Trades a refresh token for new tokens. A refresh token is valid once: a second use ends all tokens of that log-in,
   * so call this once at a time. `invalid_grant` means a used token or an account that is no longer linked.
   */
  RefreshToken: request(
    TOKENS,
    (core, applicationId: Id, refreshToken: string) =>
      noted(core, core.tokens.refreshToken(applicationId, refreshToken)),
    ALWAYS,
  ),

  /** Ends the whole authorization of this user: every token of it, whichever token is passed. */
  RevokeToken: action(
    ({ tokens }, applicationId: Id, token: string) => tokens.revokeToken(applicationId, token),
    ALWAYS,
  ),

  /**
   * Token of the provisional account behind an external token; the service creates a missing account. There is no
   * refresh token: call this again when the token ends.
   */
  GetProvisionalToken: request(
    TOKENS,
    (core, applicationId: Id, externalAuthType: AuthenticationExternalAuthType, externalAuthToken: string) =>
      noted(core, core.tokens.provisional(applicationId, externalAuthType, externalAuthToken)),
    ALWAYS,
  ),

  /** As `GetToken`, for a player with a provisional account, whose data moves to the account that granted the code. */
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

  /** Trades a parent application's token for one of a child application. */
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

  /** Called when the user starts linking inside the chat client; call Authorize then. Needs SetApplicationId. */
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
