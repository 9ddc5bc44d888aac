import { type Authorized, createVerifier } from '../authorization.ts';
import { AuthorizationArgs, type AuthorizationCodeVerifier } from '../authorization-args.ts';
import { callBack } from '../call-back.ts';
import type { Core } from '../core.ts';
import type { AuthenticationExternalAuthType, AuthorizationTokenType } from '../enums.ts';
import type { ClientResult } from '../result.ts';
import { type ChildToken, NO_TOKENS, type Tokens } from '../tokens.ts';
import { callable, type Id, instance } from '../values.ts';
import { action, callbackValues, method, request } from './row.ts';

/** Gets the code, to be exchanged with `GetToken`, and the redirect address it stands for. */
export type AuthorizationCallback = (result: ClientResult, code: string, redirectUri: string) => void;
/** Gets what the service issued; empty texts on failure. */
export type TokenExchangeCallback = (
  result: ClientResult,
  accessToken: string,
  refreshToken: string,
  tokenType: AuthorizationTokenType,
  expiresIn: number,
  scopes: string,
) => void;
/** Gets a child application's token; there is none to refresh it. */
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

/** How accounts are linked to a game, and how that ends. */
export const ACCOUNTS = {
  GetDefaultCommunicationScopes: method((): string => COMMUNICATION_SCOPES),
  GetDefaultPresenceScopes: method((): string => PRESENCE_SCOPES),

  /** A fresh PKCE pair: its challenge for `Authorize`, its verifier for `GetToken`. */
  CreateAuthorizationCodeVerifier: method(
    ({ host, log }): AuthorizationCodeVerifier => createVerifier(host, log),
  ),

  /** Asks the user; answered once they have decided. */
  Authorize: request(CODE, ({ authorization }, args: AuthorizationArgs) => authorization.authorize(args), {
    check: (args) => instance('args', args, AuthorizationArgs),
  }),

  /** Ends every Authorize that waits; what the user was asked is withdrawn. */
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
   * Trades a refresh token for new tokens. Each is good once: used twice, all tokens of that log-in end, so keep one call under way.
   * `invalid_grant` means that, or that the account is no longer linked.
   */
  RefreshToken: request(
    TOKENS,
    (core, applicationId: Id, refreshToken: string) =>
      noted(core, core.tokens.refreshToken(applicationId, refreshToken)),
    ALWAYS,
  ),

  /** Ends the whole authorization of this user: every token of it, whichever is given. */
  RevokeToken: action(
    ({ tokens }, applicationId: Id, token: string) => tokens.revokeToken(applicationId, token),
    ALWAYS,
  ),

  /**
   * Token of the provisional account of whoever an external token names; it is made when there is none. There is no refresh token:
   * at its end this is called again.
   */
  GetProvisionalToken: request(
    TOKENS,
    (core, applicationId: Id, externalAuthType: AuthenticationExternalAuthType, externalAuthToken: string) =>
      noted(core, core.tokens.provisional(applicationId, externalAuthType, externalAuthToken)),
    ALWAYS,
  ),

  /** As `GetToken`, for a player with a provisional account: what hangs on that goes over to the account that was asked. */
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

  /** Cuts the link of an external identity to this account; the identity goes on as a provisional account. */
  UnmergeIntoProvisionalAccount: action(
    (
      { tokens },
      applicationId: Id,
      externalAuthType: AuthenticationExternalAuthType,
      externalAuthToken: string,
    ) => tokens.unmerge(applicationId, externalAuthType, externalAuthToken),
    ALWAYS,
  ),

  /** Called when the user asks for linking inside the chat client; start Authorize then. Needs SetApplicationId. */
  RegisterAuthorizeRequestCallback: method(({ chat }, callback: () => void): void => {
    callable('callback', callback);
    chat.want('AUTHORIZE_REQUEST', () => callBack('RegisterAuthorizeRequestCallback', callback));
  }),

  /** Withdraws it: the chat client then offers no linking. */
  RemoveAuthorizeRequestCallback: method(({ chat }): void => chat.want('AUTHORIZE_REQUEST', undefined)),
};

/** Tokens whose end is known from now on. */
async function noted({ credentials }: Core, issuing: Promise<Tokens>): Promise<Tokens> {
  const tokens = await issuing;
  credentials.issued(tokens.accessToken, tokens.expiresIn);
  return tokens;
}
