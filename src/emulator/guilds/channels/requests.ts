import * as z from 'zod';
import { choice, fault, integer, list, maybe, maybeId, snowflake, text, textUpTo } from '../../api/fields.ts';

// Bodies of requests that create and change channels.

/** Permission bits as a text; some programs send a number. */
const bits = maybe(
  z
    .union([z.string(), z.int().min(0).transform(String)])
    .refine((value) => /^\d{1,20}$/.test(value), fault('NUMBER_TYPE_COERCE', 'Value is not int.')),
).transform((value) => value ?? '0');

/** Permission overwrite for one target. */
export const overwriteBody = z.object({ type: maybe(choice(0, 1)), allow: bits, deny: bits });

const overwrite = overwriteBody.extend({ id: snowflake() });

const archiveMinutes = () => choice(60, 1440, 4320, 10_080);

const emoji = z.object({ emoji_id: z.nullish(snowflake()), emoji_name: z.nullish(textUpTo(64)) });
const tag = z.object({
  id: maybeId(),
  name: text(1, 20),
  moderated: maybe(z.boolean()),
  emoji_id: z.nullish(snowflake()),
  emoji_name: z.nullish(textUpTo(64)),
});

/** Optional fields of a channel; null means the same as an absent field. */
const fields = {
  position: z.nullish(integer(0, 1_000_000)),
  topic: z.nullish(textUpTo(4096)),
  bitrate: z.nullish(integer(8000, 384_000)),
  user_limit: z.nullish(integer(0, 10_000)),
  nsfw: z.nullish(z.boolean()),
  rate_limit_per_user: z.nullish(integer(0, 21_600)),
  parent_id: z.nullish(snowflake()),
  permission_overwrites: z.nullish(list(overwrite, 0, 100)),
  rtc_region: z.nullish(textUpTo(32)),
  video_quality_mode: z.nullish(choice(1, 2)),
  default_auto_archive_duration: z.nullish(archiveMinutes()),
  default_thread_rate_limit_per_user: z.nullish(integer(0, 21_600)),
  default_reaction_emoji: z.nullish(emoji),
  default_sort_order: z.nullish(choice(0, 1)),
  default_forum_layout: z.nullish(choice(0, 1, 2)),
  available_tags: z.nullish(list(tag, 0, 20)),
};

/** Channel types that can be created. */
const types = () => choice(0, 2, 4, 5, 13, 15, 16);

/** A channel to create. */
export const createBody = z.object({ name: text(1, 100), type: maybe(types()), ...fields });
/** A channel to create. */
export type CreateRequest = z.output<typeof createBody>;

/** Changes to a channel or thread: an absent field stays unchanged. */
export const updateBody = z.object({
  name: z.optional(text(1, 100)),
  type: maybe(types()),
  flags: z.nullish(integer(0, 2 ** 31 - 1)),
  ...fields,
  archived: maybe(z.boolean()),
  locked: maybe(z.boolean()),
  invitable: maybe(z.boolean()),
  auto_archive_duration: maybe(archiveMinutes()),
  applied_tags: z.nullish(list(snowflake(), 0, 5)),
});
/** Changes to a channel or thread. */
export type UpdateRequest = z.output<typeof updateBody>;

/** Channels to move. */
export const positionsBody = list(
  z.object({
    id: snowflake(),
    position: z.nullish(integer(0, 1_000_000)),
    parent_id: z.nullish(snowflake()),
    lock_permissions: maybe(z.boolean()),
  }),
  0,
  500,
);

/** A thread to create. */
export const threadBody = z.object({
  name: text(1, 100),
  auto_archive_duration: maybe(archiveMinutes()),
  rate_limit_per_user: maybe(integer(0, 21_600)),
  type: maybe(choice(10, 11, 12)),
  invitable: maybe(z.boolean()),
});
