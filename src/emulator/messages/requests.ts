import * as z from 'zod';
import {
  choice,
  fileId,
  integer,
  list,
  maybe,
  messageNonce,
  set,
  snowflake,
  textUpTo,
  writtenText,
} from '../api/fields.ts';
import { components } from './components.ts';
import { embeds } from './embeds.ts';
import { pollBody } from './poll-body.ts';
import type { Message } from './records.ts';

// Schemas of the bodies for creating and editing messages.

/** Maximum length of an application's message (characters). */
const MAX_CONTENT_CHARS = 2000;

const content = () => maybe(writtenText(MAX_CONTENT_CHARS));

/** Mentions in a message's text that may notify users. */
export const allowedMentions = z.object({
  parse: maybe(set(choice('users', 'roles', 'everyone'), 0, 3)),
  users: maybe(set(snowflake(), 0, 100)),
  roles: maybe(set(snowflake(), 0, 100)),
  replied_user: maybe(z.boolean()),
});

/** Description of a file; `id` is the number of a new file in the request, or the id of an existing file. */
const attachment = z.object({
  id: fileId(),
  filename: maybe(textUpTo(1024)),
  title: maybe(textUpTo(1024)),
  description: maybe(textUpTo(1024)),
  duration_secs: maybe(
    z
      .number()
      .min(0)
      .max(2 ** 31 - 1),
  ),
  waveform: maybe(textUpTo(400)),
  is_spoiler: maybe(z.boolean()),
});

/** Description of a file. */
export type AttachmentRequest = z.output<typeof attachment>;

const contentFields = {
  content: content(),
  embeds: maybe(embeds),
  allowed_mentions: maybe(allowedMentions),
  components: maybe(components),
  flags: maybe(integer(0, 2 ** 31 - 1)),
  attachments: maybe(list(attachment, 0, 10)),
};

/** A message to create. */
export const createBody = z.object({
  ...contentFields,
  nonce: maybe(messageNonce()),
  enforce_nonce: maybe(z.boolean()),
  tts: maybe(z.boolean()),
  poll: maybe(pollBody),
  sticker_ids: maybe(list(snowflake(), 0, 3)),
  message_reference: maybe(
    z.object({
      type: maybe(choice(0, 1)),
      message_id: snowflake(),
      channel_id: maybe(snowflake()),
      guild_id: maybe(snowflake()),
      fail_if_not_exists: maybe(z.boolean()),
    }),
  ),
});

/** A message to create. */
export type CreateRequest = Partial<z.output<typeof createBody>> & {
  /** A game's metadata. */
  readonly metadata?: Message['metadata'];
};

/** Changes to a message: an absent field stays unchanged, and null removes the field's value. */
export const editBody = z.object({
  content: z.nullish(writtenText(MAX_CONTENT_CHARS)),
  embeds: z.nullish(embeds),
  allowed_mentions: maybe(allowedMentions),
  components: z.nullish(components),
  flags: maybe(integer(0, 2 ** 31 - 1)),
  attachments: z.nullish(list(attachment, 0, 10)),
});

/** Edits of a message. */
export type EditRequest = Partial<z.output<typeof editBody>>;

/** Public fields of a request that the emulator ignores. */
export const NOT_OFFERED = ['poll.question.emoji', 'shared_client_theme', 'attachments.[].is_remix'] as const;
