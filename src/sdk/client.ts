import { Activity } from './activity.ts';
import { Authorization, type Authorized, createVerifier } from './authorization.ts';
import { AuthorizationArgs, type AuthorizationCodeVerifier } from './authorization-args.ts';
import { callBack } from './call-back.ts';
import { ChatClient } from './chat-client.ts';
import {
  type AuthenticationExternalAuthType,
  AuthorizationTokenType,
  ErrorType,
  LoggingSeverity,
  RelationshipGroupType,
} from './enums.ts';
import { Friends, type RelationshipGroupsUpdatedCallback } from './friends.ts';
import { ActivityInvite, type RelationshipHandle, UserHandle } from './handles.ts';
import { Log, type LogCallback } from './log.ts';
import { Failed, type Outcome, settle } from './outcome.ts';
import { type ClientResult, ValidationError } from './result.ts';
import { type ClientSettings, checkSettings } from './settings.ts';
import { type ChildToken, NO_TOKENS, TokenService, type Tokens } from './tokens.ts';
import { UnsupportedEntryPoints } from './unsupported.ts';
import { callable, type Id, instance, oneOf, optionalCallable, text, uint64 } from './values.ts';
import { VoiceSettings } from './voice-settings.ts';
import { toWire } from './wire-activity.ts';

/** Gets how the operation ended. */
export type ResultCallback = (result: ClientResult) => void;
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
/** Gets a snapshot; `VoiceSettings.nullobj` on failure. */
export type VoiceSettingsCallback = (result: ClientResult, settings: VoiceSettings) => void;

/**
 * The main entry point, as in the Social SDK. Every asynchronous entry point takes its callback last and also returns
 * a promise of the same, which never rejects.
 */
export class Client extends UnsupportedEntryPoints {
  readonly #settings: ClientSettings;
  readonly #log = new Log();
  readonly #friends = new Friends(this.#log);
  readonly #tokens: TokenService;
  readonly #authorization: Authorization;
  /** Kept for each chat client that is started anew, because it outlives the connection. */
  readonly #events = new Map<
    'AUTHORIZE_REQUEST' | 'ACTIVITY_INVITE' | 'VOICE_SETTINGS_UPDATE',
    (data: object) => void
  >();
  #applicationId = 0n;
  #chat: ChatClient | undefined;
  #token: string | undefined;
  /** What is to be shown, in the end. */
  #presence: object | undefined;
  #timeoutMs = 30_000;
  #destroyed = false;

  /**
   * @param apiBase HTTP API of the service, such as the address that a bridge prints behind "tokens come from"
   * @param webBase its web site
   * Throws TypeError for an argument of another type.
   */
  constructor(apiBase: string, webBase: string, settings: ClientSettings = {}) {
    super();
    text('apiBase', apiBase);
    text('webBase', webBase);
    this.#settings = checkSettings(settings);
    this.#tokens = new TokenService(() => ({ api: apiBase, timeoutMs: this.#timeoutMs }), this.#log);
    this.#authorization = new Authorization({
      log: this.#log,
      place: settings,
      webBase,
      openUrl: settings.openUrl,
      applicationId: () => this.#applicationId,
      chat: () => this.#needChat(),
      authenticated: () => this.#token !== undefined,
    });
  }

  /** The application whose game this is; from now on its chat client is looked for. Throws as `SetClientId` does. */
  SetApplicationId(applicationId: Id): void {
    const id = uint64('applicationId', applicationId);
    if (id === 0n) throw new RangeError('applicationId: must not be 0');
    if (id === this.#applicationId) return;
    this.#applicationId = id;
    if (this.#destroyed) return;
    void this.#chat?.close();
    this.#friends.forget();
    const chat = new ChatClient({
      applicationId: id,
      place: this.#settings,
      log: this.#log,
      token: () => this.#token,
      onTokenRefused: () => {
        this.#token = undefined;
        this.#friends.forget();
        const message = 'The access token is not valid any more; call RefreshToken and UpdateToken';
        this.#log.tell(LoggingSeverity.Warning, message);
      },
      onReady: () => {
        if (this.#token !== undefined) void this.#friends.load(chat);
      },
    });
    for (const [event, handler] of this.#events) chat.want(event, handler as (data: unknown) => void);
    this.#chat = chat;
  }

  GetApplicationId(): bigint {
    return this.#applicationId;
  }

  /** Hangs up for good, and drops the presence. Everything asynchronous fails with ClientDestroyed from then on. */
  async Disconnect(): Promise<void> {
    this.#destroyed = true;
    this.#authorization.abort();
    await this.#chat?.close();
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
    return Client.GetDefaultCommunicationScopes();
  }

  GetDefaultPresenceScopes(): string {
    return Client.GetDefaultPresenceScopes();
  }

  /** A fresh PKCE pair: its challenge for `Authorize`, its verifier for `GetToken`. */
  CreateAuthorizationCodeVerifier(): AuthorizationCodeVerifier {
    return createVerifier(this.#log);
  }

  /** Asks the user; answered once they have decided. */
  Authorize(args: AuthorizationArgs, callback?: AuthorizationCallback): Promise<Outcome<Authorized>> {
    instance('args', args, AuthorizationArgs);
    const empty = { code: '', redirectUri: '' };
    const work = (): Promise<Authorized> => this.#authorization.authorize(args);
    return this.#settle('Authorize', empty, work, callback, (call, { result, code, redirectUri }) =>
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
    return this.#settle('GetToken', NO_TOKENS, work, callback, reportTokens);
  }

  /** Trades a refresh token for new tokens. `invalid_grant` means that the account is no longer linked. */
  RefreshToken(
    applicationId: Id,
    refreshToken: string,
    callback?: TokenExchangeCallback,
  ): Promise<Outcome<Tokens>> {
    const work = (): Promise<Tokens> => this.#tokens.refreshToken(applicationId, refreshToken);
    return this.#settle('RefreshToken', NO_TOKENS, work, callback, reportTokens);
  }

  /** Ends the whole authorization of this user: every token of it, whichever is given. */
  RevokeToken(applicationId: Id, token: string, callback?: ResultCallback): Promise<Outcome> {
    const work = (): Promise<object> => this.#tokens.revokeToken(applicationId, token);
    return this.#settle('RevokeToken', {}, work, callback, reportResult);
  }

  /** Presents an access token to the chat client, now and on each connection to come. */
  UpdateToken(tokenType: AuthorizationTokenType, token: string, callback?: ResultCallback): Promise<Outcome> {
    const work = async (): Promise<object> => {
      if (tokenType !== AuthorizationTokenType.Bearer)
        throw new ValidationError('tokenType: only Bearer is offered');
      if (typeof token !== 'string' || token === '')
        throw new ValidationError('token: must be a string, not empty');
      this.#log.hide(token);
      const chat = this.#needChat();
      this.#token = token;
      const rpc = await chat.need();
      await rpc.authenticate(token).catch((error) => {
        if (this.#token === token && rpc.state === 'ready') this.#token = undefined;
        throw error;
      });
      chat.retryEvents();
      await this.#friends.load(chat);
      return {};
    };
    return this.#settle('UpdateToken', {}, work, callback, reportResult);
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
    return this.#settle('ExchangeChildToken', empty, work, callback, (call, given) =>
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
    return this.#settle('UnmergeIntoProvisionalAccount', {}, work, callback, reportResult);
  }

  /** Called when the user asks for linking inside the chat client; start Authorize then. Needs SetApplicationId. */
  RegisterAuthorizeRequestCallback(callback: () => void): void {
    callable('callback', callback);
    this.#want('AUTHORIZE_REQUEST', () => callBack('RegisterAuthorizeRequestCallback', callback));
  }

  /** Withdraws it: the chat client then offers no linking. */
  RemoveAuthorizeRequestCallback(): void {
    this.#events.delete('AUTHORIZE_REQUEST');
    this.#chat?.unwant('AUTHORIZE_REQUEST');
  }

  /** Reads the desktop client's voice settings. */
  GetVoiceSettings(callback?: VoiceSettingsCallback): Promise<Outcome<{ readonly settings: VoiceSettings }>> {
    const empty = { settings: VoiceSettings.nullobj };
    const work = async (): Promise<{ settings: VoiceSettings }> => {
      const rpc = await this.#needChat().need();
      const told: object | null = await rpc.request('GET_VOICE_SETTINGS');
      if (told === null)
        throw new Failed(ErrorType.RPCError, 'The answer of the chat client holds no settings');
      return { settings: new VoiceSettings(told) };
    };
    return this.#settle('GetVoiceSettings', empty, work, callback, (call, { result, settings }) =>
      call(result, settings),
    );
  }

  /** Called with the current settings at first, and after each change. Undefined ends it. */
  SetVoiceSettingsUpdatedCallback(callback: ((settings: VoiceSettings) => void) | undefined): void {
    optionalCallable('callback', callback);
    const told = (data: object): void =>
      callBack('SetVoiceSettingsUpdatedCallback', () => callback?.(new VoiceSettings(data ?? {})));
    this.#want('VOICE_SETTINGS_UPDATE', callback && told);
  }

  /** Shows an activity, now and on each connection to come. Needs no token. */
  UpdateRichPresence(activity: Activity, callback?: ResultCallback): Promise<Outcome> {
    instance('activity', activity, Activity);
    const work = async (): Promise<object> => {
      const wire = toWire(activity);
      const chat = this.#needChat();
      this.#presence = wire;
      // Kept before the connection is asked for: without one it is shown as soon as there is one.
      if (chat.rpc.state !== 'ready') chat.rpc.setActivity(wire).catch(() => {});
      const rpc = await chat.need();
      // Unless another one, or ClearRichPresence, came after it.
      if (this.#presence === wire) await rpc.setActivity(wire);
      return {};
    };
    return this.#settle('UpdateRichPresence', {}, work, callback, reportResult);
  }

  /** Shows nothing any more. */
  ClearRichPresence(): void {
    this.#presence = undefined;
    void this.#chat?.rpc.clearActivity();
  }

  /** The logged-in user; undefined while no chat client is connected. */
  GetCurrentUserV2(): UserHandle | undefined {
    const rpc = this.#chat?.rpc;
    return rpc?.state === 'ready' && rpc.user ? new UserHandle(rpc.user) : undefined;
  }

  /** The same under its older, deprecated name. */
  GetCurrentUser(): UserHandle | undefined {
    return this.GetCurrentUserV2();
  }

  /** Friends of one group, as far as the token's scopes show them. Throws RangeError for what is no group. */
  GetRelationshipsByGroup(group: RelationshipGroupType): RelationshipHandle[] {
    return this.#friends.group(oneOf('group', group, RelationshipGroupType), this.#applicationId);
  }

  /** Called when a list of `GetRelationshipsByGroup` may have changed. Undefined ends it. */
  SetRelationshipGroupsUpdatedCallback(callback: RelationshipGroupsUpdatedCallback | undefined): void {
    optionalCallable('callback', callback);
    this.#friends.listen(callback);
  }

  /** Called for each invite to a friend's game. Undefined ends it. */
  SetActivityInviteCreatedCallback(callback: ((invite: ActivityInvite) => void) | undefined): void {
    optionalCallable('callback', callback);
    const told = (data: object): void =>
      callBack('SetActivityInviteCreatedCallback', () => callback?.(new ActivityInvite(data ?? {})));
    this.#want('ACTIVITY_INVITE', callback && told);
  }

  /** Milliseconds for each HTTP request from now on; 30,000 unless set. Throws RangeError for what is no such time. */
  SetHttpRequestTimeout(httpTimeoutInMilliseconds: number): void {
    if (!Number.isInteger(httpTimeoutInMilliseconds) || httpTimeoutInMilliseconds < 1) {
      throw new RangeError('httpTimeoutInMilliseconds: must be a whole number from 1');
    }
    this.#timeoutMs = Math.min(httpTimeoutInMilliseconds, 2 ** 31 - 1);
  }

  /** Tells log lines from `minSeverity` up; a release build tells Warning and Error only. */
  AddLogCallback(callback: LogCallback, minSeverity: LoggingSeverity): void {
    this.#log.add(callable('callback', callback), oneOf('minSeverity', minSeverity, LoggingSeverity));
  }

  #want(
    event: 'AUTHORIZE_REQUEST' | 'ACTIVITY_INVITE' | 'VOICE_SETTINGS_UPDATE',
    handler: ((data: object) => void) | undefined,
  ): void {
    if (handler === undefined) {
      this.#events.delete(event);
      this.#chat?.unwant(event);
      return;
    }
    this.#events.set(event, handler);
    this.#chat?.want(event, handler as (data: unknown) => void);
  }

  #needChat(): ChatClient {
    if (this.#chat) return this.#chat;
    throw new ValidationError('applicationId: is unset; call SetApplicationId first');
  }

  /** Throws TypeError for a callback that is no function; whatever else goes wrong is told by the outcome. */
  #settle<T extends object, Callback>(
    name: string,
    empty: T,
    work: () => Promise<T>,
    callback: Callback | undefined,
    report: (callback: Callback, outcome: Outcome<T>) => void,
  ): Promise<Outcome<T>> {
    const call = optionalCallable('callback', callback);
    const alive = async (): Promise<T> => {
      if (this.#destroyed) throw new Failed(ErrorType.ClientDestroyed, 'The client was disconnected');
      return work();
    };
    return settle(this.#log, name, empty, alive, (outcome) => {
      if (call !== undefined) report(call, outcome);
    });
  }
}

function reportResult(callback: ResultCallback, { result }: Outcome): void {
  callback(result);
}

function reportTokens(callback: TokenExchangeCallback, given: Outcome<Tokens>): void {
  const { result, accessToken, refreshToken, tokenType, expiresIn, scopes } = given;
  callback(result, accessToken, refreshToken, tokenType, expiresIn, scopes);
}
