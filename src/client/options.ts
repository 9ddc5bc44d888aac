import type { ClientError } from './errors.ts';
import type { Commands, Events, Ready } from './generated.ts';
import type { JsonCodec } from './payload.ts';

/** Names of the commands that `request` knows the types of. */
export type CommandName = keyof Commands;
/** Names of the events that can be subscribed to. */
export type EventName = keyof Events;
/** What may be left out may also be undefined: JSON drops it. */
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

/** Where a client is: `retrying` after a loss, `closed` for good. */
export type ClientState = 'idle' | 'connecting' | 'ready' | 'retrying' | 'closed';

/** What can be said about one request. */
export interface RequestOptions {
  /** Gives the request up; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until the request fails with FOOTBRIDGE_TIMEOUT; 0 waits for ever. */
  readonly timeoutMs?: number | undefined;
}

/** How a client finds and keeps its server. Times in milliseconds. */
export interface ClientOptions {
  /** The application's id, a decimal string. */
  readonly clientId: string;
  /** Endpoints to try instead of searching the folders that chat clients use. */
  readonly paths?: readonly string[] | undefined;
  /**
   * Take the sockets of other users too, in `paths` as in the folders searched. Default false: only one's own and
   * root's, because whoever answers is handed the access token. Of no effect on Windows.
   */
  readonly anyOwner?: boolean | undefined;
  /** Closes the client when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** Wait for a server instead of failing when none answers at first. Default false. */
  readonly wait?: boolean | undefined;
  /** Connect again after a loss. Default true. */
  readonly reconnect?: boolean | undefined;
  /** Keep the process alive while a server is waited for. Unless given, only a pending `connect` does. */
  readonly keepAlive?: boolean | undefined;
  /** Per endpoint, from connecting to READY. Default 10,000. */
  readonly connectTimeoutMs?: number | undefined;
  /** For the answer to a request. Default 30,000; AUTHORIZE, which a person answers, has none unless given. */
  readonly requestTimeoutMs?: number | undefined;
  /**
   * Reads what comes and writes what is sent, for a program that must keep the digits of numbers above 2^53. `stringify` gets what
   * `parse` has made of them, and its text must be on one line. Default `JSON`.
   */
  readonly json?: JsonCodec | undefined;
  /** Gives the access token for each new connection; see {@link TokenSource}. */
  readonly token?: TokenSource | undefined;
}

/**
 * Asked on each connection for the token to authenticate with; undefined stays anonymous. `rejected` is true when
 * the token given before was refused or revoked: refresh it, or give up.
 */
export type TokenSource = (ask: {
  readonly rejected: boolean;
  readonly signal: AbortSignal;
}) => string | undefined | Promise<string | undefined>;

/** What a client tells of itself. */
export type ClientEvents = {
  /** Connected, authenticated when there was a token, presence and subscriptions on their way. */
  readonly ready: readonly [ready: Ready];
  readonly disconnected: readonly [error: ClientError];
  /** The next try to connect, and why the last one failed. */
  readonly retry: readonly [
    plan: { readonly attempt: number; readonly delayMs: number; readonly error: Error },
  ];
  /** Something that the last connection had could not be had again: AUTHENTICATE, SET_ACTIVITY, or an event's name. */
  readonly restoreFailed: readonly [what: string, error: Error];
  /** Every dispatch, whoever subscribed to it. */
  readonly dispatch: readonly [event: string, data: unknown];
  readonly closed: readonly [];
};

/** Arguments may be left out where every one of them may. */
export type RequestArguments<C extends CommandName> =
  Record<never, never> extends CommandArgs<C>
    ? [args?: CommandArgs<C>, options?: RequestOptions]
    : [args: CommandArgs<C>, options?: RequestOptions];

/** Ends a subscription: the handler is not called again. Never rejects. */
export type Unsubscribe = () => Promise<void>;

/** Options of an event stream. */
export interface StreamOptions extends RequestOptions {
  /** Events kept for a loop that is slow; of more than that the oldest are lost. Default 1000. */
  readonly limit?: number | undefined;
}

/** One dispatched event, as a loop over all of them sees it. */
export interface DispatchedEvent {
  readonly event: string;
  readonly data: unknown;
}
