import type * as z from 'zod';
import type { Reading } from '../api/world.ts';
import { threadAnswer } from '../guilds/channels/answers.ts';
import { userAnswer } from '../users/answers.ts';
import type { User } from '../users/records.ts';
import type { userShape } from '../users/shapes.ts';
import { type FileAddress, withFiles } from './attachments/attachments.ts';
import { reactionEmoji } from './emoji-answer.ts';
import { type Mentions, mentionsOf } from './mentions.ts';
import { pollAnswer } from './polls.ts';
import { authorOf, carriedBy, timesOf } from './presenting.ts';
import { MESSAGE_FLAGS, MESSAGE_TYPES, type Message } from './records.ts';
import type { basicShape, contentShape, messageShape, originShape, reactionShape } from './shapes.ts';
import { stickerItems } from './stickers.ts';
import type { ApplicationWriter } from './writer.ts';

type MessageAnswer = z.output<typeof messageShape>;
type BasicAnswer = z.output<typeof basicShape>;

/** Viewer of messages. */
export interface Viewer {
  readonly tables: Reading;
  /** The application that reads the message; undefined for the holder of a webhook token. */
  readonly caller: ApplicationWriter | undefined;
  /** Returns the URL of a file. */
  readonly address: FileAddress;
  /** The public tables, where `tables` may be those of ephemeral messages: what such a message refers to is public. */
  readonly publicTables?: Reading | undefined;
}

/**
 * Whether an application may see the content of a message. It may see its own messages, those that mention it, those in
 * its private channels, and all others with the privileged intent.
 */
export function maySeeContent({ tables, caller }: Omit<Viewer, 'address'>, message: Message): boolean {
  if (caller === undefined || caller.application.intents.includes('message_content')) return true;
  // The application's own messages include those of its webhooks.
  if (message.author === caller.user.id || message.application === caller.application.id) return true;
  // Private messages to the application are always visible to it.
  if (tables.private_channels.has(message.channel)) return true;
  return mentionsOf(tables, message).users.includes(caller.user.id);
}

/** A message in the form for applications. */
export function messageAnswer(viewer: Viewer, message: Message): MessageAnswer {
  const answer: MessageAnswer = basicAnswer(viewer, message);
  const begun = viewer.tables.channels.get(message.id);
  if (begun !== undefined) answer.thread = threadAnswer(viewer.tables, begun, viewer.caller?.user.id);
  const tables = viewer.publicTables ?? viewer.tables;
  const other = messageWithin(tables, message);
  if (other !== undefined) answer.referenced_message = other && basicAnswer({ ...viewer, tables }, other);
  return answer;
}

/** The message that a message's answer contains; null for a removed one, undefined where the answer contains none. */
export function messageWithin(
  { messages }: Reading,
  { type = 0, about }: Message,
): Message | null | undefined {
  if (about === undefined || !REFERRING_TYPES.includes(type)) return undefined;
  return messages.get(about.message ?? '') ?? null;
}

/** Types of messages whose answer contains the message that they refer to. */
const REFERRING_TYPES: readonly number[] = [MESSAGE_TYPES.reply, MESSAGE_TYPES.threadStarter];

// Fields are named one by one, because lists of 50 messages are a common answer, and an object that begins with those of
// another one takes kilobytes.
function basicAnswer(viewer: Viewer, message: Message): BasicAnswer {
  const { tables } = viewer;
  const { id, webhook, poll, about, snapshot, application, additional_name } = message;
  const mentions = mentionsOf(tables, message);
  const files = [...tables.attachments.by('message', id)];
  const isContentVisible = maySeeContent(viewer, message);
  const content = contentAnswer(viewer, message, mentions, files, isContentVisible);
  const answer: BasicAnswer = {
    id,
    channel_id: message.channel,
    author: authorAnswer(tables, message),
    type: content.type,
    content: content.content,
    timestamp: content.timestamp,
    edited_timestamp: content.edited_timestamp,
    mentions: content.mentions,
    mention_roles: content.mention_roles,
    mention_everyone: mentions.everyone,
    attachments: content.attachments,
    embeds: content.embeds,
    components: content.components,
    flags: content.flags,
    pinned: message.pinned,
    tts: message.tts,
  };
  if (content.sticker_items !== undefined) answer.sticker_items = content.sticker_items;
  if (tables.channels.has(id)) answer.flags |= MESSAGE_FLAGS.hasThread;
  if (webhook !== undefined) answer.webhook_id = webhook.id;
  if (message.interaction !== undefined) addInteraction(answer, tables, message.interaction, application);
  if (additional_name !== undefined) answer.lobby_member = { additional_name };
  if (application !== undefined) answer.application_id = application;
  if (about !== undefined) answer.message_reference = referenceAnswer(tables, about);
  if (snapshot !== undefined) {
    const { users, roles } = snapshot;
    const copy = contentAnswer(viewer, snapshot, { users, roles }, files, isContentVisible);
    answer.message_snapshots = [{ message: copy }];
    answer.attachments = [];
  }
  const reactions = reactionsAnswer(viewer, id);
  if (reactions.length > 0) answer.reactions = reactions;
  if (poll !== undefined && isContentVisible)
    answer.poll = pollAnswer(tables, id, poll, viewer.caller?.user.id);
  if (message.metadata !== undefined) answer.metadata = { ...message.metadata };
  if (message.moderation_metadata !== undefined)
    answer.moderation_metadata = { ...message.moderation_metadata };
  return answer;
}

/** The message, or the message of a forward, that a message refers to. */
function referenceAnswer(
  tables: Reading,
  about: NonNullable<Message['about']>,
): NonNullable<BasicAnswer['message_reference']> {
  return {
    type: about.kind === 'forward' ? 1 : 0,
    channel_id: about.channel,
    ...(about.message === undefined ? {} : { message_id: about.message }),
    ...guildOf(tables, about.channel),
  };
}

/**
 * Adds the fields that link a message to its interaction. `webhook_id` is the application's id, because the
 * interaction's token acts as a webhook of the application.
 */
function addInteraction(
  answer: BasicAnswer,
  tables: Reading,
  interaction: NonNullable<Message['interaction']>,
  application: Message['application'],
): void {
  const { id, type, name, user, original, triggered_by } = interaction;
  if (application !== undefined) answer.webhook_id = application;
  answer.interaction_metadata = {
    ...originAnswer(tables, interaction),
    ...(original === undefined ? {} : { original_response_message_id: original }),
    ...(triggered_by === undefined
      ? {}
      : { triggering_interaction_metadata: originAnswer(tables, triggered_by) }),
  };
  // The older field `interaction` exists only for commands.
  if (name !== undefined) answer.interaction = { id, type, name, ...userIn(tables, 'user', user) };
}

function originAnswer(
  tables: Reading,
  origin: Omit<NonNullable<Message['interaction']>, 'original' | 'triggered_by'>,
): z.output<typeof originShape> {
  const { id, type, user, name, owners, target_user, target_message, interacted_message } = origin;
  return {
    id,
    type,
    ...userIn(tables, 'user', user),
    authorizing_integration_owners: { ...owners },
    ...(name === undefined ? {} : { name }),
    ...(target_user === undefined ? {} : userIn(tables, 'target_user', target_user)),
    ...(target_message === undefined ? {} : { target_message_id: target_message }),
    ...(interacted_message === undefined ? {} : { interacted_message_id: interacted_message }),
  };
}

/** An object with a user in the field `name`; empty for a removed user. */
function userIn<Name extends string>({ users }: Reading, name: Name, id: string) {
  const user = users.get(id);
  return (user === undefined ? {} : { [name]: userAnswer(user) }) as {
    [Key in Name]?: z.output<typeof userShape>;
  };
}

/** Author of a message. */
export function authorAnswer(
  tables: Reading,
  message: Pick<Message, 'author' | 'webhook'>,
): z.output<typeof userShape> {
  return userAnswer(authorOf(tables, message) as User);
}

/** Content of a message, or of the message that a forward contains. */
function contentAnswer(
  { tables, address }: Viewer,
  message: Pick<
    Message,
    'type' | 'flags' | 'content' | 'timestamp' | 'edited_timestamp' | 'embeds' | 'components' | 'stickers'
  >,
  mentions: Pick<Mentions, 'users' | 'roles'>,
  files: Parameters<typeof withFiles>[1],
  isContentVisible: boolean,
): z.output<typeof contentShape> {
  const { type = 0, flags = 0, content } = message;
  const { attachments, embeds } = carriedBy(message, files, address);
  const times = timesOf(message);
  const answer: z.output<typeof contentShape> = {
    timestamp: times.timestamp,
    edited_timestamp: times.edited_timestamp,
    type,
    content: isContentVisible ? content : '',
    mentions: mentions.users.flatMap((id) => {
      const user = tables.users.get(id);
      return user === undefined ? [] : [userAnswer(user)];
    }),
    mention_roles: [...mentions.roles],
    attachments: isContentVisible ? attachments : [],
    embeds: isContentVisible ? (embeds as z.output<typeof contentShape>['embeds']) : [],
    flags,
    components: isContentVisible
      ? (withFiles(message.components ?? [], files, address) as z.output<typeof contentShape>['components'])
      : [],
  };
  return message.stickers === undefined ? answer : { ...answer, ...stickerItems(message) };
}

function guildOf({ channels }: Reading, channelId: string): { guild_id?: string } {
  const guild = channels.get(channelId)?.guild;
  return guild === undefined ? {} : { guild_id: guild };
}

function reactionsAnswer({ tables, caller }: Viewer, messageId: string): z.output<typeof reactionShape>[] {
  const counts = new Map<string, { count: number; me: boolean }>();
  for (const { emoji, user } of tables.reactions.by('message', messageId)) {
    const counted = counts.get(emoji) ?? { count: 0, me: false };
    counted.count += 1;
    counted.me ||= user === caller?.user.id;
    counts.set(emoji, counted);
  }
  return [...counts].map(([emoji, { count, me }]) => ({
    emoji: reactionEmoji(emoji),
    count,
    count_details: { burst: 0, normal: count },
    burst_colors: [],
    me_burst: false,
    me,
  }));
}
