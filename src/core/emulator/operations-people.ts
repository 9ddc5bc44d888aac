import * as z from 'zod/mini';
import type { Emulator } from '../../emulator/emulator.ts';
import { findPerson } from '../../emulator/lookup.ts';
import { type AdminOperation, defineOperation } from '../core.ts';

const name = () => z.string().check(z.minLength(1), z.maxLength(100));
const TYPES = ['friend', 'blocked', 'incoming', 'outgoing', 'implicit'] as const;

/** What a person can do to relationships, accounts and the overlay. Users are given by id or name. */
export function peopleOperations(emulator: Emulator): { readonly [name: string]: AdminOperation } {
  const loggedIn = (): object => {
    const { id, username } = emulator.me();
    return { user: { id, username }, loggedIn: emulator.people.loggedIn() };
  };
  return {
    'relationship.set': defineOperation({
      summary: 'Make a user a friend, with a status; "none" ends it',
      args: () =>
        z.object({
          user: name(),
          status: z.enum(['online', 'idle', 'dnd', 'offline', 'none']),
          type: z.optional(z.enum(TYPES)),
        }),
      run({ user, status, type }) {
        const { id } = findPerson(emulator.show(), user);
        if (status === 'none') return { user: id, removed: emulator.people.unfriend(id) };
        return emulator.people.befriend(id, status, type === undefined ? undefined : TYPES.indexOf(type) + 1);
      },
    }),
    'user.switch': defineOperation({
      summary: 'Log another user in; every session is closed',
      args: () => z.object({ id: name() }),
      run({ id }) {
        emulator.people.logIn(findPerson(emulator.show(), id).id);
        return loggedIn();
      },
    }),
    'user.log-in': defineOperation({
      summary: 'Log a user in, the last one unless told',
      args: () => z.object({ id: z.optional(name()) }),
      run({ id }) {
        emulator.people.logIn(id === undefined ? emulator.me().id : findPerson(emulator.show(), id).id);
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
    'overlay.set': defineOperation({
      summary: 'Turn the overlay over a process on or off, lock or unlock it',
      args: () =>
        z.object({
          pid: z.int().check(z.minimum(0), z.maximum(2147483647)),
          enabled: z.optional(z.boolean()),
          locked: z.optional(z.boolean()),
        }),
      run({ pid, enabled, locked }) {
        const old = emulator.client.overlay(pid);
        const overlay = { pid, enabled: enabled ?? old.enabled, locked: locked ?? old.locked };
        emulator.client.setOverlay(overlay);
        return overlay;
      },
    }),
  };
}
