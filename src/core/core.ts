import type { AdminCaller, AdminOperation } from '../base/admin-operation.ts';
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

/** One connected app, as the core sees it. */
export interface Peer {
  readonly sessionId: string;
  readonly clientId: string;
  readonly transport: TransportKind;
  /** Origin header of a WebSocket or HTTP peer. */
  readonly origin?: string;
  readonly credentials?: PeerCredentials;
  /** Of an embedded app: id of the instance of its activity. */
  readonly instance?: string;
  /** Aborts when the peer leaves. */
  readonly signal: AbortSignal;
}

/** What a handler learns about the request besides its arguments. */
export interface CoreCall {
  /** Aborts when nobody waits for the answer any more: the peer has left, or the time for it is over. */
  readonly signal: AbortSignal;
  /** The arguments as sent, re-serialised by us: with the keys that our schemas do not know. */
  readonly rawArgs: unknown;
  /** What the session holds; an answer may show more to some. */
  readonly scopes: ReadonlySet<string>;
  /**
   * Says that a person is asked, where a request does not always need one: from now on the answer may take as long as they do.
   */
  asksPerson(): void;
}

export type {
  AdminCaller,
  AdminOperation,
  OperationText,
  TextTaker,
  ValueSchema as ArgsSchema,
} from '../base/admin-operation.ts';

type Awaitable<T> = T | Promise<T>;

/** A core's answer to each command it can answer; what is missing is answered with ERROR 4002. */
export type CoreHandlers = {
  readonly [C in CommandName]?: (args: ArgsOf<C>, call: CoreCall) => Awaitable<ResultOf<C>>;
};

/** A request as a relaying session gets it: parsed, and otherwise as the app sent it. */
export interface RelayedRequest {
  readonly cmd: string;
  readonly args: unknown;
  readonly evt: string | undefined;
}

/** One app's session inside a core. */
export interface CoreSession {
  readonly ready: Ready;
  /**
   * Present where another server stands behind the session and is the authority on commands, scopes,
   * shapes and subscriptions: every request goes here, and none to `handlers` or `subscribe`. Events of
   * such a session are dispatched with {@link CoreHost.relay}. Large whole numbers in what it is given, and in what it gives
   * (READY included), are what `parseExact` made of them, so that no digit is lost on the way.
   */
  relay?(request: RelayedRequest, call: Pick<CoreCall, 'signal'>): Promise<unknown>;
  readonly handlers: CoreHandlers;
  /**
   * The answers have their declared shapes, and no key besides: they are sent as they are, and an object that is answered is
   * not changed afterwards. For a core of ours whose tests check each of them; what anybody else answers is checked each time.
   */
  readonly vouched?: boolean;
  /**
   * The session wants an event. Returns the current values to dispatch right after SUBSCRIBE's answer
   * (state-type events), throws RpcError to refuse (unknown guild, hidden channel).
   */
  subscribe?(event: EventName, args: unknown, call: Pick<CoreCall, 'signal'>): Awaitable<readonly unknown[]>;
  unsubscribe?(event: EventName, args: unknown): Awaitable<void>;
  /** The app has sent text that is not valid UTF-8; called once. */
  garbled?(): void;
  /** What the peer is told of an error of the core's own, thrown by what it answers with; undefined for a defect. */
  refusal?(error: unknown): RpcError | undefined;
  /** The peer has left; presence and everything else it held is dropped. */
  close(): void;
}

/** Which sessions are meant; every property given must match. */
export interface Target {
  readonly clientId?: string;
  readonly sessionId?: string;
  /** The access token used in AUTHENTICATE. */
  readonly token?: string;
}

/** Which sessions get an event: those of the target that subscribed with arguments equal to `filter`. */
export interface EventTarget extends Target {
  /**
   * Values a subscription's arguments are compared with, for example `{guild_id}`. Without it each session
   * of the target that subscribed to the event at all gets it once.
   */
  readonly filter?: { readonly [arg: string]: unknown };
}

/** What the server offers to a core. */
export interface CoreHost {
  /**
   * Dispatches an event. Delivery waits for the next turn of the event loop, so that the answer to the
   * request that caused the event leaves first: a handler that emits answers in the same turn. Returns how many sessions it is meant for.
   */
  emit<E extends EventName>(event: E, data: EventDataOf<E>, to?: EventTarget): number;
  /** Dispatches to one relaying session what its upstream dispatched, whatever it is subscribed to. */
  relay(sessionId: string, evt: string, data: unknown): void;
  /** Ends sessions with a CLOSE frame; returns how many. */
  closeSessions(to: Target, code: CloseCode, message: string): number;
  /** Adds scopes to a session, as AUTHENTICATE does. */
  grant(sessionId: string, scopes: readonly Scope[]): void;
  /** Never give it a token, a code or a payload: only the listed fields reach the log. */
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
  readonly path?: string;
  readonly count?: number;
  readonly bytes?: number;
  readonly ms?: number;
  readonly reason?: string;
}

/** Why somebody may not allow what the process `asker` asked for, as words that follow "it was"; undefined lets them. */
export type ApproverRule = (
  asker: number,
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

/** What a core reports once it has started. */
export interface CoreStarted {
  /** Base URL of the core's HTTP API (the emulator's token endpoint), when it has one. */
  readonly api?: string;
  readonly admin?: { readonly [operation: string]: AdminOperation };
  /** Lines for a status display, as label and text; asked each time. */
  describe?(): readonly (readonly [label: string, text: string])[];
}

/** Stands for a chat client: answers what the bridge cannot know itself. */
export interface ClientCore {
  readonly name: string;
  /** How long `open` may take (ms), where that is not for the server's limits to say. */
  readonly openMs?: number;
  start(host: CoreHost): Awaitable<CoreStarted>;
  /** Throws CloseError to refuse the app (unknown application, nobody logged in). */
  open(peer: Peer): Awaitable<CoreSession>;
  stop(): Awaitable<void>;
}

/** What a module that is a core exports, as `createCore` or as its default. */
export type CreateCore = () => ClientCore | Promise<ClientCore>;

/** The first thing a value lacks to be a core; undefined when it is one. */
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
