import * as z from 'zod';
import { findPerson } from '../../../emulator/api/lookup.ts';
import type { Emulator } from '../../../emulator/compose/emulator.ts';
import { type AdminOperation, defineOperation } from '../../core.ts';

const name = () => z.string().check(z.minLength(1), z.maxLength(100));
const TYPES = ['friend', 'blocked', 'incoming', 'outgoing', 'implicit'] as const;

/** What a person can do to the relationships of the logged-in user. Users are given by id or name. */
export function relationshipOperations(emulator: Emulator): { readonly [name: string]: AdminOperation } {
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
        const { id } = findPerson(emulator.tables, user);
        if (status === 'none') return { user: id, removed: emulator.people.unfriend(id) };
        return emulator.people.befriend(id, status, type === undefined ? undefined : TYPES.indexOf(type) + 1);
      },
    }),
  };
}
