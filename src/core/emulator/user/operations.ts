import * as z from 'zod';
import { findPerson } from '../../../emulator/api/lookup.ts';
import type { Emulator } from '../../../emulator/compose/emulator.ts';
import { type AdminOperation, defineOperation } from '../../core.ts';

const name = () => z.string().check(z.minLength(1), z.maxLength(100));

/** Which account is logged in. Users are given by id or name. */
export function userOperations(emulator: Emulator): { readonly [name: string]: AdminOperation } {
  const loggedIn = (): object => {
    const { id, username } = emulator.me();
    return { user: { id, username }, loggedIn: emulator.people.loggedIn() };
  };
  return {
    'user.switch': defineOperation({
      summary: 'Log another user in; every session is closed',
      args: () => z.object({ id: name() }),
      run({ id }) {
        emulator.people.logIn(findPerson(emulator.tables, id).id);
        return loggedIn();
      },
    }),
    'user.log-in': defineOperation({
      summary: 'Log a user in, the last one unless told',
      args: () => z.object({ id: z.optional(name()) }),
      run({ id }) {
        emulator.people.logIn(id === undefined ? emulator.me().id : findPerson(emulator.tables, id).id);
        return loggedIn();
      },
    }),
    'user.log-out': defineOperation({
      summary: 'Log the user out; every session is closed, and none opens until somebody logs in',
      args: () => z.object({}),
      run() {
        emulator.people.logOut();
        return loggedIn();
      },
    }),
  };
}
