import type * as z from 'zod/mini';
import type { CoreCall, CoreSession } from '../core/core.ts';
import type { Call, Command } from '../protocol/command.ts';
import { isRpcError, RpcError } from '../protocol/errors.ts';
import { isObject } from '../protocol/json.ts';
import { errorPayload, type RejectedRequest, type Request } from '../protocol/payload.ts';
import { findCommand } from '../protocol/registry.ts';
import { allows, describeRule, type Scope } from '../protocol/scope.ts';
import { inWords } from '../protocol/words.ts';
import { isCloseError } from '../wire/close-error.ts';
import { ErrorCode } from '../wire/codes.ts';
import type { TransportKind } from '../wire/connection.ts';
import type { EncodedFrame } from '../wire/frame.ts';
import type { CoreGuard, Patience } from './guard.ts';
import type { Limits } from './limits.ts';
import { encodeReply } from './result.ts';
import type { Waiting } from './waiting.ts';

/** So that a core which keeps to an app's own time is the one to say that it has passed (ms). */
const EXTRA_MS = 1000;

/** What a request needs of its session. */
export interface RequestContext {
  readonly core: CoreSession;
  readonly scopes: ReadonlySet<Scope>;
  readonly transport: TransportKind;
  /** Bounds what a core that hangs costs. */
  readonly guard: CoreGuard;
  readonly limits: Pick<Limits, 'answerMs' | 'personMs'>;
  readonly waiting: Waiting;
  /** A failure that the peer is told little about. */
  report(cmd: string, error: unknown): void;
  call(request: Request, forward: (args: unknown) => Promise<unknown>): Call;
}

/**
 * Serves one request and returns its one answer. Checks, in the documented order: envelope, command name,
 * scope, arguments. Throws only CloseError, when the core wants the session ended.
 */
export async function answer(
  request: Request | RejectedRequest,
  context: RequestContext,
): Promise<EncodedFrame> {
  const { cmd, nonce } = request;
  try {
    if ('error' in request) throw request.error;
    const command = findCommand(request.cmd);
    if (command?.notOver === context.transport) {
      throw new RpcError(ErrorCode.INVALID_COMMAND, `${cmd} is not available over ${context.transport}`);
    }
    const { core, guard, waiting } = context;
    if (core.relay) {
      const { cmd: name, args, evt } = request;
      const patience = patienceFor(request, command, context);
      const task = async () => core.relay?.({ cmd: name, args, evt }, waiting);
      const data = await guard.run(name, patience, task, waiting);
      return encodeReply({ cmd, data, evt: null, nonce }, command?.trim);
    }
    if (command === undefined) {
      throw new RpcError(ErrorCode.INVALID_COMMAND, `Unknown command: ${printable(request.cmd)}`);
    }
    const data = await serve(command, request, context);
    return encodeReply({ cmd, data, evt: null, nonce }, command.trim);
  } catch (error) {
    if (isCloseError(error)) throw error;
    return encodeReply(errorPayload(cmd, nonce, toRpcError(cmd, error, context)), undefined);
  }
}

async function serve(command: Command, request: Request, context: RequestContext): Promise<unknown> {
  if (!allows(command.scope, context.scopes)) {
    throw new RpcError(
      ErrorCode.INVALID_PERMISSIONS,
      `${request.cmd} needs the scope ${describeRule(command.scope)}; AUTHORIZE and AUTHENTICATE first`,
    );
  }
  const forward = async (args: unknown): Promise<unknown> => {
    const handler = context.core.handlers[request.cmd as keyof typeof context.core.handlers] as
      | ((args: unknown, call: CoreCall) => unknown)
      | undefined;
    if (handler === undefined) {
      throw new RpcError(ErrorCode.INVALID_COMMAND, `${request.cmd} is not offered by this client`);
    }
    const { scopes, guard, waiting } = context;
    const coreCall: CoreCall = {
      get signal() {
        return waiting.signal;
      },
      rawArgs: request.args,
      scopes,
    };
    const patience = patienceFor(request, command, context);
    const result = await guard.run(request.cmd, patience, () => handler(args, coreCall), waiting);
    return checkResult(command, request.cmd, result);
  };
  const call = context.call(request, forward);
  const args = checkArgs(command.args(), request.args);
  command.check?.(args, call);
  return command.handle ? command.handle(call, args) : forward(args);
}

/** What a person has to decide, or the app has set a time for, may take longer than what the core just knows. */
function patienceFor(
  { cmd, args }: Request,
  command: Command | undefined,
  { limits }: Pick<RequestContext, 'limits'>,
): Patience {
  const { answerMs, personMs } = limits;
  if (cmd === 'AUTHORIZE' || command?.recorded) return { ms: personMs, waitsFor: 'person' };
  const seconds = isObject(args) && typeof args.timeout === 'number' ? args.timeout : 0;
  const own = Math.min(seconds * 1000 + EXTRA_MS, personMs);
  return { ms: seconds > 0 ? Math.max(answerMs, own) : answerMs, waitsFor: 'core' };
}

/** Validates arguments; RpcError 4000 names the first wrong path. */
export function checkArgs(schema: z.ZodMiniType, args: unknown): unknown {
  const parsed = schema.safeParse(args, inWords());
  if (parsed.success) return parsed.data;
  throw new RpcError(ErrorCode.INVALID_PAYLOAD, `args${describeIssue(parsed.error)}`);
}

function checkResult(command: Command, cmd: string, result: unknown): unknown {
  const parsed = command.result().safeParse(result ?? null, inWords());
  if (parsed.success) return parsed.data;
  throw new RpcError(ErrorCode.UNKNOWN_ERROR, `The client gave no valid answer to ${cmd}`, {
    detail: `result${describeIssue(parsed.error)}`,
  });
}

function describeIssue(error: z.core.$ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return ': invalid';
  const path = issue.path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return `${printable(path)}: ${printable(issue.message)}`;
}

function toRpcError(cmd: string | null, error: unknown, context: RequestContext): RpcError {
  if (isRpcError(error)) {
    if (error.detail !== undefined) context.report(cmd ?? '', error);
    return error;
  }
  context.report(cmd ?? '', error);
  return new RpcError(ErrorCode.UNKNOWN_ERROR, `${cmd} failed inside the client; the reason is in its log`);
}

/** What a peer sent, fit to be shown: no control characters, bounded. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, '?').slice(0, 200);
}
