import { CALLBACKS, type CallbackName, type CallbackOf } from '../callbacks.ts';
import { ACCOUNTS } from './accounts.ts';
import { ACTIVITIES } from './activities.ts';
import { CALLS } from './calls.ts';
import type { EntryPoint, MethodsOf } from './entry-point.ts';
import { GUILDS } from './guilds.ts';
import { LOBBIES } from './lobbies.ts';
import { USER_MESSAGES } from './messages.ts';
import { RELATIONSHIPS } from './relationships.ts';
import { method } from './row.ts';
import { SESSION } from './session.ts';
import { USERS } from './users.ts';

/** Methods that set a callback; each has the docstring of its row. */
type CallbackMethods = {
  [Name in keyof typeof CALLBACKS]: (callback: CallbackOf<Name> | undefined) => void;
};

/** The methods of a client. */
export type EntryPoints = CallbackMethods &
  MethodsOf<typeof SESSION> &
  MethodsOf<typeof ACCOUNTS> &
  MethodsOf<typeof USERS> &
  MethodsOf<typeof RELATIONSHIPS> &
  MethodsOf<typeof ACTIVITIES> &
  MethodsOf<typeof LOBBIES> &
  MethodsOf<typeof USER_MESSAGES> &
  MethodsOf<typeof CALLS> &
  MethodsOf<typeof GUILDS>;

/** Every entry point of a client by its name. */
export const ENTRY_POINTS: {
  readonly [Name in keyof EntryPoints]: EntryPoint<(...args: never[]) => unknown>;
} = {
  ...callbackRows(),
  ...SESSION,
  ...ACCOUNTS,
  ...USERS,
  ...RELATIONSHIPS,
  ...ACTIVITIES,
  ...LOBBIES,
  ...USER_MESSAGES,
  ...CALLS,
  ...GUILDS,
};

function callbackRows(): { readonly [Name in CallbackName]: EntryPoint<CallbackMethods[Name]> } {
  const rows = Object.keys(CALLBACKS).map((name) => [
    name,
    method(({ callbacks }, callback) => callbacks.set(name as CallbackName, callback as never)),
  ]);
  return Object.fromEntries(rows);
}
