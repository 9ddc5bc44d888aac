import * as z from 'zod';
import type { Ending } from '../../../emulator/accounts/bans/links.ts';
import { findPerson } from '../../../emulator/api/lookup.ts';
import type { Emulator } from '../../../emulator/compose/emulator.ts';
import { parseMoment } from '../../../emulator/kernel/time-text.ts';
import { type AdminOperation, defineOperation } from '../../core.ts';
import { findApplication } from '../find-application.ts';

const name = () => z.string().check(z.minLength(1), z.maxLength(100));

/** How the links of people with applications end, but for what the applications do themselves. */
export function banOperations(emulator: Emulator): { readonly [name: string]: AdminOperation } {
  /** Who it was, what ended, and whether a restart brings it back. */
  const shown = (userId: string, { applications, identities, saved }: Ending): object => ({
    user: person(userId),
    applications: applications.map((id) => ({ id, name: emulator.application(id)?.name ?? null })),
    identities,
    kept: saved.kind === 'kept',
    ...(saved.kind === 'kept' ? {} : { reason: saved.reason, comesBack: saved.comesBack }),
  });
  const person = (userId: string): object => ({
    id: userId,
    username: emulator.user(userId)?.username ?? null,
  });
  const end = async ({ user, app }: { readonly user: string; readonly app: string }): Promise<object> => {
    const { id } = findPerson(emulator.tables, user);
    return shown(id, await emulator.links.end(id, findApplication(emulator, app).id));
  };
  return {
    'user.ban': defineOperation({
      summary: 'Ban a user from the platform: every link of theirs with an application ends',
      args: () => z.object({ user: name(), until: z.optional(z.string().check(z.maxLength(100))) }),
      run: async ({ user, until }) => {
        const { id } = findPerson(emulator.tables, user);
        const moment = until === undefined ? null : parseMoment(until, 'until');
        const ending = await emulator.links.ban(id, moment);
        return {
          ...shown(id, ending),
          until: moment === null ? null : new Date(moment).toISOString(),
        };
      },
    }),
    'user.unban': defineOperation({
      summary: 'Lift the ban of a user; no link comes back by itself',
      args: () => z.object({ user: name() }),
      run: ({ user }) => {
        const { id } = findPerson(emulator.tables, user);
        emulator.bans.unban(id);
        return { user: person(id) };
      },
    }),
    'user.unlink': defineOperation({
      summary: 'Unlink a user from an application, as the application itself can',
      args: () => z.object({ user: name(), app: name() }),
      run: end,
    }),
    'user.remove-app': defineOperation({
      summary: 'Have a user remove an application in their settings',
      args: () => z.object({ user: name(), app: name() }),
      run: end,
    }),
  };
}
