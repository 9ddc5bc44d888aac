import { MAX_TIMER_MS } from '../../client/limit.ts';
import { needToken } from '../checks.ts';
import {
  AuthorizationTokenType,
  ClientStatus,
  ConnectionError,
  ErrorType,
  type LoggingSeverity,
  LoggingSeverity as Severities,
} from '../enums.ts';
import type { LogCallback } from '../log.ts';
import { Failed } from '../outcome.ts';
import { type ClientResult, ValidationError } from '../result.ts';
import { callable, type Id, oneOf, uint64 } from '../values.ts';
import { VoiceSettings } from '../voice-settings.ts';
import { action, callbackValues, method, request } from './row.ts';

/** Receives a snapshot of the voice settings; `VoiceSettings.nullobj` on failure. */
export type VoiceSettingsCallback = (result: ClientResult, settings: VoiceSettings) => void;

const VOICE_SETTINGS = callbackValues(
  { settings: VoiceSettings.nullobj as VoiceSettings },
  (call: VoiceSettingsCallback, { result, settings }) => call(result, settings),
);

/** Entry points for the application, the token, the session at the service, and the chat client's settings. */
export const SESSION = {
  /**
   * Sets the game's application and starts the search for the application's chat client. Throws as `SetClientId` does.
   */
  SetApplicationId: method((core, applicationId: Id): void => {
    const id = uint64('applicationId', applicationId);
    if (id === 0n) throw new RangeError('applicationId: must not be 0');
    if (id !== core.applicationId) core.useApplication(id);
  }),

  GetApplicationId: method(({ applicationId }): bigint => applicationId),

  /**
   * Begins a session at the service with the token of `UpdateToken`, and maintains it; `SetStatusChangedCallback`
   * reports the progress. Without an application or a token the status becomes Disconnected at once.
   */
  Connect: method((core): void => {
    core.comeBack();
    const isReady = core.applicationId !== 0n && core.token !== undefined;
    // `connect` also skips the delay before a pending reconnect.
    if (isReady || core.status !== ClientStatus.Disconnected) return core.session.gateway.connect();
    const missing =
      core.token === undefined ? 'no token; call UpdateToken' : 'no application; call SetApplicationId';
    core.log.write(Severities.Error, `Connect: there is ${missing} first`);
    const { Disconnected } = ClientStatus;
    const { ConnectionFailed } = ConnectionError;
    // The callback runs asynchronously, so that a game that calls Connect again in it does not recurse without end.
    setTimeout(() => {
      // In the meantime a token may have been presented and a connection begun.
      if (core.status === Disconnected)
        core.callbacks.notify('SetStatusChangedCallback', Disconnected, ConnectionFailed, 0);
    });
  }),

  /**
   * Closes the session and ends the player's presence; the next `Connect` restores both. Until then every asynchronous
   * entry point fails with ClientDestroyed, except the entry points for tokens.
   */
  Disconnect: method(async (core): Promise<void> => {
    core.authorization.abort();
    await core.leave();
  }),

  /** Status of the connection to the service. */
  GetStatus: method(({ status }): ClientStatus => status),

  /** Whether there is a token that neither the service nor the chat client has rejected. */
  IsAuthenticated: method(({ token }): boolean => token !== undefined),

  /**
   * Sets the access token for the service and the chat client, on the current and on each later connection. An open
   * session continues with the token. After a session has ended (`Disconnected`, as after 4004 and 401), only `Connect`
   * begins a new one. Fails when both the chat client and the service reject the token. When no chat client runs, and
   * after `Disconnect`, the first request or `Connect` reports a rejected token.
   */
  UpdateToken: action(
    async (core, tokenType: AuthorizationTokenType, token: string) => {
      if (tokenType !== AuthorizationTokenType.Bearer)
        throw new ValidationError(
          'tokenType: only Bearer is offered, and it comes first: UpdateToken(AuthorizationTokenType.Bearer, token)',
        );
      needToken('token', token);
      core.log.use(token);
      const chat = core.chat.need();
      core.credentials.present(token);
      const rpc = core.isDestroyed ? undefined : await chat.need().catch(() => undefined);
      if (rpc === undefined || core.isDestroyed) return;
      try {
        await rpc.authenticate(token, chat.inTime);
      } catch (error) {
        if (await core.chat.isOfSomebodyElse(token)) return;
        if (rpc.state === 'ready') core.credentials.withdraw(token);
        throw error;
      }
      chat.retryEvents();
      await core.friends.load(chat);
    },
    { afterDisconnect: true },
  ),

  /** Reads the desktop client's voice settings. */
  GetVoiceSettings: request(VOICE_SETTINGS, async (core) => {
    const chat = core.chat.need();
    const rpc = await chat.need();
    const raw: object | null = await rpc.request('GET_VOICE_SETTINGS', {}, chat.inTime);
    if (raw === null) throw new Failed(ErrorType.RPCError, 'The answer of the chat client holds no settings');
    return { settings: new VoiceSettings(raw) };
  }),

  /**
   * Sets the timeout of each later HTTP request in milliseconds; 30,000 by default. Throws RangeError for a value that
   * is not a whole number from 1.
   */
  SetHttpRequestTimeout: method((core, httpTimeoutInMilliseconds: number): void => {
    if (!Number.isInteger(httpTimeoutInMilliseconds) || httpTimeoutInMilliseconds < 1) {
      throw new RangeError('httpTimeoutInMilliseconds: must be a whole number from 1');
    }
    core.timeoutMs = Math.min(httpTimeoutInMilliseconds, MAX_TIMER_MS);
  }),

  /** Adds a callback for log lines of `minSeverity` and above; a release build logs only Warning and Error. */
  AddLogCallback: method(({ log }, callback: LogCallback, minSeverity: LoggingSeverity): void =>
    log.add(callable('callback', callback), oneOf('minSeverity', minSeverity, Severities)),
  ),
};
