import * as z from 'zod';
import { type AdminDeclaration, adminOperationsFor } from '../../base/admin-operation.ts';
import type { ArgumentSyntax } from '../../base/operator-command.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Lookup } from './lookup.ts';

/** What every operation for the operator of the emulator works with. */
export interface OperatorBase {
  /** Finds what a person means by an id or a name. */
  readonly lookup: Lookup;
  /** The time of the platform, which a test may move. */
  readonly clock: Clock;
}

/** One operation for the operator that works with `Needs`. */
export type OperatorOperation<Needs> = AdminDeclaration<Needs>;

/** Returns what declares operations for the operator of the emulator. */
export function operatorOperationsFor<Needs = unknown>() {
  return adminOperationsFor<OperatorBase & Needs>();
}

/** An id or exact name, as an argument. */
export const nameArg = () => z.string().check(z.minLength(1), z.maxLength(100));
/** Arguments of what has none. */
export const noArgs = () => z.object({});
/** A user in a result, whose name is null where they are no more. */
export const userResult = () => z.object({ id: z.string(), username: z.nullable(z.string()) });

/** A user as a word of the command line. */
export const USER_ARG = {
  name: 'USER',
  help: 'id or username',
  completes: 'users',
} as const satisfies ArgumentSyntax;

/** An application as a word of the command line. */
export const APP_ARG = {
  name: 'APP',
  help: 'id or exact name of the application',
  completes: 'applications',
} as const satisfies ArgumentSyntax;

/** The option `--as`: who does it; `help` says what. */
export function asOption(help: string) {
  return { option: 'as', name: 'USER', completes: 'users', help } as const satisfies ArgumentSyntax;
}
