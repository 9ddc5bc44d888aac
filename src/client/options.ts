import type { ClientError } from './errors.ts';
import type { Commands, Events, Ready } from './generated.ts';
import type { JsonCodec } from './payload.ts';

/** Names of the commands with types for `request`. */
export type CommandName = keyof Commands;
/** Names of the events that can be subscribed to. */
export type EventName = keyof Events;
/** Members of which the optional ones may also be undefined, because JSON drops undefined members. */
export type Lenient<T> = {
  [K in keyof T]: Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K];
};
/** A command's arguments. */
export type CommandArgs<C extends CommandName> = Lenient<Commands[C]['args']>;
/** A command's result, the answer's `data`. */
export type CommandResult<C extends CommandName> = Commands[C]['result'];
/** An event's SUBSCRIBE arguments. */
export type EventArgs<E extends EventName> = Lenient<Events[E]['args']>;
/** An event's `data`. */
export type EventData<E extends EventName> = Events[E]['data'];

/** State of a client: `retrying` after a loss, `closed` for good. */
export type ClientState = 'idle' | 'connecting' | 'ready' | 'retrying' | 'closed';

/** Options of one request. */
export interface RequestOptions {
  /** Aborts the request; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the request fails with FOOTBRIDGE_TIMEOUT; 0 means no limit. */
  readonly timeoutMs?: number | undefined;
}

/** Options for finding a server and for the connection to it. Times in milliseconds. */
export interface ClientOptions {
  /** The application's id, a decimal string. */
  readonly clientId: string;
  /** Endpoints to try instead of the path in FOOTBRIDGE_ENDPOINT, or of a search in the folders of chat clients. */
  readonly paths?: readonly string[] | undefined;
  /**
   * Accept sockets of other users too, both in `paths` and in searched folders. Default false: only sockets of the own
   * user and of root are accepted, because the server receives the access token. No effect on Windows.
   */
  readonly anyOwner?: boolean | undefined;
  /** The client closes when this signal aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Wait for a server instead of failing when no server answers the first attempt. Default false. */
  readonly wait?: boolean | undefined;
  /** Reconnect after a loss. Default true. */
  readonly reconnect?: boolean | undefined;
  /** Hold the process alive during the wait for a server. By default only a pending `connect` does. */
  readonly keepAlive?: boolean | undefined;
  /** Time limit for one endpoint, from connecting to READY (ms). Default 10,000. */
  readonly connectTimeoutMs?: number | undefined;
  /** Time limit of an answer (ms). Default 30,000; AUTHORIZE, which the user answers, has no limit by default. */
  readonly requestTimeoutMs?: number | undefined;
  /**
   * Parses and serializes payloads, for a program that must preserve the digits of numbers above 2^53. `stringify` gets
   * values from `parse`, and must return one line. Default `JSON`.
   */
  readonly json?: JsonCodec | undefined;
  /** Source of the access token for each new connection; see {@link TokenSource}. */
  readonly token?: TokenSource | undefined;
}

/**
 * Called on each connection for its access token; undefined leaves the connection anonymous. `rejected` is true when
 * the previous token was rejected or revoked: refresh the token, or return undefined.
 */
export type TokenSource = (request: {
  readonly rejected: boolean;
  readonly signal: AbortSignal;
}) => string | undefined | Promise<string | undefined>;

/** Events of a client. */
export type ClientEvents = {
  /**
   * The client is connected, and authenticated where there is a token; presence and subscriptions are being restored.
   */
  readonly ready: readonly [ready: Ready];
  readonly disconnected: readonly [error: ClientError];
  /** Number and delay of the next attempt to connect, and the error of the last attempt. */
  readonly retry: readonly [
    plan: { readonly attempt: number; readonly delayMs: number; readonly error: Error },
  ];
  /** A part of the last connection could not be restored: AUTHENTICATE, SET_ACTIVITY, or an event's name. */
  readonly restoreFailed: readonly [what: string, error: Error];
  /** Every dispatch of all subscriptions. */
  readonly dispatch: readonly [event: string, data: unknown];
  readonly closed: readonly [];
};

/** Arguments of `request` after the command: `args` is optional where all of its members are. */
export type RequestArguments<C extends CommandName> =
  Record<never, never> extends CommandArgs<C>
    ? [args?: CommandArgs<C>, options?: RequestOptions]
    : [args: CommandArgs<C>, options?: RequestOptions];

/** Ends a subscription: the handler is not called again. Never rejects. */
export type Unsubscribe = () => Promise<void>;

/** Options of an event stream. */
export interface StreamOptions extends RequestOptions {
  /** Maximum of events buffered for a slow loop; above it the oldest events are dropped. Default 1000. */
  readonly limit?: number | undefined;
}

/** One dispatched event of a stream of all events. */
export interface DispatchedEvent {
  readonly event: string;
  readonly data: unknown;
}
