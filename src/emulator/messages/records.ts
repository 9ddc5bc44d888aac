import { withText } from '../channels/records.ts';
import { timeOf } from '../snowflake.ts';
import { defineRecord, type RowOf, type SchemaParts } from '../state/record.ts';

/** A message of a text channel. */
export const messages = defineRecord({
  name: 'messages',
  noun: 'message',
  key: ['id'],
  // In a channel the oldest comes first, and an id says when it was made.
  indexes: { channel: { order: 'key' }, author: { order: 'key' } },
  references: {
    channel: { to: 'channels', gone: 'remove', needs: withText },
    author: { to: 'users', gone: 'remove', orMe: true },
  },
  schema: ({ table, derived, snowflake, words, userOrMe, optional, orNull, moment, flag }: SchemaParts) =>
    derived(
      table({
        id: snowflake(),
        /** Id of its channel. */
        channel: snowflake(),
        /** Id of the user who wrote it. */
        author: userOrMe(),
        content: words(4000),
        /** ISO 8601. */
        timestamp: optional(moment()),
        edited_timestamp: orNull(moment()),
        tts: flag(false),
        pinned: flag(false),
      }),
      (written) => ({
        ...written,
        timestamp: written.timestamp ?? new Date(timeOf(written.id)).toISOString(),
      }),
    ),
});

/** A message of a text channel. */
export type Message = RowOf<typeof messages>;
