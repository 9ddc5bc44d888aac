import * as z from 'zod';
import { APP_ARG, asOption, nameArg, operatorOperationsFor } from '../../api/operator.ts';
import type { Channel } from '../../guilds/channels/channels.ts';
import type { Activities } from './activities.ts';

const operation = operatorOperationsFor<Needs>();

interface Needs {
  readonly activities: Pick<Activities, 'launch' | 'users' | 'address' | 'leave'>;
  /** Calls and channels of the logged-in user. */
  selectedVoiceChannel(): Channel | null;
  channels(): readonly Channel[];
}

/** Operator operations on embedded apps. They take applications, users and channels by id or exact name. */
export const embeddedOperations = [
  operation({
    name: 'activity.launch',
    summary: 'Launch the activity of an application in a channel, or let a user join it',
    about:
      '`address` is the page to open in a browser, valid once; null for users other than the logged-in one. The default channel is their voice channel, or the first channel that they see.',
    args: () => z.object({ app: nameArg(), channel: z.optional(nameArg()), user: z.optional(nameArg()) }),
    result: () =>
      z.object({
        application: z.string(),
        instance: z.string(),
        channel: z.string(),
        users: z.array(z.string()),
        address: z.nullable(z.string()),
      }),
    command: {
      name: 'activity launch',
      summary: 'Launch the activity of an application, and print the address of the page that shows it',
      syntax: {
        app: APP_ARG,
        channel: {
          option: 'channel',
          name: 'CHANNEL',
          completes: 'voice-channels',
          help: 'id or name of the channel; default: the voice channel of the logged-in user, or the first that they see',
        },
        user: asOption('who launches or joins it; default: the logged-in user, the only one who gets a page'),
      },
      examples: [
        ["activity launch 'Harbour Example'", 'Open the printed address in a browser'],
        [
          "activity launch 'Harbour Example' --channel Lounge --as heron",
          'Another user joins the one in that channel',
        ],
      ],
      resultText: ({ address, instance, users }) =>
        address ??
        `They are in ${instance} now, with ${users.length} ${users.length === 1 ? 'user' : 'users'} in all. ` +
          'There is no page to open: the client here is that of the logged-in user, who gets one without --as, ' +
          'or as another user after footbridge emulator user switch USER.',
    },
    async run(needs, { app, channel, user }) {
      const { activities, lookup } = needs;
      const { id: application } = lookup.application(app);
      const { id } = lookup.user(user);
      const instance = activities.launch({
        application,
        user: id,
        channel: channel === undefined ? usualChannel(needs) : lookup.channel(channel),
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
  operation({
    name: 'activity.leave',
    summary: 'Remove a user from an activity, which ends with its last user',
    args: () =>
      z.object({ instance: z.string().check(z.minLength(1), z.maxLength(256)), user: z.optional(nameArg()) }),
    result: () => z.object({ instance: z.string(), left: z.string() }),
    command: {
      name: 'activity leave',
      syntax: {
        instance: { name: 'INSTANCE', help: 'id that the launch answered with --json' },
        user: asOption('who leaves; default: the logged-in user'),
      },
      examples: [
        [
          'activity leave i-1461234567890123456-gc-400000000000000001-500000000000000001',
          'Closes the page of the logged-in user',
        ],
      ],
      resultText: ({ left }) => `User ${left} has left.`,
    },
    run({ activities, lookup }, { instance, user }) {
      const { id, username } = lookup.user(user);
      if (!activities.leave(instance, id))
        throw new Error(`${username} is not in ${JSON.stringify(instance)}.`);
      return { instance, left: id };
    },
  }),
] as const;

/** Voice channel of the logged-in user, or the first channel that the user can see. */
function usualChannel(emulator: Needs): string {
  const channel = emulator.selectedVoiceChannel() ?? emulator.channels()[0];
  if (channel === undefined) throw new Error('The logged-in user sees no channel; name one.');
  return channel.id;
}
