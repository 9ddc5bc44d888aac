import { withText } from '../channels/records.ts';
import { timeOf } from '../snowflake.ts';
import { defineRecord, type RowOf, type SchemaParts } from '../state/record.ts';

/** What one message has of another's, when it passes it on. */
const snapshot = ({
  table,
  snowflake,
  words,
  optional,
  orNull,
  moment,
  count,
  list,
  text,
  many,
  json,
}: SchemaParts) =>
  table({
    type: optional(count(255)),
    flags: optional(count(2 ** 31 - 1)),
    content: words(4000),
    timestamp: moment(),
    edited_timestamp: orNull(moment()),
    embeds: optional(many(json(32_768), 10)),
    components: optional(many(json(), 40)),
    /** Ids of those whom it mentions. */
    users: list(text(64), 100),
    roles: list(snowflake(), 100),
  });

/** A message of a channel. What most messages have not is left out of those. */
export const messages = defineRecord({
  name: 'messages',
  noun: 'message',
  key: ['id'],
  indexes: {
    // In a channel the oldest comes first, and an id says when it was made.
    channel: { order: 'key' },
    author: { order: 'key' },
    pinned: { order: 'key', of: (row: Pinnable) => (row.pinned ? row.channel : null) },
    nonce: { of: (row: Nonced) => (row.nonce === undefined ? null : nonceKey(row.author, row.nonce)) },
  },
  references: {
    channel: { to: 'channels', gone: 'remove', needs: withText },
    author: { to: 'users', gone: 'remove', orMe: true },
  },
  schema: (parts: SchemaParts) => {
    const { table, derived, snowflake, words, userOrMe, optional, orNull, moment, flag, count } = parts;
    const { text, list, choice, many, json } = parts;
    return derived(
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
        /** Since when it is pinned; unless written, since it was made. */
        pinned_at: optional(moment()),
        /** 0 unless written: 6 says that another was pinned, 19 is a reply. */
        type: optional(count(255)),
        flags: optional(count(2 ** 31 - 1)),
        /** By which its author tells it apart. */
        nonce: optional(text(25)),
        /** Id of the application whose bot wrote it. */
        application: optional(snowflake()),
        embeds: optional(many(json(32_768), 10)),
        components: optional(many(json(), 40)),
        /** Whom it mentions, where that is not just what its text says. */
        mentions: optional(
          table({ users: list(text(64), 100), roles: list(snowflake(), 100), everyone: flag(false) }),
        ),
        /** The message that it is about, which may be no more. */
        about: optional(
          table({
            kind: choice('reply', 'forward', 'pin', 'thread'),
            channel: snowflake(),
            message: snowflake(),
          }),
        ),
        /** What a forwarded message says. */
        snapshot: optional(snapshot(parts)),
      }),
      ({ pinned_at, ...written }) => {
        const timestamp = written.timestamp ?? new Date(timeOf(written.id)).toISOString();
        return { ...written, timestamp, ...(written.pinned ? { pinned_at: pinned_at ?? timestamp } : {}) };
      },
    );
  },
});

interface Pinnable {
  readonly pinned: boolean;
  readonly channel: string;
}

interface Nonced {
  readonly author: string;
  readonly nonce?: string | undefined;
}

/** What the messages with one nonce of one author are found by. */
export function nonceKey(author: string, nonce: string): string {
  return `${author} ${nonce}`;
}

/** A message of a channel. */
export type Message = RowOf<typeof messages>;

/** Type numbers of messages that are told apart here. */
export const MESSAGE_TYPES = {
  default: 0,
  pinned: 6,
  threadCreated: 18,
  reply: 19,
  command: 20,
  threadStarter: 21,
  contextMenu: 23,
} as const;

/** Bits of a message. */
export const MESSAGE_FLAGS = {
  crossposted: 1 << 0,
  suppressEmbeds: 1 << 2,
  hasThread: 1 << 5,
  suppressNotifications: 1 << 12,
  hasSnapshot: 1 << 14,
  componentsV2: 1 << 15,
} as const;
