import * as z from 'zod';
import type { Lookup } from '../../api/lookup.ts';
import { nameArg, operatorOperationsFor, USER_ARG } from '../../api/operator.ts';
import type { Reading } from '../../api/world.ts';
import { directBetween } from '../../guilds/channels/private-channels.ts';
import { SettingError } from '../../kernel/errors.ts';
import type { User } from '../../users/records.ts';
import type { ChannelViews } from './channel-view.ts';
import type { MediaFile } from './media.ts';
import { profileOf } from './profile.ts';

interface Needs {
  readonly tables: Reading;
  readonly channelViews: ChannelViews;
  readMedia(address: string): Promise<MediaFile>;
}

const operation = operatorOperationsFor<Needs>();

/** Maximum number of messages in one view, and longest wait for a change (ms). */
const MAX_MESSAGES = 100;
const MAX_WAIT_MS = 30_000;

const seen = () => ({
  viewer: z.object({ id: z.string(), username: z.string() }),
  channel: z.object({
    id: z.string(),
    name: z.string(),
    type: z.number(),
    guild_id: z.nullable(z.string()),
    topic: z.nullable(z.string()),
  }),
  users: z.record(
    z.string(),
    z.object({ name: z.string(), color: z.nullable(z.number()), avatar: z.string(), bot: z.boolean() }),
  ),
  roles: z.record(z.string(), z.object({ name: z.string(), color: z.nullable(z.number()) })),
  channels: z.record(z.string(), z.object({ name: z.string(), type: z.number() })),
});

const drawn = () => ({
  revision: z.string(),
  ephemeral: z.boolean(),
  message: z.looseObject({ id: z.string(), channel_id: z.string(), content: z.string() }),
});

/** Operator operations that return what users see in their clients. */
export const viewOperations = [
  operation({
    name: 'channel.view',
    summary: 'A channel as a user sees it in their client, with its last messages',
    about:
      'Default: the logged-in user. `messages` are in the form of the HTTP API for this user, the oldest first, with the ephemeral ones ' +
      'that only this user sees; `users`, `roles` and `channels` name the ids in them. `before` is the id of a message, for older ones. ' +
      '`wait` waits so many milliseconds until `revision` is no longer `after`.',
    args: () =>
      z.object({
        channel: nameArg(),
        user: z.optional(nameArg()),
        before: z.optional(z.string().check(z.regex(/^\d{1,20}$/, 'must be the id of a message'))),
        limit: z.optional(z.int().check(z.gte(1), z.lte(MAX_MESSAGES))),
        after: z.optional(z.string().check(z.maxLength(64))),
        wait: z.optional(z.int().check(z.gte(0), z.lte(MAX_WAIT_MS))),
      }),
    result: () =>
      z.object({
        revision: z.string(),
        ...seen(),
        messages: z.array(z.object(drawn())),
        typing: z.array(z.string()),
        may: z.object({ say: z.boolean(), react: z.boolean(), attach: z.boolean() }),
        more: z.boolean(),
      }),
    run({ channelViews, lookup, tables }, { channel, user: named, after, wait = 0, ...part }) {
      const user = lookup.user(named);
      return channelViews.changed(channelOf(tables, lookup, channel, user), user, part, { after, ms: wait });
    },
  }),
  operation({
    name: 'message.view',
    summary: 'A message as a user sees it in their client',
    about:
      'Default: the logged-in user. In the form of the HTTP API for this user, with the names of the ids in it.',
    args: () => z.object({ message: nameArg(), user: z.optional(nameArg()) }),
    result: () => z.object({ ...drawn(), ...seen() }),
    run: ({ channelViews, lookup }, { message, user }) => channelViews.message(message, lookup.user(user)),
  }),
  operation({
    name: 'user.view',
    summary: 'The profile of a user: status, activities and, in a guild, name and roles',
    about: '`member`, `nick`, `roles` and `timed_out_until`, the end of the last timeout, are about `guild`.',
    args: () => z.object({ user: z.optional(nameArg()), guild: z.optional(nameArg()) }),
    result: () =>
      z.object({
        id: z.string(),
        username: z.string(),
        global_name: z.nullable(z.string()),
        bot: z.boolean(),
        avatar: z.string(),
        status: z.enum(['online', 'idle', 'dnd', 'offline']),
        activities: z.array(z.looseObject({ name: z.string(), type: z.number() })),
        member: z.boolean(),
        nick: z.nullable(z.string()),
        timed_out_until: z.nullable(z.string()),
        roles: z.array(z.object({ id: z.string(), name: z.string(), color: z.nullable(z.number()) })),
        voice: z.nullable(z.object({ channel: z.string(), name: z.string() })),
      }),
    command: {
      name: 'profile',
      summary: 'The profile of a user: status, activities, roles',
      syntax: {
        user: { ...USER_ARG, arity: 'optional' },
        guild: {
          option: 'guild',
          name: 'ID',
          help: 'id of a guild, for the roles there',
          completes: 'guilds',
        },
      },
      examples: [
        ['profile', 'The logged-in user'],
        ['profile heron --guild 400000000000000001', 'Another one, as a member of a guild'],
      ],
      resultText: ({ username, global_name: name, status, activities, nick, roles, voice }) => [
        ['NAME', nick ?? name ?? username],
        ['STATUS', status],
        ...activities.map((one): [string, string] => ['ACTIVITY', one.name]),
        ...roles.map((role): [string, string] => ['ROLE', role.name]),
        ...(voice === null ? [] : [['VOICE', voice.name]]),
      ],
    },
    run: ({ tables, lookup }, { user, guild }) => profileOf(tables, lookup.user(user), guild),
  }),
  operation({
    name: 'file.read',
    summary: 'A stored picture, sound or video, by the address that a message has of it',
    about:
      '`address` is the URL of an attachment, or a path such as `/emojis/ID.png`, `/stickers/ID.png` or `/avatars/USER.png`. `type` follows ' +
      'from the bytes; any other kind of file is refused. `data` is in base64.',
    args: () => z.object({ address: z.string().check(z.minLength(1), z.maxLength(2048)) }),
    result: () => z.object({ type: z.string(), size: z.number(), data: z.string() }),
    async run(emulator, { address }) {
      const { type, bytes } = await emulator.readMedia(address);
      return { type, size: bytes.length, data: bytes.toString('base64') };
    },
  }),
] as const;

/** Id of a channel, by its id or name, or by `@USER` for the private one with a user. @throws SettingError */
function channelOf(tables: Needs['tables'], lookup: Lookup, text: string, user: User): string {
  if (!text.startsWith('@')) return lookup.channel(text);
  const other = lookup.user(text.slice(1));
  const found = directBetween(tables, user.id, other.id);
  if (found !== undefined) return found.id;
  throw new SettingError('channel', `${user.username} has no private channel with ${other.username} yet`);
}
