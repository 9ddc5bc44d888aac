import type * as z from 'zod';
import { REJECTED } from '../base/compile.ts';
import { withIssueText } from '../base/issue-text.ts';
import { printable } from '../base/text.ts';
import type { Command } from './command.ts';
import { ErrorCode } from './error-code.ts';
import { RpcError } from './errors.ts';

/** Validates arguments. Throws RpcError 4000 that names the first invalid path. */
export function checkArgs(schema: z.ZodType, args: unknown): unknown {
  const parsed = schema.safeParse(args, withIssueText());
  if (parsed.success) return parsed.data;
  throw new RpcError(ErrorCode.INVALID_PAYLOAD, `args${describeIssue(parsed.error)}`);
}

/**
 * Validates the arguments of a command. It uses the command's fast check first, because the text of an error is rarely
 * needed.
 */
export function acceptArgs(command: Command, args: unknown): unknown {
  const accepted = command.accept()(args);
  return accepted === REJECTED ? checkArgs(command.args(), args) : accepted;
}

/** Validates a core's result. Throws RpcError 1000, which means that the app is not at fault. */
export function checkResult(command: Command, cmd: string, result: unknown): unknown {
  const parsed = command.result().safeParse(result ?? null, withIssueText());
  if (parsed.success) return parsed.data;
  throw new RpcError(ErrorCode.UNKNOWN_ERROR, `The client gave no valid answer to ${cmd}`, {
    detail: `result${describeIssue(parsed.error)}`,
  });
}

/** Returns a peer's input in a form that is safe to display: on one line, at most 200 characters. */
export function quoted(text: string): string {
  return printable(text.slice(0, 200));
}

function describeIssue(error: z.core.$ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return ': invalid';
  const path = issue.path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return `${quoted(path)}: ${quoted(issue.message)}`;
}
