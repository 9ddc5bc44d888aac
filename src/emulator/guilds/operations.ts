import * as z from 'zod';
import { nameArg, noArgs, operatorOperationsFor, USER_ARG } from '../api/operator.ts';
import type { Reading } from '../api/world.ts';
import { channelTypeName } from './channels/records.ts';
import type { ScheduledEvents } from './events/events.ts';
import type { OnboardingAnswers } from './onboarding/records.ts';
import type { Guild } from './records.ts';

const operation = operatorOperationsFor<{
  readonly tables: Pick<Reading, 'members' | 'channels' | 'guilds'>;
  readonly scheduledEvents: Pick<ScheduledEvents, 'setInterest'>;
  setGuild(id: string, key: 'name' | 'icon', value: string | null): Guild;
  onboard(guildId: string, userId: string, options: readonly string[]): OnboardingAnswers;
}>();

const GUILD_ARG = { name: 'ID', help: 'id of the guild', completes: 'guilds' } as const;

/** Operator operations for guilds. Users are named by id or name. */
export const guildOperations = [
  operation({
    name: 'channel.list',
    summary: 'The channels and threads of all guilds',
    args: noArgs,
    result: () =>
      z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          type: z.string(),
          guild: z.string(),
          guild_name: z.nullable(z.string()),
        }),
      ),
    command: {
      name: 'channels',
      examples: [['channels', 'Ids and names, with their guilds']],
      resultText: (list) => [
        ['ID', 'NAME', 'TYPE', 'GUILD'],
        ...list.map(({ id, name, type, guild, guild_name }) => [id, name, type, guild_name ?? guild]),
      ],
    },
    run: ({ tables }) =>
      [...tables.channels].map((channel) => ({
        id: channel.id,
        name: channel.name,
        type: channelTypeName(channel),
        guild: channel.guild,
        guild_name: tables.guilds.get(channel.guild)?.name ?? null,
      })),
  }),
  operation({
    name: 'guild.set',
    summary: "Change a guild's name or icon",
    about: 'The result is the guild as a fixture writes it.',
    args: () =>
      z.object({
        id: z.string(),
        field: z.enum(['name', 'icon']),
        value: z.string().check(z.maxLength(2048)),
      }),
    result: () => z.looseObject({ id: z.string(), name: z.string(), icon: z.nullable(z.string()) }),
    command: {
      name: 'guild set',
      syntax: {
        id: GUILD_ARG,
        field: { name: 'name|icon', help: 'what to change', choices: ['name', 'icon'] },
        value: {
          name: 'VALUE',
          help: 'the new name, or the address of the new icon ("" for none)',
          mayBeEmpty: true,
        },
      },
      examples: [
        ["guild set 400000000000000001 name 'Other Bank'", 'Another name'],
        ["guild set 400000000000000001 icon ''", 'No icon'],
      ],
      resultText: () => 'Done.',
    },
    run: (emulator, { id, field, value }) => emulator.setGuild(id, field, value === '' ? null : value),
  }),
  operation({
    name: 'guild.onboard',
    summary: 'Answer the onboarding questions of a guild as a member, who gets the roles of the answers',
    about: '`options` are ids or titles of answers; the result has ids.',
    args: () =>
      z.object({ guild: z.string(), user: nameArg(), options: z.array(nameArg()).check(z.maxLength(750)) }),
    result: () =>
      z.object({
        guild: z.string(),
        user: z.string(),
        options: z.array(z.string()),
        roles: z.array(z.string()),
      }),
    command: {
      name: 'onboard',
      syntax: {
        guild: GUILD_ARG,
        user: USER_ARG,
        options: { name: 'ANSWER', help: 'id or title of each chosen answer', arity: 'many' },
      },
      examples: [['onboard 400000000000000001 otter "Tug boats"', 'Their only answer, by its title']],
      resultText: ({ user, roles }) => `${user} has answered, and has ${roles.length} roles now.`,
    },
    run(emulator, { guild, user, options }) {
      const { tables, lookup } = emulator;
      const account = lookup.user(user);
      const answered = emulator.onboard(guild, account.id, options);
      const roles = tables.members.get(guild, account.id)?.roles ?? [];
      return { guild, user: account.username, options: answered.options, roles };
    },
  }),
  operation({
    name: 'event.interest',
    summary: 'Set whether a user is interested in an event of a guild, or in one of its exceptions',
    about: '`id` is the id of an event of a guild; `exception` the id of an exception of it.',
    args: () =>
      z.object({ id: nameArg(), user: nameArg(), on: z.boolean(), exception: z.optional(nameArg()) }),
    result: () => z.object({ event: z.string(), user: z.string(), interested: z.boolean() }),
    run({ scheduledEvents, lookup }, { id, user, on, exception }) {
      const account = lookup.user(user);
      const event = scheduledEvents.setInterest(id, account.id, on, exception);
      return { event: event.name, user: account.username, interested: on };
    },
  }),
] as const;
