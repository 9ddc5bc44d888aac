import * as z from 'zod';
import { choice, fault, integer, list, snowflake, textUpTo } from '../../api/fields.ts';

const HAS = ['image', 'sound', 'video', 'file', 'sticker', 'embed', 'link', 'poll', 'snapshot'] as const;
const AUTHORS = ['user', 'bot', 'webhook'] as const;

/** Schema for one of the terms, or a term negated with `-`. */
const orNot = <const Terms extends readonly string[]>(terms: Terms) =>
  z
    .string()
    .refine(
      (value) => terms.includes(value.replace(/^-/, '')),
      fault('BASE_TYPE_CHOICES', `Value must be one of {${terms.join(', ')}}, or - and one of them.`),
    );

const ids = () => z.optional(list(snowflake(), 0, 100));
const texts = (maxLength: number) => z.optional(list(textUpTo(maxLength), 0, 100));

/** Query of a message search. */
export const searchQuery = z.object({
  content: z.optional(textUpTo(1024)),
  slop: z.optional(integer(0, 100)),
  limit: z.optional(integer(1, 25)),
  offset: z.optional(integer(0, 9975)),
  min_id: z.optional(snowflake()),
  max_id: z.optional(snowflake()),
  channel_id: z.optional(list(snowflake(), 0, 500)),
  author_type: z.optional(list(orNot(AUTHORS), 0, 100)),
  author_id: ids(),
  mentions: ids(),
  mentions_role_id: ids(),
  mention_everyone: z.optional(z.boolean()),
  replied_to_user_id: ids(),
  replied_to_message_id: ids(),
  pinned: z.optional(z.boolean()),
  has: z.optional(list(orNot(HAS), 0, 100)),
  embed_type: z.optional(list(choice('image', 'video', 'gif', 'sound', 'article'), 0, 100)),
  embed_provider: texts(256),
  link_hostname: texts(152),
  attachment_filename: texts(1024),
  attachment_extension: texts(255),
  sort_by: z.optional(choice('timestamp', 'relevance')),
  sort_order: z.optional(choice('asc', 'desc')),
  include_nsfw: z.optional(z.boolean()),
});

/** Query of a message search. */
export type SearchQuery = z.output<typeof searchQuery>;
