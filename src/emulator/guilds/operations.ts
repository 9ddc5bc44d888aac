import * as z from 'zod';
import { asOption, nameArg, operatorOperationsFor } from '../api/operator.ts';
import type { Reading } from '../api/world.ts';
import { privateName } from './channels/private-channels.ts';
import { isDirect } from './channels/private-records.ts';
import { type ChannelRecord, channelTypeName, hasVoice } from './channels/records.ts';
import { visibilityOf } from './channels/visibility.ts';
import type { ScheduledEvents } from './events/events.ts';
import { GUILD_ARG } from './guild-arg.ts';
import type { Guild } from './records.ts';
import type { VoiceState } from './voice/records.ts';

const operation = operatorOperationsFor<{
  readonly tables: Reading;
  readonly scheduledEvents: Pick<ScheduledEvents, 'setInterest'>;
  setGuild(id: string, key: 'name' | 'icon', value: string | null): Guild;
}>();

/** A user in a voice channel. */
const voiceUser = () =>
  z.object({
    user: z.string(),
    username: z.string(),
    mute: z.boolean(),
    deaf: z.boolean(),
    speaking: z.boolean(),
  });

function listed(tables: Reading, channel: ChannelRecord) {
  const { id, name, guild, parent, position, thread } = channel;
  return {
    id,
    name,
    type: channelTypeName(channel),
    guild,
    guild_name: tables.guilds.get(guild)?.name ?? null,
    parent,
    position,
    ...(thread === null ? {} : { archived: thread.archived }),
    ...(hasVoice(channel) ? { voice: [...tables.voice_states.by('channel', id)].map(talker(tables)) } : {}),
  };
}

function talker({ users }: Reading) {
  return ({ user, mute, deaf, self_mute, self_deaf, suppress, speaking }: VoiceState) => ({
    user,
    username: users.get(user)?.username ?? user,
    mute: mute || self_mute || suppress,
    deaf: deaf || self_deaf,
    speaking,
  });
}

/** Operator operations for guilds. Users are named by id or name. */
export const guildOperations = [
  operation({
    name: 'channel.list',
    summary: 'The channels and threads of all guilds, or those that a user sees',
    about:
      'With `user`: the channels that this user sees, and the private ones, whose `guild` is null. `parent` is the category of a ' +
      'channel, and the channel of a thread; `voice` says who is in a voice channel.',
    args: () => z.object({ user: z.optional(nameArg()) }),
    result: () =>
      z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          type: z.string(),
          guild: z.nullable(z.string()),
          guild_name: z.nullable(z.string()),
          parent: z.nullable(z.string()),
          position: z.number(),
          archived: z.optional(z.boolean()),
          voice: z.optional(z.array(voiceUser())),
        }),
      ),
    command: {
      name: 'channels',
      summary: 'The channels and threads of all guilds, or those that a user sees',
      syntax: { user: asOption('only what this user sees, with their private channels') },
      examples: [
        ['channels', 'Ids and names, with their guilds'],
        ['channels --as heron', 'What another user sees'],
      ],
      resultText: (list) => [
        ['ID', 'NAME', 'TYPE', 'GUILD'],
        ...list.map(({ id, name, type, guild, guild_name }) => [id, name, type, guild_name ?? guild ?? '-']),
      ],
    },
    run({ tables, lookup }, { user: named }) {
      const user = named === undefined ? undefined : lookup.user(named).id;
      const isSeen = visibilityOf(tables);
      const inGuilds = [...tables.channels]
        .filter((channel) => user === undefined || isSeen(channel, user))
        .map((channel) => listed(tables, channel));
      if (user === undefined) return inGuilds;
      const inPrivate = [...tables.private_channels.by('recipients', user)].map((channel) => ({
        id: channel.id,
        name: privateName(tables, channel, user),
        type: isDirect(channel) ? 'direct' : 'group',
        guild: null,
        guild_name: null,
        parent: null,
        position: 0,
      }));
      return [...inGuilds, ...inPrivate];
    },
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
