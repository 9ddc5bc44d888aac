import { LONGEST_TIMER_MS } from '../client/limit.ts';
import { ActivityEntryPoints } from './activity-entry-points.ts';
import { callBack } from './call-back.ts';
import type { CallbackOf } from './callbacks.ts';
import { needToken } from './checks.ts';
import { Core } from './core.ts';
import {
  AuthorizationTokenType,
  ClientStatus,
  ConnectionError,
  ErrorType,
  type LoggingSeverity,
  LoggingSeverity as Severities,
} from './enums.ts';
import type { Host } from './host.ts';
import type { LogCallback } from './log.ts';
import { Failed, type Outcome } from './outcome.ts';
import { type ClientResult, type ResultCallback, ValidationError } from './result.ts';
import { type ClientSettings, checkSettings } from './settings.ts';
import { callable, type Id, oneOf, optionalCallable, text, uint64 } from './values.ts';
import { VoiceSettings } from './voice-settings.ts';

/** Gets a snapshot; `VoiceSettings.nullobj` on failure. */
export type VoiceSettingsCallback = (result: ClientResult, settings: VoiceSettings) => void;

/** All that the client of a game does, wherever it runs. */
export class ClientEntryPoints extends ActivityEntryPoints {
  static readonly Status: typeof ClientStatus = ClientStatus;
  static readonly Error: typeof ConnectionError = ConnectionError;
  readonly #core: Core;

  /** Throws TypeError for an argument of another type. */
  constructor(host: Host, apiBase: string, webBase: string, settings: ClientSettings) {
    text('apiBase', apiBase);
    text('webBase', webBase);
    const core = new Core(host, apiBase, webBase, checkSettings(settings));
    super(core);
    this.#core = core;
  }

  /** The application whose game this is; from now on its chat client is looked for. Throws as `SetClientId` does. */
  SetApplicationId(applicationId: Id): void {
    const id = uint64('applicationId', applicationId);
    if (id === 0n) throw new RangeError('applicationId: must not be 0');
    if (id === this.#core.applicationId) return;
    this.#core.applicationId = id;
    this.#core.otherGame();
    if (!this.#core.isDestroyed) this.#core.startChat();
  }

  GetApplicationId(): bigint {
    return this.#core.applicationId;
  }

  /**
   * Begins a session at the service with the token of `UpdateToken`; `SetStatusChangedCallback` tells how far it is. It is kept
   * up from then on. Without an application or a token the status says so at once.
   */
  Connect(): void {
    const core = this.#core;
    core.comeBack();
    // What is under way is done at once, should it wait for its time.
    if (core.status !== ClientStatus.Disconnected) return core.gateway.connect();
    if (core.applicationId === 0n || core.token === undefined) {
      const missing =
        core.token === undefined ? 'no token; call UpdateToken' : 'no application; call SetApplicationId';
      core.log.tell(Severities.Error, `Connect: there is ${missing} first`);
      const { Disconnected } = ClientStatus;
      const { ConnectionFailed } = ConnectionError;
      // Not from in here: a game that answers by trying again would never come back.
      setTimeout(() => {
        // Meanwhile there may be a token, and a connection.
        if (core.status === Disconnected)
          core.callbacks.tell('SetStatusChangedCallback', Disconnected, ConnectionFailed, 0);
      });
      return;
    }
    core.gateway.connect();
  }

  /**
   * Hangs up. What is shown of the player goes with it, and comes back with the next `Connect`. Until `Connect` is called again everything asynchronous fails with ClientDestroyed, but what is
   * about tokens.
   */
  async Disconnect(): Promise<void> {
    this.AbortAuthorize();
    await this.#core.leave();
  }

  /** How far the connection to the service is. */
  GetStatus(): ClientStatus {
    return this.#core.status;
  }

  /** Called when the connection to the service is further or less far; with why, and the service's own number. Undefined ends it. */
  SetStatusChangedCallback(callback: CallbackOf<'SetStatusChangedCallback'> | undefined): void {
    this.#core.callbacks.set('SetStatusChangedCallback', callback);
  }

  /** Whether there is a token that nobody has refused. */
  IsAuthenticated(): boolean {
    return this.#core.token !== undefined;
  }

  /**
   * Called when the token has ended: because the service does not take it, or by the clock where this client itself got it. Undefined
   * ends it.
   */
  SetTokenExpirationCallback(callback: CallbackOf<'SetTokenExpirationCallback'> | undefined): void {
    this.#core.callbacks.set('SetTokenExpirationCallback', callback);
  }

  /**
   * The access token from now on: for the service, and for the chat client, now and on each connection to come. A session goes on
   * with it, but one that has ended (`Disconnected`, as after 4004 and 401) begins with `Connect` alone. Fails where a
   * chat client refuses it and the service does not take it either; where none runs, and after `Disconnect`, the first request or
   * `Connect` says so.
   */
  UpdateToken(tokenType: AuthorizationTokenType, token: string, callback?: ResultCallback): Promise<Outcome> {
    const work = async (): Promise<object> => {
      if (tokenType !== AuthorizationTokenType.Bearer)
        throw new ValidationError(
          'tokenType: only Bearer is offered, and it comes first: UpdateToken(AuthorizationTokenType.Bearer, token)',
        );
      needToken('token', token);
      const core = this.#core;
      core.log.use(token);
      const chat = core.needChat();
      core.present(token);
      const rpc = core.isDestroyed ? undefined : await chat.need().catch(() => undefined);
      if (rpc === undefined || core.isDestroyed) return {};
      try {
        await rpc.authenticate(token, chat.inTime);
      } catch (error) {
        if (await core.isForeign(token)) return {};
        if (core.token === token && rpc.state === 'ready') core.token = undefined;
        throw error;
      }
      chat.retryEvents();
      await core.friends.load(chat);
      return {};
    };
    return this.#core.settleToken('UpdateToken', {}, work, callback, (call, { result }) => call(result));
  }

  /** Reads the desktop client's voice settings. */
  GetVoiceSettings(callback?: VoiceSettingsCallback): Promise<Outcome<{ readonly settings: VoiceSettings }>> {
    const empty = { settings: VoiceSettings.nullobj };
    const work = async (): Promise<{ settings: VoiceSettings }> => {
      const chat = this.#core.needChat();
      const rpc = await chat.need();
      const told: object | null = await rpc.request('GET_VOICE_SETTINGS', {}, chat.inTime);
      if (told === null)
        throw new Failed(ErrorType.RPCError, 'The answer of the chat client holds no settings');
      return { settings: new VoiceSettings(told) };
    };
    return this.#core.settle('GetVoiceSettings', empty, work, callback, (call, { result, settings }) =>
      call(result, settings),
    );
  }

  /** Called with the current settings at first, and after each change. Undefined ends it. */
  SetVoiceSettingsUpdatedCallback(callback: ((settings: VoiceSettings) => void) | undefined): void {
    optionalCallable('callback', callback);
    const told = (data: object): void =>
      callBack('SetVoiceSettingsUpdatedCallback', () => callback?.(new VoiceSettings(data ?? {})));
    this.#core.want('VOICE_SETTINGS_UPDATE', callback && told);
  }

  /** Milliseconds for each HTTP request from now on; 30,000 unless set. Throws RangeError for what is no such time. */
  SetHttpRequestTimeout(httpTimeoutInMilliseconds: number): void {
    if (!Number.isInteger(httpTimeoutInMilliseconds) || httpTimeoutInMilliseconds < 1) {
      throw new RangeError('httpTimeoutInMilliseconds: must be a whole number from 1');
    }
    this.#core.timeoutMs = Math.min(httpTimeoutInMilliseconds, LONGEST_TIMER_MS);
  }

  /** Tells log lines from `minSeverity` up; a release build tells Warning and Error only. */
  AddLogCallback(callback: LogCallback, minSeverity: LoggingSeverity): void {
    this.#core.log.add(callable('callback', callback), oneOf('minSeverity', minSeverity, Severities));
  }
}
