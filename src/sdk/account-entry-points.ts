import { Authorization, type Authorized, createVerifier } from './authorization.ts';
import { AuthorizationArgs, type AuthorizationCodeVerifier } from './authorization-args.ts';
import { callBack } from './call-back.ts';
import { needText } from './checks.ts';
import type { Core } from './core.ts';
import type { AuthenticationExternalAuthType, AuthorizationTokenType } from './enums.ts';
import type { Outcome } from './outcome.ts';
import type { ClientResult, ResultCallback } from './result.ts';
import { SelfEntryPoints } from './self-entry-points.ts';
import { type ChildToken, NO_TOKENS, TokenService, type Tokens } from './tokens.ts';
import { callable, type Id, instance } from './values.ts';
import { answerAuthorize } from './window-answer.ts';

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

/** How accounts are linked to a game, and how that ends. */
export class AccountEntryPoints extends SelfEntryPoints {
  readonly #core: Core;
  readonly #tokens: TokenService;
  readonly #authorization: Authorization;

  constructor(core: Core) {
    super(core);
    this.#core = core;
    this.#tokens = new TokenService(() => ({ api: core.api, timeoutMs: core.timeoutMs }), core.log);
    this.#authorization = new Authorization({
      log: core.log,
      host: core.host,
      settings: core.settings,
      webBase: core.webBase,
      applicationId: () => core.applicationId,
      chat: () => core.needChat(),
      authenticated: () => core.wasPresented,
    });
  }

  /**
   * On the page at `settings.redirectUri`: hands the answer of the web site, which is in the page's address, to the game that waits
   * for it in another window, and closes this one. False where there is none, as always in Node. A name of our own.
   */
  static AnswerAuthorize(): boolean {
    return answerAuthorize();
  }

  /** The scopes of games with lobbies, voice and messages. */
  static GetDefaultCommunicationScopes(): string {
    return 'openid sdk.social_layer';
  }

  /** The scopes of games with presence and friends. */
  static GetDefaultPresenceScopes(): string {
    return 'openid sdk.social_layer_presence';
  }

  GetDefaultCommunicationScopes(): string {
    return AccountEntryPoints.GetDefaultCommunicationScopes();
  }

  GetDefaultPresenceScopes(): string {
    return AccountEntryPoints.GetDefaultPresenceScopes();
  }

  /** A fresh PKCE pair: its challenge for `Authorize`, its verifier for `GetToken`. */
  CreateAuthorizationCodeVerifier(): AuthorizationCodeVerifier {
    return createVerifier(this.#core.host, this.#core.log);
  }

  /** Asks the user; answered once they have decided. */
  Authorize(args: AuthorizationArgs, callback?: AuthorizationCallback): Promise<Outcome<Authorized>> {
    instance('args', args, AuthorizationArgs);
    const empty = { code: '', redirectUri: '' };
    const work = (): Promise<Authorized> => this.#authorization.authorize(args);
    return this.#core.settle('Authorize', empty, work, callback, (call, { result, code, redirectUri }) =>
      call(result, code, redirectUri),
    );
  }

  /** Ends every Authorize that waits; what the user was asked is withdrawn. */
  AbortAuthorize(): void {
    this.#authorization.abort();
  }

  /** Exchanges the code of an Authorize that had a CodeChallenge. */
  GetToken(
    applicationId: Id,
    code: string,
    codeVerifier: string,
    redirectUri: string,
    callback?: TokenExchangeCallback,
  ): Promise<Outcome<Tokens>> {
    const { last } = this.#authorization;
    const work = (): Promise<Tokens> =>
      this.#tokens.getToken(applicationId, code, codeVerifier, redirectUri, last);
    return this.#exchange('GetToken', work, callback);
  }

  /**
   * Trades a refresh token for new tokens. Each is good once: used twice, all tokens of that log-in end, so keep one call under way.
   * `invalid_grant` means that, or that the account is no longer linked.
   */
  RefreshToken(
    applicationId: Id,
    refreshToken: string,
    callback?: TokenExchangeCallback,
  ): Promise<Outcome<Tokens>> {
    return this.#exchange(
      'RefreshToken',
      () => this.#tokens.refreshToken(applicationId, refreshToken),
      callback,
    );
  }

  /** Ends the whole authorization of this user: every token of it, whichever is given. */
  RevokeToken(applicationId: Id, token: string, callback?: ResultCallback): Promise<Outcome> {
    const work = (): Promise<object> => this.#tokens.revokeToken(applicationId, token);
    return this.#core.settleToken('RevokeToken', {}, work, callback, (call, { result }) => call(result));
  }

  /**
   * Token of the provisional account of whoever an external token names; it is made when there is none. There is no refresh token:
   * at its end this is called again.
   */
  GetProvisionalToken(
    applicationId: Id,
    externalAuthType: AuthenticationExternalAuthType,
    externalAuthToken: string,
    callback?: TokenExchangeCallback,
  ): Promise<Outcome<Tokens>> {
    const work = (): Promise<Tokens> =>
      this.#tokens.provisional(applicationId, externalAuthType, externalAuthToken);
    return this.#exchange('GetProvisionalToken', work, callback);
  }

  /** As `GetToken`, for a player with a provisional account: what hangs on that goes over to the account that was asked. */
  GetTokenFromProvisionalMerge(
    applicationId: Id,
    code: string,
    codeVerifier: string,
    redirectUri: string,
    externalAuthType: AuthenticationExternalAuthType,
    externalAuthToken: string,
    callback?: TokenExchangeCallback,
  ): Promise<Outcome<Tokens>> {
    const issued = this.#authorization.last;
    const grant = { applicationId, code, verifier: codeVerifier, redirectUri, issued };
    const work = (): Promise<Tokens> => this.#tokens.merge(grant, externalAuthType, externalAuthToken);
    return this.#exchange('GetTokenFromProvisionalMerge', work, callback);
  }

  /** Trades a parent application's token for one of a child application. */
  ExchangeChildToken(
    parentApplicationToken: string,
    childApplicationId: Id,
    callback?: ExchangeChildTokenCallback,
  ): Promise<Outcome<ChildToken>> {
    const { accessToken, tokenType, expiresIn, scopes } = NO_TOKENS;
    const work = (): Promise<ChildToken> =>
      this.#tokens.exchangeChildToken(parentApplicationToken, childApplicationId);
    const empty = { accessToken, tokenType, expiresIn, scopes };
    return this.#core.settleToken('ExchangeChildToken', empty, work, callback, (call, given) =>
      call(given.result, given.accessToken, given.tokenType, given.expiresIn, given.scopes),
    );
  }

  /** Cuts the link of an external identity to this account; the identity goes on as a provisional account. */
  UnmergeIntoProvisionalAccount(
    applicationId: Id,
    externalAuthType: AuthenticationExternalAuthType,
    externalAuthToken: string,
    callback?: ResultCallback,
  ): Promise<Outcome> {
    const work = (): Promise<object> =>
      this.#tokens.unmerge(applicationId, externalAuthType, externalAuthToken);
    return this.#core.settleToken('UnmergeIntoProvisionalAccount', {}, work, callback, (call, { result }) =>
      call(result),
    );
  }

  /** How a player with a provisional account is called. */
  UpdateProvisionalAccountDisplayName(name: string, callback?: ResultCallback): Promise<Outcome> {
    const work = async (): Promise<object> => {
      const core = this.#core;
      const { age } = core;
      const user = await core.service.object('PATCH', '/users/@me', { global_name: needText('name', name) });
      // Meanwhile somebody else may be there.
      if (core.age !== age) return {};
      if (core.users.me !== undefined) core.users.me = user;
      core.users.take(user);
      return {};
    };
    return this.#core.settle('UpdateProvisionalAccountDisplayName', {}, work, callback, (call, { result }) =>
      call(result),
    );
  }

  /** Called when the user asks for linking inside the chat client; start Authorize then. Needs SetApplicationId. */
  RegisterAuthorizeRequestCallback(callback: () => void): void {
    callable('callback', callback);
    this.#core.want('AUTHORIZE_REQUEST', () => callBack('RegisterAuthorizeRequestCallback', callback));
  }

  /** Withdraws it: the chat client then offers no linking. */
  RemoveAuthorizeRequestCallback(): void {
    this.#core.want('AUTHORIZE_REQUEST', undefined);
  }

  #exchange(
    name: string,
    work: () => Promise<Tokens>,
    callback: TokenExchangeCallback | undefined,
  ): Promise<Outcome<Tokens>> {
    const remembered = async (): Promise<Tokens> => {
      const tokens = await work();
      this.#core.issued(tokens.accessToken, tokens.expiresIn);
      return tokens;
    };
    return this.#core.settleToken(name, NO_TOKENS, remembered, callback, (call, given) => {
      const { result, accessToken, refreshToken, tokenType, expiresIn, scopes } = given;
      call(result, accessToken, refreshToken, tokenType, expiresIn, scopes);
    });
  }
}
