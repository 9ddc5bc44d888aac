import * as z from 'zod';
import { findChannel, findPerson } from '../../../emulator/api/lookup.ts';
import type { Emulator } from '../../../emulator/compose/emulator.ts';
import { type AdminOperation, defineOperation } from '../../core.ts';
import { findApplication } from '../find-application.ts';

const name = () => z.string().check(z.minLength(1), z.maxLength(100));

/** What a person can do about embedded apps. Applications, users and channels are given by id or exact name. */
export function embeddedOperations(emulator: Emulator): { readonly [name: string]: AdminOperation } {
  const { activities, tables } = emulator;
  const person = (user: string | undefined) =>
    user === undefined ? emulator.me() : findPerson(tables, user);
  return {
    'activity.launch': defineOperation({
      summary: 'Launch the activity of an application in a channel, or let a user into it',
      args: () => z.object({ app: name(), channel: z.optional(name()), user: z.optional(name()) }),
      async run({ app, channel, user }) {
        const { id: application } = findApplication(emulator, app);
        const { id } = person(user);
        const instance = activities.launch({
          application,
          user: id,
          channel: channel === undefined ? usualChannel(emulator) : channelId(emulator, channel),
        });
        return {
          application,
          instance: instance.id,
          channel: instance.channel,
          users: activities.users(instance),
          address: (await activities.address(instance, id)) ?? null,
        };
      },
    }),
    'activity.leave': defineOperation({
      summary: 'Take a user out of an activity, which ends with the last',
      args: () =>
        z.object({ instance: z.string().check(z.minLength(1), z.maxLength(256)), user: z.optional(name()) }),
      run({ instance, user }) {
        const { id, username } = person(user);
        if (!activities.leave(instance, id))
          throw new Error(`${username} is not in ${JSON.stringify(instance)}.`);
        return { instance, left: id };
      },
    }),
  };
}

/** Where the logged-in user talks, and else the first channel that they see. */
function usualChannel(emulator: Emulator): string {
  const channel = emulator.selectedVoiceChannel() ?? emulator.channels()[0];
  if (channel === undefined) throw new Error('The logged-in user sees no channel; name one.');
  return channel.id;
}

function channelId({ tables }: Emulator, text: string): string {
  return tables.private_channels.has(text) ? text : findChannel(tables, text, () => true).id;
}
