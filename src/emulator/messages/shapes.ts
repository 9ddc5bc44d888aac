import * as z from 'zod';
import { namedShape } from '../api/fields.ts';
import { threadShape } from '../guilds/channels/shapes.ts';
import { userShape } from '../users/shapes.ts';
import { componentShape, embedShape } from './content-shapes.ts';

/** An emoji in a reaction or a poll. */
export const reactionEmojiShape = z.object({
  id: z.nullable(z.string()),
  name: z.nullable(z.string()),
  animated: z.optional(z.boolean()),
});

const mediaShape = z.object({ text: z.optional(z.string()), emoji: z.optional(reactionEmojiShape) });

/** A poll in the form that clients receive. */
export const pollShape = namedShape('Poll', {
  question: mediaShape,
  answers: z.array(z.object({ answer_id: z.int(), poll_media: mediaShape })),
  expiry: z.string(),
  allow_multiselect: z.boolean(),
  layout_type: z.literal(1),
  results: z.object({
    is_finalized: z.boolean(),
    answer_counts: z.array(z.object({ id: z.int(), count: z.int(), me_voted: z.boolean() })),
  }),
});

/** A file of a message. */
export const attachmentShape = namedShape('Attachment', {
  id: z.string(),
  filename: z.string(),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  content_type: z.optional(z.string()),
  size: z.int(),
  url: z.string(),
  proxy_url: z.string(),
  duration_secs: z.optional(z.number()),
  waveform: z.optional(z.string()),
  flags: z.optional(z.int()),
});

/** A sticker of a message in the form that clients receive. */
export const stickerItemShape = z.object({ id: z.string(), name: z.string(), format_type: z.int() });

const referenceShape = z.object({
  type: z.int(),
  channel_id: z.string(),
  message_id: z.optional(z.string()),
  guild_id: z.optional(z.string()),
});

/** Number of reactions to a message with one emoji. */
export const reactionShape = z.object({
  emoji: reactionEmojiShape,
  count: z.int(),
  count_details: z.object({ burst: z.int(), normal: z.int() }),
  burst_colors: z.array(z.string()),
  me_burst: z.boolean(),
  me: z.boolean(),
});

/** Content of a message, or of the message that a forward contains. */
export const contentShape = z.object({
  type: z.int(),
  content: z.string(),
  mentions: z.array(userShape),
  mention_roles: z.array(z.string()),
  attachments: z.array(attachmentShape),
  embeds: z.array(embedShape),
  timestamp: z.string(),
  edited_timestamp: z.nullable(z.string()),
  flags: z.int(),
  components: z.array(componentShape),
  sticker_items: z.optional(z.array(stickerItemShape)),
});

/** The interaction that a message answers. */
export const originShape = z.object({
  id: z.string(),
  type: z.int(),
  user: z.optional(userShape),
  authorizing_integration_owners: z.record(z.string(), z.string()),
  name: z.optional(z.string()),
  original_response_message_id: z.optional(z.string()),
  target_user: z.optional(userShape),
  target_message_id: z.optional(z.string()),
  interacted_message_id: z.optional(z.string()),
});

/** A message without the message that it refers to. */
export const basicShape = contentShape.extend({
  id: z.string(),
  channel_id: z.string(),
  author: userShape,
  pinned: z.boolean(),
  mention_everyone: z.boolean(),
  tts: z.boolean(),
  nonce: z.optional(z.union([z.string(), z.int()])),
  application_id: z.optional(z.string()),
  webhook_id: z.optional(z.string()),
  activity: z.optional(
    z.object({
      type: z.int(),
      party_id: z.optional(z.string()),
      session_id: z.optional(z.string()),
    }),
  ),
  lobby_member: z.optional(z.object({ additional_name: z.string() })),
  message_reference: z.optional(referenceShape),
  message_snapshots: z.optional(z.array(z.object({ message: contentShape }))),
  reactions: z.optional(z.array(reactionShape)),
  poll: z.optional(pollShape),
  metadata: z.optional(z.record(z.string(), z.string())),
  moderation_metadata: z.optional(z.record(z.string(), z.string())),
  interaction_metadata: z.optional(
    originShape.extend({ triggering_interaction_metadata: z.optional(originShape) }),
  ),
  interaction: z.optional(
    z.object({ id: z.string(), type: z.int(), name: z.string(), user: z.optional(userShape) }),
  ),
});

/** A message. */
export const messageShape = basicShape
  .extend({ referenced_message: z.optional(z.nullable(basicShape)), thread: z.optional(threadShape) })
  .meta({ id: 'Message' });
