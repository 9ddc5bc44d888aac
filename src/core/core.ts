import type { AdminCaller, AdminOperation } from '../base/admin-operation.ts';
import type { Awaitable } from '../base/later.ts';
import type { RpcError } from '../protocol/errors.ts';
import type {
  ArgsOf,
  CommandName,
  EventDataOf,
  EventName,
  ReadyData,
  ResultOf,
} from '../protocol/registry.ts';
import type { Scope } from '../protocol/scope.ts';
import type { CloseCode } from '../wire/codes.ts';
import type { PeerCredentials, TransportKind } from '../wire/connection.ts';

/** `data` of READY, as a core provides it. */
export type Ready = ReadyData;

/** Endpoint with rights of its own through which an app has come, and the app's sandbox. */
export interface PeerEntrance {
  /** Name in the configuration. */
  readonly name: string;
  /**
   * Proven sandbox, such as `Flatpak org.videolan.VLC`; `unverified` for a process without a proof, and
   * null for a process outside of a sandbox.
   */
  readonly sandbox: string | null;
}

/** One connected app, as the core receives it. */
export interface Peer {
  readonly sessionId: string;
  readonly clientId: string;
  readonly transport: TransportKind;
  /** Origin header of a WebSocket or HTTP peer. */
  readonly origin?: string;
  readonly credentials?: PeerCredentials;
  /** Id of the activity instance, for an embedded app. */
  readonly instance?: string;
  /** Absent for an app at the bridge's own endpoint. */
  readonly entrance?: PeerEntrance;
  /** True for a game that the bridge has detected: it has not connected, and `credentials` are those of its process. */
  readonly detected?: boolean;
  /** Aborts when the peer leaves. */
  readonly signal: AbortSignal;
}

/** Context of a request besides its arguments. */
export interface CoreCall {
  /** Aborts when no answer is needed any longer: the peer has disconnected, or the timeout has passed. */
  readonly signal: AbortSignal;
  /** The arguments as the app sent them, serialised again; they include keys that our schemas do not contain. */
  readonly rawArgs: unknown;
  /** Scopes of the session; for some scopes an answer includes more. */
  readonly scopes: ReadonlySet<string>;
  /**
   * Reports that this request waits for the user, for commands that do so only in some cases: from now on the answer
   * may take as long as the user does.
   */
  waitsForConsent(): void;
}

export type {
  AdminCaller,
  AdminOperation,
  OperationText,
  TextTaker,
  ValueSchema as ArgsSchema,
} from '../base/admin-operation.ts';

/** A core's answer to each command; a missing command is answered with ERROR 4002. */
export type CoreHandlers = {
  readonly [C in CommandName]?: (args: ArgsOf<C>, call: CoreCall) => Awaitable<ResultOf<C>>;
};

/** A request in the form that a relaying session gets: parsed, and otherwise unchanged. */
export interface RelayedRequest {
  readonly cmd: string;
  readonly args: unknown;
  readonly evt: string | undefined;
}

/** Session of one app inside a core. */
export interface CoreSession {
  readonly ready: Ready;
  /**
   * Present where another server behind the session decides about commands, scopes, shapes and subscriptions: every
   * request goes to `relay`, and none to `handlers` or `subscribe`. Events of such a session are dispatched with {@link
   * CoreHost.relay}. Large integers in requests and answers (READY included) have the form of `parseExact`, so that no
   * digit is lost.
   */
  relay?(request: RelayedRequest, call: Pick<CoreCall, 'signal'>): Promise<unknown>;
  readonly handlers: CoreHandlers;
  /**
   * Shows the activity in `args` of SET_ACTIVITY (null clears it) at several chat clients, for a core that has more than
   * one. `only` has patterns of client names; undefined selects every client. A client that is not selected shows
   * nothing of this app. Answers as the primary client does, null where the primary client is not selected.
   */
  present?(
    args: unknown,
    only: readonly string[] | undefined,
    call: Pick<CoreCall, 'signal'>,
  ): Promise<unknown>;
  /** Answer to SET_ACTIVITY for an activity that the core does not show. Default: the form of protocol 7.4. */
  preview?(activity: object): object;
  /** Names of the clients that show an activity of this app now; the core's own name where it has one client. */
  presentAt?(): readonly string[];
  /**
   * True if all answers have their declared shapes and no other keys: the answers are sent without a check, and an
   * answered object must not change afterwards. Only for our own cores, whose tests check each answer; answers of other
   * cores are always checked.
   */
  readonly trusted?: boolean;
  /**
   * Subscribes the session to an event. Returns the current values to dispatch right after SUBSCRIBE's answer
   * (state-type events). Throws RpcError to refuse (unknown guild, hidden channel).
   */
  subscribe?(event: EventName, args: unknown, call: Pick<CoreCall, 'signal'>): Awaitable<readonly unknown[]>;
  unsubscribe?(event: EventName, args: unknown): Awaitable<void>;
  /** Called once when the app has sent text that is not valid UTF-8. */
  garbled?(): void;
  /** Returns the answer to the peer for an error of the core's own, thrown by a handler; undefined for a defect. */
  refusal?(error: unknown): RpcError | undefined;
  /** Called when the peer has disconnected: drop its presence and everything else that it holds. */
  close(): void;
}

/** Selects sessions; every property present must match. */
export interface Target {
  readonly clientId?: string;
  readonly sessionId?: string;
  /** The access token used in AUTHENTICATE. */
  readonly token?: string;
}

/** Selects the sessions for an event: the sessions of the target whose subscription has arguments equal to `filter`. */
export interface EventTarget extends Target {
  /**
   * Values that a subscription's arguments must equal, for example `{guild_id}`. Without a filter, each session of the
   * target that subscribed to the event, with any arguments, gets the event once.
   */
  readonly filter?: { readonly [arg: string]: unknown };
}

/** Services of the server for a core. */
export interface CoreHost {
  /**
   * Dispatches an event in the next turn of the event loop, so that the answer to the request that caused the event is
   * sent first: a handler that emits must answer in the same turn. Returns the number of sessions.
   */
  emit<E extends EventName>(event: E, data: EventDataOf<E>, to?: EventTarget): number;
  /** Dispatches an event of the upstream to one relaying session, without checking the session's subscriptions. */
  relay(sessionId: string, evt: string, data: unknown): void;
  /** Closes sessions with a CLOSE frame; returns their number. */
  closeSessions(to: Target, code: CloseCode, message: string): number;
  /** Adds scopes to a session, as AUTHENTICATE does. */
  grant(sessionId: string, scopes: readonly Scope[]): void;
  /** Writes a log line. Never pass a token, a code or a payload: only the listed fields reach the log. */
  log(level: 'debug' | 'info' | 'warn' | 'error', message: string, fields?: LogFields): void;
}

/** The only fields that may reach a log. */
export interface LogFields {
  readonly session?: string;
  readonly clientId?: string;
  readonly cmd?: string;
  readonly evt?: string;
  readonly code?: number;
  readonly pid?: number;
  readonly program?: string;
  readonly path?: string;
  readonly count?: number;
  readonly bytes?: number;
  readonly ms?: number;
  readonly reason?: string;
}

/**
 * Returns the reason why an operator may not allow a request of the process `requesterPid`, as text that follows "it
 * was"; undefined if the operator may.
 */
export type ApproverRule = (
  requesterPid: number,
  by: {
    readonly pid?: number | undefined;
    readonly forProcesses?: AdminCaller['forProcesses'];
    readonly via: string;
  },
) => string | undefined;

/** Declares an operation with its argument type inferred. */
export function defineOperation<A>(operation: AdminOperation<A>): AdminOperation {
  return operation as AdminOperation;
}

/** Report of a core that has started. */
export interface CoreStarted {
  /** Base URL of the core's HTTP API (the emulator's token endpoint), when it has one. */
  readonly api?: string;
  readonly admin?: { readonly [operation: string]: AdminOperation };
  /** Lines for a status display, as label and text; called for each display. */
  describe?(): readonly (readonly [label: string, text: string])[];
}

/** Substitute for a chat client: answers for state that the bridge does not have. */
export interface ClientCore {
  readonly name: string;
  /** Time limit of `open` (ms), where it differs from the server's. */
  readonly openMs?: number;
  start(host: CoreHost): Awaitable<CoreStarted>;
  /** Opens the session of an app. Throws CloseError to refuse the app (unknown application, nobody logged in). */
  open(peer: Peer): Awaitable<CoreSession>;
  stop(): Awaitable<void>;
}

/** Export of a core module, as `createCore` or as its default. */
export type CreateCore = () => ClientCore | Promise<ClientCore>;

/** First property of a core that a value lacks; undefined for a valid core. */
export function missingIn(core: unknown): string | undefined {
  if (typeof core !== 'object' || core === null) return 'anything: it is no object';
  const { name } = core as Partial<ClientCore>;
  if (typeof name !== 'string' || !/^[\w.-]{1,60}$/.test(name))
    return 'a name of letters, digits, "-", "_" and "."';
  const lacking = (['start', 'open', 'stop'] as const).find(
    (method) => typeof (core as Partial<ClientCore>)[method] !== 'function',
  );
  return lacking === undefined ? undefined : `a function ${lacking}`;
}
