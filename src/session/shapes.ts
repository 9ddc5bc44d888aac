import type * as z from 'zod';
import { REJECTED } from '../base/compile.ts';
import { withIssueText } from '../base/issue-text.ts';
import { printable } from '../base/text.ts';
import type { Command } from '../protocol/command.ts';
import { ErrorCode } from '../protocol/error-code.ts';
import { RpcError } from '../protocol/errors.ts';

/** Validates arguments; RpcError 4000 names the first wrong path. */
export function checkArgs(schema: z.ZodType, args: unknown): unknown {
  const parsed = schema.safeParse(args, withIssueText());
  if (parsed.success) return parsed.data;
  throw new RpcError(ErrorCode.INVALID_PAYLOAD, `args${describeIssue(parsed.error)}`);
}

/** The same for a command's, whose text is hardly ever needed. */
export function acceptArgs(command: Command, args: unknown): unknown {
  const accepted = command.accept()(args);
  return accepted === REJECTED ? checkArgs(command.args(), args) : accepted;
}

/** Validates a core's result; RpcError 1000 means that the peer is not at fault. */
export function checkResult(command: Command, cmd: string, result: unknown): unknown {
  const parsed = command.result().safeParse(result ?? null, withIssueText());
  if (parsed.success) return parsed.data;
  throw new RpcError(ErrorCode.UNKNOWN_ERROR, `The client gave no valid answer to ${cmd}`, {
    detail: `result${describeIssue(parsed.error)}`,
  });
}

/** Input of a peer, safe to display: on one line, bounded. */
export function quoted(text: string): string {
  return printable(text.slice(0, 200));
}

function describeIssue(error: z.core.$ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return ': invalid';
  const path = issue.path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return `${quoted(path)}: ${quoted(issue.message)}`;
}
