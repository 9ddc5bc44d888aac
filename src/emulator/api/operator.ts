import * as z from 'zod';
import { type AdminDeclaration, adminOperationsFor } from '../../base/admin-operation.ts';
import type { ArgumentSyntax } from '../../base/operator-command.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Lookup } from './lookup.ts';

/** Services that every operator operation may use. */
export interface OperatorBase {
  /** Finds records by id or name. */
  readonly lookup: Lookup;
  /** The clock of the platform, which tests may move. */
  readonly clock: Clock;
}

/** An operator operation that uses `Needs`. */
export type OperatorOperation<Needs> = AdminDeclaration<Needs>;

/** Returns a function that declares operator operations. */
export function operatorOperationsFor<Needs = unknown>() {
  return adminOperationsFor<OperatorBase & Needs>();
}

/** Argument that is an id or an exact name. */
export const nameArg = () => z.string().check(z.minLength(1), z.maxLength(100));
/** Argument that is the revision of a message, as `channel.view` returns it. */
export const revisionArg = () => z.optional(z.string().check(z.maxLength(64)));
/** Description of {@link revisionArg}. */
export const REVISION_TEXT =
  'With the `revision` of `channel.view`, a message that has changed since is refused with FOOTBRIDGE_STALE.';
/** Schema of the arguments of an operation that takes none. */
export const noArgs = () => z.object({});
/** A user in a result; the username is null for a removed user. */
export const userResult = () => z.object({ id: z.string(), username: z.nullable(z.string()) });

/** A user as an argument on the command line. */
export const USER_ARG = {
  name: 'USER',
  help: 'id or username',
  completes: 'users',
} as const satisfies ArgumentSyntax;

/** An application as an argument on the command line. */
export const APP_ARG = {
  name: 'APP',
  help: 'id or exact name of the application',
  completes: 'applications',
} as const satisfies ArgumentSyntax;

/** The option `--as`: the acting user; `help` describes the action. */
export function asOption(help: string) {
  return { option: 'as', name: 'USER', completes: 'users', help } as const satisfies ArgumentSyntax;
}
