import * as z from 'zod';
import { type Dispatched, dispatchesFor } from '../api/dispatch.ts';
import { timestamp } from '../api/fields.ts';
import type { Base, Committed, Reading } from '../api/world.ts';
import type { HasFileAddresses } from '../files/addresses.ts';
import {
  audienceOf,
  type ChannelAudience,
  channelFields,
  dispatchTo,
} from '../guilds/channels/message-audience.ts';
import { memberAnswer, memberShape } from '../guilds/members/answers.ts';
import { memberOf } from '../guilds/members/membership.ts';
import { isSameJson } from '../kernel/same-json.ts';
import { gatewayMessageShape, messageDispatch } from './gateway-message.ts';
import { MESSAGE_FLAGS, type Message } from './records.ts';

/** Services that these dispatches need. */
type Needs = Base & HasFileAddresses;

const defineDispatch = dispatchesFor<Needs>();

const INTENTS = ['GUILD_MESSAGES', 'DIRECT_MESSAGES'] as const;
const PIN_INTENTS = ['GUILDS', 'DIRECT_MESSAGES'] as const;

/** Whether the gateway sends events of the message; it sends none for ephemeral messages. */
function isPublic({ flags = 0 }: Message): boolean {
  return (flags & MESSAGE_FLAGS.ephemeral) === 0;
}

function* dispatchMessages(platform: Needs, messages: Iterable<Message>): Generator<Dispatched> {
  const { tables } = platform.world;
  for (const message of messages) {
    const audience = isPublic(message) ? audienceOf(tables, message.channel) : undefined;
    if (audience !== undefined) yield messageDispatch(platform, audience, message);
  }
}

/** A message without its moderation metadata, whose changes cause no update event. */
const unmoderated = (message: Message): object => ({ ...message, moderation_metadata: undefined });

/** Messages with an update event: they or their files changed, or a thread was started from them. */
function changedMessages(commit: Committed, tables: Reading): Message[] {
  const ids = new Set<string>();
  for (const { before, after } of commit.of('messages').updated) {
    if (!isSameJson(unmoderated(before), unmoderated(after))) ids.add(after.id);
  }
  const files = commit.of('attachments');
  for (const { message } of [
    ...files.created,
    ...files.updated.map(({ after }) => after),
    ...files.removed,
  ]) {
    ids.add(message);
  }
  for (const { id } of commit.of('channels').created) ids.add(id);
  return [...ids].flatMap((id) => {
    const message = commit.was('messages', id) === undefined ? undefined : tables.messages.get(id);
    return message === undefined ? [] : [message];
  });
}

/**
 * Deleted messages per existing channel. Messages of a deleted channel are omitted, because the channel's own event
 * covers them.
 */
function removedMessages(commit: Committed, tables: Reading): { audience: ChannelAudience; ids: string[] }[] {
  const byChannel = new Map<string, string[]>();
  for (const message of commit.of('messages').removed) {
    if (!isPublic(message)) continue;
    byChannel.set(message.channel, [...(byChannel.get(message.channel) ?? []), message.id]);
  }
  return [...byChannel].flatMap(([channel, ids]) => {
    const audience = audienceOf(tables, channel);
    return audience === undefined ? [] : [{ audience, ids }];
  });
}

const TYPING_INTENTS = ['GUILD_MESSAGE_TYPING', 'DIRECT_MESSAGE_TYPING'] as const;
/** A user starts typing. The operation sends this event itself, because no row stores it. */
export const typingStart = defineDispatch({
  event: 'TYPING_START',
  summary: 'A user starts typing.',
  intents: TYPING_INTENTS,
  tables: [],
  shape: z.object({
    ...channelFields,
    user_id: z.string(),
    timestamp: z.int(),
    member: z.optional(memberShape),
  }),
});

/** Event of a user who types in a channel; `now` is in milliseconds. */
export function typingDispatch(
  tables: Reading,
  channelId: string,
  user: string,
  now: number,
): Dispatched | undefined {
  const audience = audienceOf(tables, channelId);
  if (audience === undefined) return undefined;
  const member = audience.guild === undefined ? undefined : memberOf(tables, audience.guild, user);
  return dispatchTo(audience, TYPING_INTENTS, () => ({
    user_id: user,
    timestamp: Math.floor(now / 1000),
    ...(member === undefined ? {} : { member: memberAnswer(tables, member) }),
  }));
}

/** Gateway events of messages. */
export const messageDispatches = [
  defineDispatch({
    event: 'MESSAGE_CREATE',
    summary: 'A message was written.',
    intents: INTENTS,
    tables: ['messages'],
    shape: gatewayMessageShape,
    ours: 'A user gets the messages of their private channels with the scope dm_channels.messages.read.',
    derive: (commit, platform) => dispatchMessages(platform, commit.of('messages').created),
  }),
  defineDispatch({
    event: 'MESSAGE_UPDATE',
    summary: 'A message was changed, pinned, or is where a thread began.',
    intents: INTENTS,
    tables: ['messages', 'attachments', 'channels'],
    shape: gatewayMessageShape,
    derive: (commit, platform) => dispatchMessages(platform, changedMessages(commit, platform.world.tables)),
  }),
  defineDispatch({
    event: 'MESSAGE_DELETE',
    summary: 'A message was deleted.',
    intents: INTENTS,
    tables: ['messages'],
    shape: z.object({ id: z.string(), ...channelFields }),
    *derive(commit, { world: { tables } }) {
      for (const { audience, ids } of removedMessages(commit, tables)) {
        const [id, ...others] = ids;
        if (others.length === 0) yield dispatchTo(audience, INTENTS, () => ({ id }));
      }
    },
  }),
  defineDispatch({
    event: 'MESSAGE_DELETE_BULK',
    summary: 'Several messages of a channel were deleted at once.',
    intents: INTENTS,
    tables: ['messages'],
    shape: z.object({ ids: z.array(z.string()), ...channelFields }),
    ours: 'Any operation that deletes several messages of a channel in one step sends this event, also a ban with deletion.',
    *derive(commit, { world: { tables } }) {
      for (const { audience, ids } of removedMessages(commit, tables)) {
        if (ids.length > 1) yield dispatchTo(audience, INTENTS, () => ({ ids }));
      }
    },
  }),
  defineDispatch({
    event: 'CHANNEL_PINS_UPDATE',
    summary: 'A message was pinned or unpinned; not sent for a deleted message.',
    intents: PIN_INTENTS,
    tables: ['messages'],
    shape: z.object({ ...channelFields, last_pin_timestamp: z.nullable(z.string()) }),
    *derive(commit, { world: { tables } }) {
      const changed = commit
        .of('messages')
        .updated.filter(({ before, after }) => before.pinned !== after.pinned);
      for (const channel of new Set(changed.map(({ after }) => after.channel))) {
        const audience = audienceOf(tables, channel);
        if (audience === undefined) continue;
        yield dispatchTo(audience, PIN_INTENTS, () => ({ last_pin_timestamp: lastPin(tables, channel) }));
      }
    },
  }),
];

function lastPin({ messages }: Reading, channel: string): string | null {
  const pins = [...messages.by('pinned', channel)].map((one) => Date.parse(one.pinned_at ?? one.timestamp));
  return pins.length === 0 ? null : timestamp(Math.max(...pins));
}
