import * as z from 'zod';
import { timestamp } from '../api/fields.ts';
import type { BotCaller } from '../caller.ts';
import { threadAnswer, threadShape } from '../channels/answers.ts';
import { userAnswer, userShape } from '../users/answers.ts';
import type { User } from '../users/records.ts';
import type { Reading } from '../world.ts';
import { attachmentAnswer, attachmentShape, type FileAddress, withFiles } from './attachments.ts';
import { mentionsOf } from './mentions.ts';
import { MESSAGE_FLAGS, MESSAGE_TYPES, type Message } from './records.ts';

const referenceShape = z.object({
  type: z.int(),
  channel_id: z.string(),
  message_id: z.optional(z.string()),
  guild_id: z.optional(z.string()),
});

/** An emoji as a reaction shows it. */
const emojiShape = z.object({
  id: z.nullable(z.string()),
  name: z.nullable(z.string()),
  animated: z.optional(z.boolean()),
});

const reactionShape = z.object({
  emoji: emojiShape,
  count: z.int(),
  count_details: z.object({ burst: z.int(), normal: z.int() }),
  burst_colors: z.array(z.string()),
  me_burst: z.boolean(),
  me: z.boolean(),
});

const saidShape = z.object({
  type: z.int(),
  content: z.string(),
  mentions: z.array(userShape),
  mention_roles: z.array(z.string()),
  attachments: z.array(attachmentShape),
  embeds: z.array(z.looseObject({ type: z.string() })),
  timestamp: z.string(),
  edited_timestamp: z.nullable(z.string()),
  flags: z.int(),
  components: z.array(z.looseObject({ type: z.int() })),
});

const basicShape = saidShape.extend({
  id: z.string(),
  channel_id: z.string(),
  author: userShape,
  pinned: z.boolean(),
  mention_everyone: z.boolean(),
  tts: z.boolean(),
  nonce: z.optional(z.union([z.string(), z.int()])),
  application_id: z.optional(z.string()),
  message_reference: z.optional(referenceShape),
  message_snapshots: z.optional(z.array(z.object({ message: saidShape }))),
  reactions: z.optional(z.array(reactionShape)),
});

/** A message. */
export const messageShape = basicShape
  .extend({ referenced_message: z.optional(z.nullable(basicShape)), thread: z.optional(threadShape) })
  .meta({ id: 'Message' });

type MessageAnswer = z.output<typeof messageShape>;

/** Who looks at messages, and with what. */
export interface Viewer {
  readonly tables: Reading;
  readonly caller: Pick<BotCaller, 'user' | 'application'>;
  /** Where a file can be had. */
  readonly address: FileAddress;
}

/**
 * Whether an application may know what a message says: its own messages, those that mention it, and all with the
 * privileged intent.
 */
export function maySeeContent({ tables, caller }: Omit<Viewer, 'address'>, message: Message): boolean {
  if (caller.application.intents.includes('message_content') || message.author === caller.user.id)
    return true;
  return mentionsOf(tables, message).users.includes(caller.user.id);
}

/** A message as an application sees it. */
export function messageAnswer(viewer: Viewer, message: Message): MessageAnswer {
  const begun = viewer.tables.channels.get(message.id);
  const answer = {
    ...basicAnswer(viewer, message),
    ...(begun === undefined ? {} : { thread: threadAnswer(viewer.tables, begun, viewer.caller.user.id) }),
  };
  const { about } = message;
  if (
    about === undefined ||
    ![MESSAGE_TYPES.reply, MESSAGE_TYPES.threadStarter].includes(answer.type as never)
  ) {
    return answer;
  }
  const other = viewer.tables.messages.get(about.message);
  return { ...answer, referenced_message: other === undefined ? null : basicAnswer(viewer, other) };
}

function basicAnswer(viewer: Viewer, message: Message): z.output<typeof basicShape> {
  const { tables } = viewer;
  const { id, channel, author, about, snapshot, pinned, tts, application } = message;
  const mentions = mentionsOf(tables, message);
  const reactions = reactionsAnswer(viewer, id);
  const files = [...tables.attachments.by('message', id)];
  const shown = maySeeContent(viewer, message);
  return {
    ...said(viewer, { ...message, users: mentions.users, roles: mentions.roles }, files, shown),
    flags: (message.flags ?? 0) | (tables.channels.has(id) ? MESSAGE_FLAGS.hasThread : 0),
    id,
    channel_id: channel,
    author: userAnswer(tables.users.get(author) as User),
    pinned,
    mention_everyone: mentions.everyone,
    tts,
    ...(application === undefined ? {} : { application_id: application }),
    ...(about === undefined
      ? {}
      : {
          message_reference: {
            type: about.kind === 'forward' ? 1 : 0,
            channel_id: about.channel,
            message_id: about.message,
            ...guildOf(tables, about.channel),
          },
        }),
    ...(snapshot === undefined
      ? {}
      : {
          message_snapshots: [{ message: said(viewer, snapshot, files, shown) }],
          attachments: [],
        }),
    ...(reactions.length === 0 ? {} : { reactions }),
  };
}

/** What a message says, or one that was passed on. */
function said(
  { tables, address }: Viewer,
  message: Pick<
    Message,
    'type' | 'flags' | 'content' | 'timestamp' | 'edited_timestamp' | 'embeds' | 'components'
  > & {
    readonly users: readonly string[];
    readonly roles: readonly string[];
  },
  files: Parameters<typeof withFiles>[1],
  isShown: boolean,
): z.output<typeof saidShape> {
  const { type = 0, flags = 0, content, edited_timestamp } = message;
  const embeds = flags & MESSAGE_FLAGS.suppressEmbeds ? [] : (message.embeds ?? []);
  return {
    type,
    content: isShown ? content : '',
    mentions: message.users.flatMap((id) => {
      const user = tables.users.get(id);
      return user === undefined ? [] : [userAnswer(user)];
    }),
    mention_roles: [...message.roles],
    attachments: isShown ? files.map((file) => attachmentAnswer(file, address)) : [],
    embeds: isShown ? (withFiles(embeds, files, address) as z.output<typeof saidShape>['embeds']) : [],
    timestamp: timestamp(Date.parse(message.timestamp)),
    edited_timestamp: edited_timestamp === null ? null : timestamp(Date.parse(edited_timestamp)),
    flags,
    components: isShown
      ? (withFiles(message.components ?? [], files, address) as z.output<typeof saidShape>['components'])
      : [],
  };
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
    counted.me ||= user === caller.user.id;
    counts.set(emoji, counted);
  }
  return [...counts].map(([emoji, { count, me }]) => ({
    emoji: emojiAnswer(emoji),
    count,
    count_details: { burst: 0, normal: count },
    burst_colors: [],
    me_burst: false,
    me,
  }));
}

function emojiAnswer(emoji: string): z.output<typeof emojiShape> {
  const [, name, id] = /^(\w{2,32}):(\d{1,20})$/.exec(emoji) ?? [];
  return id === undefined || name === undefined ? { id: null, name: emoji } : { id, name };
}
