import { type ActivityInput, wireActivity } from './activity.ts';
import { checkOptions } from './check-options.ts';
import { createConnector } from './connector.ts';
import { createEmitter, needFunction } from './emitter.ts';
import { invalid, RpcError } from './errors.ts';
import type { Activity, Ready, ShownActivity, User } from './generated.ts';
import { limit, onAbort } from './limit.ts';
import type { Link } from './link.ts';
import type {
  ClientEvents,
  ClientOptions,
  ClientState,
  CommandName,
  CommandResult,
  DispatchedEvent,
  EventArgs,
  EventData,
  EventName,
  RequestArguments,
  RequestOptions,
  StreamOptions,
  Unsubscribe,
} from './options.ts';
import { stream } from './stream.ts';
import { Subscriptions } from './subscriptions.ts';
import type { Transport } from './transport.ts';

const INVALID_TOKEN = 4009;
const TOKEN_REVOKED = 4003;
const MAX_BUFFERED_EVENTS = 1000;

type Authenticated = CommandResult<'AUTHENTICATE'>;

/**
 * Client of the local RPC. An unhandled rejection of a returned promise does not end the process, except that of
 * `connect`.
 */
export interface Client {
  readonly state: ClientState;
  /** The logged-in user of the last READY; undefined before the first READY, and where the server sends no user. */
  readonly user: User | undefined;
  /** The server's `config` of the last READY. */
  readonly config: Ready['config'] | undefined;
  /**
   * Connects; resolves once the client is ready. Unless `wait` is set, rejects with FOOTBRIDGE_NO_SERVER when no server
   * answers, and with FOOTBRIDGE_DISCONNECTED or FOOTBRIDGE_PROTOCOL when the connection is lost at once; `connect` may
   * then be called again. Rejects with FOOTBRIDGE_CLOSED or the signal's reason once the client is closed.
   */
  connect(): Promise<void>;
  /**
   * Closes the connection, which withdraws its prompts, and connects again; presence, subscriptions and token are
   * restored.
   */
  reconnect(): Promise<void>;
  /** Closes the client; the server drops the presence. Resolves once the connection is closed. */
  close(): Promise<void>;
  /** Adds a listener; the returned function removes it. An exception of the listener becomes an uncaught exception. */
  on<E extends keyof ClientEvents>(event: E, listener: (...args: ClientEvents[E]) => void): () => void;
  /**
   * Sends a command and resolves with its result. Rejects with RpcError when the server answers ERROR, at once with
   * FOOTBRIDGE_NOT_CONNECTED when there is no connection, with FOOTBRIDGE_DISCONNECTED when the connection is lost
   * before the answer, with FOOTBRIDGE_TIMEOUT, or with the signal's reason.
   */
  request<C extends CommandName>(cmd: C, ...rest: RequestArguments<C>): Promise<CommandResult<C>>;
  /** `request` for any command, without types; `evt` is the outer `evt` of the payload. */
  requestRaw(cmd: string, args?: object, options?: RequestOptions, evt?: string): Promise<unknown>;
  /**
   * Shows an activity, now and after each reconnect, until `clearActivity`. The activity is validated before it is sent
   * (FOOTBRIDGE_INVALID_ARGUMENT names the field). Without a connection the promise rejects at once, and the activity
   * is shown after the next connect.
   */
  setActivity(
    activity: ActivityInput,
    options?: RequestOptions & { readonly pid?: number | undefined },
  ): Promise<ShownActivity | null>;
  /** Clears the activity. Resolves without a connection, because there is nothing to clear. */
  clearActivity(options?: RequestOptions): Promise<void>;
  /**
   * Calls `handler` for each event, now and after each reconnect, until the returned function is called. Resolves once
   * the server has accepted the subscription. Handlers of the same event with the same arguments share one
   * subscription.
   */
  subscribe<E extends EventName>(
    event: E,
    args: EventArgs<E>,
    handler: (data: EventData<E>) => void,
    options?: RequestOptions,
  ): Promise<Unsubscribe>;
  /** `subscribe` for any event, without types. */
  subscribeRaw(
    event: string,
    args: object,
    handler: (data: unknown) => void,
    options?: RequestOptions,
  ): Promise<Unsubscribe>;
  /**
   * The events of one subscription, for `for await`. The stream ends when the loop ends, the signal aborts or the
   * client closes.
   */
  events<E extends EventName>(
    event: E,
    args: EventArgs<E>,
    options?: StreamOptions,
  ): AsyncGenerator<EventData<E>, void, undefined>;
  /** All dispatched events of all subscriptions. */
  [Symbol.asyncIterator](): AsyncGenerator<DispatchedEvent, void, undefined>;
  /**
   * Authenticates this connection and, with the same token, each later connection. A connection with another token is
   * replaced by a new connection: the protocol has no way to change a connection's token.
   */
  authenticate(accessToken: string, options?: RequestOptions): Promise<Authenticated>;
}

/** Creates a client that is not connected yet. Throws FOOTBRIDGE_INVALID_ARGUMENT that names an invalid option. */
export function createClientOver(
  transportOf: (options: ClientOptions) => Transport,
  options: ClientOptions,
): Client {
  checkOptions(options);
  const transport = transportOf(options);
  const { connectTimeoutMs = 10_000, requestTimeoutMs = 30_000, token: source } = options;
  const { on, emit } = createEmitter<ClientEvents>();
  const subscriptions = new Subscriptions();
  let presence: { readonly pid: number | undefined; readonly activity: Activity } | undefined;
  /** Token of `authenticate`. It must not appear in a log or an error. */
  let token: string | undefined;
  let rejected = false;
  /** Answers to the last AUTHENTICATE: the result for the link's token, and the error of a rejected token. */
  let identity: Authenticated;
  let refusal: unknown;

  const unlessLost =
    (link: Link, what: string) =>
    (error: Error): void => {
      if (!link.lost) emit('restoreFailed', what, error);
    };
  const again = (link: Link, cmd: string, args: object, evt?: string): void => {
    link.request(cmd, args, { timeoutMs: requestTimeoutMs }, evt).catch(unlessLost(link, evt ?? cmd));
  };
  const resubscribe = (link: Link, ...which: boolean[]): void => {
    for (const { event, args, authenticated } of subscriptions.list()) {
      if (which.includes(authenticated)) again(link, 'SUBSCRIBE', args, event);
    }
  };

  /**
   * Restores the state of the last connection on a new link. Only the token is awaited, because some subscriptions need
   * its scopes.
   */
  const prepare = (link: Link, ready: Ready): Promise<void> | undefined => {
    client.user = ready.user;
    client.config = ready.config;
    const sendPresence = (): void => {
      if (presence) again(link, 'SET_ACTIVITY', presence);
    };
    if (transport.isLocal) sendPresence();
    if (!(token ?? source)) {
      resubscribe(link, false, true);
      return undefined;
    }
    resubscribe(link, false);
    const renewed = renewToken(link).catch(unlessLost(link, 'AUTHENTICATE'));
    // A token source that never answers must not outlive its connection.
    return Promise.race([renewed, link.closed]).then(() => {
      if (!transport.isLocal) sendPresence();
      resubscribe(link, true);
    });
  };

  const reject = (): void => {
    token = undefined;
    rejected = true;
  };

  const renewToken = async (link: Link): Promise<void> => {
    for (const last of [false, true]) {
      const used = token ?? (await source?.({ rejected, signal: link.signal() }));
      if (used === undefined) return;
      try {
        return await present(link, used, { timeoutMs: connectTimeoutMs });
      } catch (error) {
        if (last || !source || !rejected) throw error;
      }
    }
  };

  const present = async (link: Link, used: string, callOptions: RequestOptions): Promise<void> => {
    rejected = false;
    try {
      identity = (await link.request('AUTHENTICATE', { access_token: used }, callOptions)) as Authenticated;
      link.bearer = used;
    } catch (error) {
      refusal = error;
      if (error instanceof RpcError && error.code === INVALID_TOKEN) reject();
      throw error;
    }
  };

  const requestRaw = async (
    cmd: string,
    args: object = {},
    // The user answers AUTHORIZE, which may take a while.
    { signal, timeoutMs = cmd === 'AUTHORIZE' ? 0 : requestTimeoutMs }: RequestOptions = {},
    evt?: string,
  ): Promise<unknown> => connector.need().request(cmd, args, { signal, timeoutMs }, evt);

  const setActivity: Client['setActivity'] = async (input, { pid = transport.pid, ...callOptions } = {}) => {
    const wanted = { pid, activity: wireActivity(input) };
    const previous = presence;
    presence = wanted;
    try {
      return (await requestRaw('SET_ACTIVITY', wanted, callOptions)) as ShownActivity | null;
    } catch (error) {
      // The server still has the previous activity; the rejected one would be rejected again after each reconnect.
      if (error instanceof RpcError && presence === wanted) presence = previous;
      throw error;
    }
  };

  const clearActivity: Client['clearActivity'] = async (callOptions) => {
    const { pid } = presence ?? transport;
    presence = undefined;
    if (client.state === 'ready') await requestRaw('SET_ACTIVITY', { pid, activity: null }, callOptions);
  };

  const subscribeRaw: Client['subscribeRaw'] = async (event, args, handler, callOptions) => {
    needFunction(handler);
    const authenticated = connector.need().bearer !== undefined;
    // The handler is added before the answer, because the current value of a state-type event may arrive in the same
    // chunk.
    const remove = subscriptions.add({ event, args, authenticated, handler });
    const stop = async (): Promise<void> => {
      if (remove() && client.state === 'ready') requestRaw('UNSUBSCRIBE', args, {}, event).catch(() => {});
    };
    try {
      await requestRaw('SUBSCRIBE', args, callOptions, event);
      return stop;
    } catch (error) {
      // A rejected SUBSCRIBE leaves no subscription to end; an aborted SUBSCRIBE may.
      if (error instanceof RpcError) remove();
      else void stop();
      throw error;
    }
  };

  const authenticate: Client['authenticate'] = async (
    wanted,
    { signal, timeoutMs = requestTimeoutMs } = {},
  ) => {
    const link = connector.need();
    if (typeof wanted !== 'string') invalid('accessToken', 'text');
    signal?.throwIfAborted();
    token = wanted;
    if (link.bearer === undefined) {
      await present(link, wanted, { signal, timeoutMs });
      // Without a token this connection could not have the subscriptions that need one.
      resubscribe(link, true);
    } else if (link.bearer !== wanted) {
      await new Promise<void>((resolve, reject) => {
        const release = limit('AUTHENTICATE', timeoutMs, signal, reject);
        void connector.again().then(resolve, reject).then(release);
      });
    }
    if (connector.need().bearer !== wanted) throw refusal;
    return identity;
  };

  const request = handled(requestRaw);
  const subscribe = handled(subscribeRaw);
  const untilClosed =
    (signal?: AbortSignal) =>
    (end: () => void): (() => void)[] => {
      if (client.state === 'closed') end();
      return [on('closed', end), onAbort(signal, end)];
    };

  // The members are plain properties: V8 takes ten times as long to create an object with getters.
  const client: { -readonly [K in keyof Client]: Client[K] } = {
    state: 'idle',
    user: undefined,
    config: undefined,
    on,
    connect: () => connector.begin(),
    close: handled(() => connector.finish()),
    reconnect: handled(() => connector.again()),
    request: request as Client['request'],
    requestRaw: request,
    setActivity: handled(setActivity),
    clearActivity: handled(clearActivity),
    subscribe: subscribe as Client['subscribe'],
    subscribeRaw: subscribe,
    authenticate: handled(authenticate),
    events: (event, args, { limit = MAX_BUFFERED_EVENTS, ...callOptions } = {}) =>
      stream({
        maxBuffered: limit,
        begin: (push) => subscribeRaw(event, args, push as (data: unknown) => void, callOptions),
        onEnd: untilClosed(callOptions.signal),
      }),
    [Symbol.asyncIterator]: () =>
      stream<DispatchedEvent>({
        maxBuffered: MAX_BUFFERED_EVENTS,
        begin: async (push) => on('dispatch', (event, data) => push({ event, data })),
        onEnd: untilClosed(),
      }),
  };
  const connector = createConnector(options, transport, connectTimeoutMs, {
    prepare,
    emit,
    enter(state) {
      client.state = state;
    },
    lost(error) {
      if (error.reason?.code === TOKEN_REVOKED) reject();
      emit('disconnected', error);
    },
    dispatch(event, data) {
      subscriptions.dispatch(event, data);
      emit('dispatch', event, data);
    },
  });
  return client;
}

/**
 * Marks the returned promise as handled: a program that ignores how a call ends must not crash because of a rejection.
 */
function handled<A extends readonly unknown[], T>(
  call: (...args: A) => Promise<T>,
): (...args: A) => Promise<T> {
  return (...args) => {
    const promise = call(...args);
    promise.catch(() => {});
    return promise;
  };
}

/** Connects; closes the client on failure. See {@link Client.connect}. */
export async function connected(client: Client): Promise<Client> {
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}
