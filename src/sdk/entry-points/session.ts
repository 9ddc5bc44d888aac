import { LONGEST_TIMER_MS } from '../../client/limit.ts';
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

/** Gets a snapshot; `VoiceSettings.nullobj` on failure. */
export type VoiceSettingsCallback = (result: ClientResult, settings: VoiceSettings) => void;

const VOICE_SETTINGS = callbackValues(
  { settings: VoiceSettings.nullobj as VoiceSettings },
  (call: VoiceSettingsCallback, { result, settings }) => call(result, settings),
);

/** The application, the token, the session at the service, and the chat client's settings. */
export const SESSION = {
  /** The application whose game this is; from now on its chat client is looked for. Throws as `SetClientId` does. */
  SetApplicationId: method((core, applicationId: Id): void => {
    const id = uint64('applicationId', applicationId);
    if (id === 0n) throw new RangeError('applicationId: must not be 0');
    if (id !== core.applicationId) core.useApplication(id);
  }),

  GetApplicationId: method(({ applicationId }): bigint => applicationId),

  /**
   * Begins a session at the service with the token of `UpdateToken`; `SetStatusChangedCallback` tells how far it is. It is kept
   * up from then on. Without an application or a token the status says so at once.
   */
  Connect: method((core): void => {
    core.comeBack();
    const isReady = core.applicationId !== 0n && core.token !== undefined;
    // What is under way is done at once, should it wait for its time.
    if (isReady || core.status !== ClientStatus.Disconnected) return core.session.gateway.connect();
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
  }),

  /**
   * Hangs up. What is shown of the player goes with it, and comes back with the next `Connect`. Until `Connect` is called again
   * everything asynchronous fails with ClientDestroyed, but what is about tokens.
   */
  Disconnect: method(async (core): Promise<void> => {
    core.authorization.abort();
    await core.leave();
  }),

  /** How far the connection to the service is. */
  GetStatus: method(({ status }): ClientStatus => status),

  /** Whether there is a token that nobody has refused. */
  IsAuthenticated: method(({ token }): boolean => token !== undefined),

  /**
   * The access token from now on: for the service, and for the chat client, now and on each connection to come. A session goes on
   * with it, but one that has ended (`Disconnected`, as after 4004 and 401) begins with `Connect` alone. Fails where a
   * chat client refuses it and the service does not take it either; where none runs, and after `Disconnect`, the first request or
   * `Connect` says so.
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

  /** Milliseconds for each HTTP request from now on; 30,000 unless set. Throws RangeError for what is no such time. */
  SetHttpRequestTimeout: method((core, httpTimeoutInMilliseconds: number): void => {
    if (!Number.isInteger(httpTimeoutInMilliseconds) || httpTimeoutInMilliseconds < 1) {
      throw new RangeError('httpTimeoutInMilliseconds: must be a whole number from 1');
    }
    core.timeoutMs = Math.min(httpTimeoutInMilliseconds, LONGEST_TIMER_MS);
  }),

  /** Tells log lines from `minSeverity` up; a release build tells Warning and Error only. */
  AddLogCallback: method(({ log }, callback: LogCallback, minSeverity: LoggingSeverity): void =>
    log.add(callable('callback', callback), oneOf('minSeverity', minSeverity, Severities)),
  ),
};
