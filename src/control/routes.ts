import type { AdminCaller, AdminOperation, AdminOperations, OperationText } from '../base/admin-operation.ts';
import { withIssueText } from '../base/issue-text.ts';
import { JsonValues } from '../base/json-values.ts';
import { messageOf } from '../base/local-error.ts';
import { didYouMean } from '../base/nearest.ts';
import type { ApproverRule } from '../core/core.ts';
import type { CountedRefusal } from '../journal/entry.ts';
import type { SessionSummary } from '../server/options.ts';
import type { Endpoint } from '../transport/transport.ts';
import { ControlError } from './control-error.ts';
import type { OperationDetails, OperationSummary } from './operation-summary.ts';

/** The only Host that a request may name: a web page that was tricked onto our socket would name another host. */
export const CONTROL_HOST = 'footbridge';
/** Maximum number of JSON values in a body, keys included. */
const MAX_BODY_VALUES = 250_000;

/** Answer of `GET /v1/status`. */
export interface ControlStatus {
  readonly version: string;
  readonly pid: number;
  /** Seconds since the start. */
  readonly uptime: number;
  /** Path of the program that runs the daemon. */
  readonly executable: string;
  readonly core: {
    readonly name: string;
    readonly api: string | null;
    /** Readable lines, as label and text. */
    readonly details: readonly (readonly [label: string, text: string])[];
  };
  /**
   * Endpoints with a lower index than ours that other processes hold: apps connect to those endpoints and not to the
   * bridge. Empty when the bridge is in front.
   */
  readonly notInFrontOf: readonly { readonly path: string; readonly why: string }[];
  readonly endpoints: readonly Endpoint[];
  /** Endpoints with rights of their own, served or not. */
  readonly further: readonly FurtherEndpoint[];
  /** Forwards that the bridge keeps running. */
  readonly forwards: readonly ForwardFacts[];
  /** Files and folders of this bridge, whose settings and environment a caller does not know; null for none. */
  readonly places: {
    /** Configuration file, also one that does not exist yet. */
    readonly config: string | null;
    readonly data: string | null;
    /** Folder of the log files, where the bridge writes its log to files. */
    readonly log: string | null;
  };
  /** One line for each state file that could not be written, with the reason: its changes end with the bridge. */
  readonly unstored: readonly string[];
  /** Security limits of this installation, as readable lines, where the native calls are missing. */
  readonly weaker: readonly string[];
  readonly sessions: readonly SessionFacts[];
  /**
   * Web pages that were refused and would still be refused, newest first, at most 32. Their texts are foreign input.
   */
  readonly refused: readonly CountedRefusal[];
  /** Current size of the journal, its bytes approximate; null where there is none. */
  readonly journal: { readonly entries: number; readonly bytes: number } | null;
  readonly counters: { readonly [name: string]: number };
  /** Resident memory in bytes; null where the system does not report it. */
  readonly rss: number | null;
  /** Open file descriptors; null where the system does not report them. */
  readonly fds: number | null;
}

/** Forward of the configuration. */
export interface ForwardFacts {
  readonly name: string;
  /** Both ends; of a command only the program, as in `exec:ssh …`. */
  readonly from: string;
  readonly to: string;
  readonly rights: 'presence' | 'full';
  /** `starting` until apps can connect; `waiting` while it is started again or cannot reach its other end. */
  readonly state: 'starting' | 'running' | 'waiting';
  /** Reason while it waits; null otherwise. */
  readonly why: string | null;
  /** Time since which the other end is reached (ISO 8601); null while it is not. */
  readonly since: string | null;
  /** Reason for the last loss of the other end, or for the last end of the forward; null where there was none. */
  readonly lastError: string | null;
  /** Number of connected apps. */
  readonly sessions: number;
}

/** Endpoint besides the bridge's own. */
export interface FurtherEndpoint {
  readonly name: string;
  readonly preset: 'flatpak' | 'snap' | 'path' | 'private';
  readonly path: string;
  /** `full`, `presence`, or a list of scopes, commands and events. */
  readonly rights: 'full' | 'presence' | readonly string[];
  readonly state: 'waiting' | 'blocked' | 'serving' | 'closed';
  /** Reason and remedy while it is not served; null while it is. */
  readonly why: string | null;
}

/**
 * Session of an app, with the daemon's data about the app. `program` and `application` are only hints, because the app
 * chooses them.
 */
export interface SessionFacts extends SessionSummary {
  /** The name of the app's process, or the path of its program; null where the system does not report it. */
  readonly program: string | null;
  /** The name of the session's application; null where the core does not know it. */
  readonly application: string | null;
}

/** Operations that callers may run, and the rule for approvals. */
export interface OperationSource {
  readonly operations: AdminOperations;
  /** Rule for the callers of an operation that has a `requester`. */
  readonly mayAllow: ApproverRule;
}

/** Data sources of the routes. */
export interface ControlSource extends OperationSource {
  status(): Promise<ControlStatus>;
  /** The source of a world. Throws an Error for an unknown name; absent where there are no worlds. */
  world?(name: string): ControlSource;
}

/** The source that a path names, and the path within it: `/v1/worlds/NAME/status` is `/v1/status` of a world. */
export function sourceAt(
  source: ControlSource,
  path: string,
): { readonly source: ControlSource; readonly path: string } {
  const [, name, rest = ''] = /^\/v1\/worlds\/([^/]{1,64})(\/.*)$/.exec(path) ?? [];
  if (name === undefined) return { source, path };
  try {
    const world = decodeURIComponent(name);
    if (source.world === undefined)
      throw new Error('This bridge has no worlds: only the core "emulator" has.');
    return { source: source.world(world), path: `/v1${rest}` };
  } catch (error) {
    throw new ControlError(404, 'FOOTBRIDGE_UNKNOWN_WORLD', messageOf(error), error);
  }
}

/** Request of the control API whose body is complete. */
export interface ControlRequest {
  readonly method: string;
  /** Path without a query. */
  readonly path: string;
  readonly body: Uint8Array;
  readonly caller: AdminCaller;
}

const OPERATION = /^\/v1\/operations\/([\w.-]{1,64})(\/text)?$/;

function find(operations: AdminOperations, name: string): AdminOperation | undefined {
  return Object.hasOwn(operations, name) ? operations[name] : undefined;
}

/** Operation that a path names; undefined when there is no such operation. */
export function operationAt(operations: AdminOperations, path: string): AdminOperation | undefined {
  return find(operations, OPERATION.exec(path)?.[1] ?? '');
}

/**
 * Output or input of an operation as a text; undefined for a path that does not request a text. Throws {@link
 * ControlError} for an operation without a text, or without a text in this direction.
 */
export function textAt(operations: AdminOperations, method: string, path: string): OperationText | undefined {
  const [, name, text] = OPERATION.exec(path) ?? [];
  if (text === undefined || name === undefined) return undefined;
  const own = operationAt(operations, path)?.text;
  if (own === undefined) {
    throw new ControlError(
      404,
      'FOOTBRIDGE_UNKNOWN_OPERATION',
      `No operation ${name} of this bridge has a text`,
    );
  }
  allow(method, 'outputs' in own ? 'GET' : 'POST');
  return own;
}

/** Operation of this name. Throws {@link ControlError} for an unknown name. */
function known(operations: AdminOperations, name: string): AdminOperation {
  const operation = find(operations, name);
  if (operation !== undefined) return operation;
  throw new ControlError(
    404,
    'FOOTBRIDGE_UNKNOWN_OPERATION',
    `The client core of this bridge has no operation ${name}.${meant(name, Object.keys(operations))}`,
  );
}

async function details(operations: AdminOperations, name: string): Promise<OperationDetails> {
  const operation = known(operations, name);
  const { toJSONSchema } = await import('zod');
  const schemaOf = (io: 'input' | 'output', shape: unknown): unknown => {
    try {
      return toJSONSchema(shape as Parameters<typeof toJSONSchema>[0], { io, unrepresentable: 'any' });
    } catch {
      // A third-party core may validate its arguments with any library, so its schema may have no JSON Schema.
      return null;
    }
  };
  return {
    ...summarize(name, operation),
    command: operation.command ?? null,
    about: operation.about ?? null,
    schema: { args: schemaOf('input', operation.args()), result: schemaOf('output', operation.result?.()) },
  };
}

/** Answers one request with a JSON value. Throws {@link ControlError}. */
export async function answer(source: ControlSource, request: ControlRequest): Promise<unknown> {
  const { method, path } = request;
  const name = OPERATION.exec(path)?.[1];
  if (name !== undefined) {
    if (method === 'GET') return details(source.operations, name);
    allow(method, 'POST');
    return callOperation(source, name, readArgs(request.body), request.caller);
  }
  switch (path) {
    case '/v1/status':
      allow(method, 'GET');
      return source.status();
    case '/v1/operations':
      allow(method, 'GET');
      return Object.entries(source.operations).map(([operation, declaration]) =>
        summarize(operation, declaration),
      );
    default:
      throw new ControlError(404, 'FOOTBRIDGE_NOT_FOUND', `There is no route ${path.slice(0, 100)}`);
  }
}

/**
 * ` Did you mean "…"?`: suggests the operation of the same effect under another name (`user.ban` for `emulator.ban`),
 * or else the closest name.
 */
function meant(name: string, known: readonly string[]): string {
  const verb = `.${name.split('.').at(-1)}`;
  const [same, another] = known.filter((one) => one.endsWith(verb));
  return same !== undefined && another === undefined ? ` Did you mean "${same}"?` : didYouMean(name, known);
}

/**
 * Validates the arguments by the operation's own schema and runs the operation. Throws {@link ControlError}: 404 for an
 * unknown name, 400 for invalid arguments, 409 when the operation refuses.
 */
export async function callOperation(
  { operations, mayAllow }: OperationSource,
  name: string,
  args: unknown,
  caller: AdminCaller,
): Promise<unknown> {
  const operation = known(operations, name);
  const checked = operation.args().safeParse(args, withIssueText());
  if (!checked.success) {
    const [issue] = checked.error.issues;
    const where = issue === undefined || issue.path.length === 0 ? 'arguments' : issue.path.join('.');
    const reason = issue?.message ?? 'wrong';
    throw new ControlError(400, 'FOOTBRIDGE_ARGUMENTS', `${name}: ${where}: ${reason}`);
  }
  refuseDropped(name, args, checked.data, shapeOf(operation));
  try {
    if (operation.requester) {
      const requester = await operation.requester(checked.data);
      if (requester !== null && !Number.isInteger(requester))
        throw new TypeError(`${name}: requester() returned no process id`);
      const refusal = requester === null ? undefined : mayAllow(requester, caller);
      if (refusal !== undefined) throw new Error(`${name}: it was ${refusal}`);
    }
    return (await operation.run(checked.data, caller)) ?? null;
  } catch (error) {
    throw refusal(error);
  }
}

/**
 * Refuses an argument that the schema does not know and has therefore left out: `as` in the place of `user` would let
 * another user act. Throws {@link ControlError}.
 */
function refuseDropped(name: string, args: unknown, data: unknown, shape: object | undefined): void {
  if (shape === undefined || typeof args !== 'object' || args === null || args === data) return;
  const dropped = Object.keys(args).find(
    (key) => !Object.hasOwn(shape, key) && !Object.hasOwn(Object(data) as object, key),
  );
  if (dropped === undefined) return;
  const shown = JSON.stringify(dropped.slice(0, 40));
  const known = Object.keys(shape);
  const own = WORDS_OF_STEPS[dropped]?.find((word) => known.includes(word));
  const hint = own === undefined ? didYouMean(dropped, known) : ` Did you mean "${own}"?`;
  throw new ControlError(
    400,
    'FOOTBRIDGE_ARGUMENTS',
    `${name}: arguments: must not have ${shown}: not known here.${hint}`,
  );
}

/** What scenarios and the command line call arguments. */
const WORDS_OF_STEPS: Readonly<Record<string, readonly string[]>> = {
  as: ['user', 'author'],
  in: ['channel'],
  on: ['message', 'id'],
};

/**
 * Converts an error of an operation. An operation refuses with a plain message; a TypeError and the like is a defect,
 * and gives the caller no details.
 */
export function refusal(error: unknown): ControlError {
  if (error instanceof ControlError) return error;
  const isDefect = !(error instanceof Error) || DEFECTS.has(error.name);
  if (isDefect) return new ControlError(500, 'FOOTBRIDGE_INTERNAL', 'The operation failed', error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'FOOTBRIDGE_REFUSED';
  return new ControlError(
    409,
    code.startsWith('FOOTBRIDGE_') ? code : 'FOOTBRIDGE_REFUSED',
    error.message,
    error,
  );
}

const DEFECTS = new Set(['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError']);

/** The arguments of an operation by name; undefined where its validator does not say them. */
function shapeOf({ args }: AdminOperation): object | undefined {
  const shape: unknown = Reflect.get(args(), 'shape');
  return typeof shape === 'object' && shape !== null ? shape : undefined;
}

function summarize(name: string, operation: AdminOperation): OperationSummary {
  const { summary, command } = operation;
  return {
    name,
    summary,
    args: Object.keys(shapeOf(operation) ?? {}),
    command: command?.name ?? null,
  };
}

function allow(method: string, only: 'GET' | 'POST'): void {
  if (method !== only) throw new ControlError(405, 'FOOTBRIDGE_METHOD', `This route takes ${only} only`);
}

/** Parses the arguments of an operation; no body is `{}`. Throws {@link ControlError}. */
export function readArgs(body: Uint8Array): unknown {
  if (body.byteLength === 0) return {};
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    checkValues(text);
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof ControlError) throw error;
    // The message omits the parser's text, which quotes the body.
    throw new ControlError(400, 'FOOTBRIDGE_ARGUMENTS', 'The body is not JSON in UTF-8', error);
  }
}

/**
 * Limits the number of JSON values in a body: an operation may take a large text, but none needs many values, which
 * cost far more memory than the body. Throws {@link ControlError}.
 */
function checkValues(text: string): void {
  const values = new JsonValues();
  values.add(text);
  if (values.count <= MAX_BODY_VALUES) return;
  throw new ControlError(413, 'FOOTBRIDGE_TOO_LARGE', `The body may have at most ${MAX_BODY_VALUES} values`);
}
